#include "gpu/environment.h"
