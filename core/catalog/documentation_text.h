#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// "[words](address)"
std::string markdown_link(const std::string& words, const std::string& address);

/// What a link to a heading of that name leads to, as web pages derive it: punctuation goes, typographic
/// quotes too.
std::string heading_anchor(const std::string& name);

/// A text for a cell of a table, whose bars would end it.
std::string table_cell(const std::string& text);

/// "a, b, c"
std::string listed(const std::vector<std::string>& names, std::string_view separator = ", ");

/// With a full stop at its end and a capital at its beginning, unless that is a letter of a formula: "k is
/// ...".
std::string sentence(std::string text);

/// A sentence as it stands in the middle of another one, which ends with it.
std::string clause(std::string text);

/// Up to the first full stop: a question takes its answer along.
std::string first_sentence(const std::string& text);

/// TeX without the \class{stage-NAME}{...} wrappers, whose contents stay.
std::string without_classes(std::string_view formula);

}  // namespace headlight
