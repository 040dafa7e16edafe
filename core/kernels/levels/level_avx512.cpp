#define HEADLIGHT_LEVEL avx512
#include "core/kernels/level.inc.h"
