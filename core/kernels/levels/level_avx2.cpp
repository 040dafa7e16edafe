#define HEADLIGHT_LEVEL avx2
#include "core/kernels/level.inc.h"
