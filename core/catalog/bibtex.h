#pragma once

#include "core/catalog/mechanism.h"

#include <span>
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

/// The entry of Headlight, and one for each paper of the mechanisms, whichever of them it is of, with all
/// authors and its venue where publications() have it. A paper has the same entry whoever cites it; a comment
/// before it names the places that are meant: "% equation 1".
std::string bibtex(std::span<const Mechanism* const> mechanisms);
std::string bibtex(const Mechanism& mechanism);

/// The same without the entry of Headlight; empty where none has a paper.
std::string bibtex_of_papers(std::span<const Mechanism* const> mechanisms);

/// The entry of Headlight itself.
std::string bibtex_of_headlight();

}  // namespace headlight
