#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// docs/catalogue.md: every mechanism as its entry declares it.
std::string catalogue_markdown();

/// TeX without the \class{stage-NAME}{...} wrappers, whose contents stay.
std::string without_classes(std::string_view formula);

}  // namespace headlight
