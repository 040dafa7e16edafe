#pragma once

#include "core/catalog/search_terms.h"

#include <string>

namespace headlight {

/// docs/catalogue.md: what attention is, the course, and in chapters by family a line for each mechanism,
/// which leads to its page (mechanism_markdown()).
std::string catalogue_markdown(const IsLinear& is_linear);

}  // namespace headlight
