#define HEADLIGHT_LEVEL baseline
#include "core/nn/arithmetic/level.inc.h"
