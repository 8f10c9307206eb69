#include "io/raw/read_raw.h"
