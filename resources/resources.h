#pragma once

namespace headlight {

/// Makes ":/headlight/icons", ":/headlight/formulas", ":/headlight/fonts" and ":/headlight/examples"
/// readable. Call it before anything is loaded from them; twice is as good as once.
void initialise_resources();

}  // namespace headlight
