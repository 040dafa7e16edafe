#pragma once

#include <span>
#include <string_view>

namespace headlight {

/// Who wrote a paper of the catalogue and where it appeared. Several mechanisms cite one paper, each another
/// part of it: what all of these have in common is said here, once.
struct Publication {
    enum class Kind { proceedings, journal, other };

    std::string_view title;    ///< whole: mechanisms may cite it by what stands before its colon
    std::string_view authors;  ///< as BibTeX has them: "Cho, Kyunghyun and Bengio, Yoshua", "{Qwen Team}"
    Kind kind;
    std::string_view venue;  ///< without its year: "Neurocomputing", "arXiv:1410.5401", "https://..."
    int year;                ///< in which it appeared there
    int first_year = 0;      ///< of its first version, where people could read that in an earlier year
    /// The month of its first version, 1 to 12, where two of one year would else have no order; an arXiv
    /// number says it.
    int first_month = 0;
};

/// The month of its first version, 0 where it is not known.
int first_month(const Publication& publication);

std::span<const Publication> publications();

/// The paper with this title, or whose title begins with it; null where the catalogue does not know it.
const Publication* find_publication(std::string_view title);

}  // namespace headlight
