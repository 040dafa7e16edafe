#define HEADLIGHT_LEVEL avx2
#include "core/nn/arithmetic/level.inc.h"
