#define HEADLIGHT_LEVEL avx512
#include "core/attention/kernels/level.inc.h"
