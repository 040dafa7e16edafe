#pragma once

#include "core/catalog/mechanism.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// What a citation of the catalogue consists of: "AUTHORS, TITLE (NOTE)", where AUTHORS are "NAME", "NAME et
/// al." or "NAME, NAME and NAME".
struct CitedWork {
    std::vector<std::string> authors;  ///< at least one, as they are written
    bool has_others = false;           ///< "et al."
    std::string title;
    std::string note;  ///< "equation 1"; may be empty
};
CitedWork cited_work(std::string_view citation);

/// An entry of BibTeX for a paper, with all authors and its venue where publications() have it. `suffix`
/// follows its key, so that two papers of one author and year differ.
std::string bibtex(const Paper& paper, std::string_view suffix = {});

/// The entry of Headlight, and one for each paper of a mechanism.
std::string bibtex(const Mechanism& mechanism);

/// The entry of Headlight itself.
std::string bibtex_of_headlight();

}  // namespace headlight
