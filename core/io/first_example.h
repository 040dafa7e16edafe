#pragma once

#include "core/io/session.h"

namespace headlight {

/// What a first start shows: three words in three dimensions, at the first stage of scaled dot-product
/// attention. Every product and every sum has three terms, so that all of the arithmetic fits on the screen.
Session first_example();

}  // namespace headlight
