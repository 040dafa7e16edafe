#define HEADLIGHT_LEVEL avx2
#include "core/attention/kernels/level.inc.h"
