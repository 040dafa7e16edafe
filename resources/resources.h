#pragma once

namespace headlight {

/// Makes ":/headlight/icons", ":/headlight/formulas", ":/headlight/fonts" and ":/headlight/examples"
/// readable. Call it once before anything is loaded from them: the linker drops the resources of a static
/// library that nobody names.
void initialise_resources();

}  // namespace headlight
