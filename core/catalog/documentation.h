#pragma once

#include "core/catalog/mechanism.h"

#include <functional>
#include <string>
#include <string_view>

namespace headlight {

/// docs/catalogue.md: a book of every mechanism as its entry declares it, in chapters by family. `in_words` is
/// what a mechanism's picture (images/mechanisms/ID.png) says to those who cannot see it.
std::string catalogue_markdown(const std::function<std::string(const Mechanism&)>& in_words);

/// What a link to a heading of that name leads to, as web pages derive it: punctuation goes, typographic
/// quotes too.
std::string heading_anchor(const std::string& name);

/// A sentence as it stands in the middle of another one, which ends with it.
std::string clause(std::string text);

/// TeX without the \class{stage-NAME}{...} wrappers, whose contents stay.
std::string without_classes(std::string_view formula);

}  // namespace headlight
