#define HEADLIGHT_LEVEL avx512
#include "core/nn/arithmetic/level.inc.h"
