#include "gpu/bands.h"
