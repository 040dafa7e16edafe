#pragma once

#include "core/catalog/mechanism.h"
#include "core/catalog/search_terms.h"
#include "core/catalog/search_text.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct FoundMechanism {
    const Mechanism* mechanism = nullptr;
    /// What was found where that is not its name: "used in Qwen3-Next; linear in tokens"; may be empty.
    std::string why;
    int by_name = 0;   ///< name_rank() of the whole query, or first_paper, or further_paper
    int by_terms = 0;  ///< less where names, families, papers, properties are what was found, in this order
    /// Where the name of a model is what was found: how many models have the mechanism. What few others have
    /// tells most of a model.
    int by_rarity = 0;
};

/// Ranks of a query that is no name but the title, or the first words of the title, of the first paper of a
/// mechanism or of a further one.
inline constexpr int first_paper = 8, further_paper = 9;
/// The rank of what names nothing.
inline constexpr int no_name = 10;
/// How well a text names the mechanism, 0 best: its name or id, the beginning of its name, of a word of it;
/// the same of its other names; 6 where it is inside a word of its name, 7 of another name; else no_name.
int name_rank(const Mechanism& mechanism, const SearchText& typed);

/// Those of which every part of the query is found in what is known of them: id and names, family, papers
/// with their authors and years, properties, models that use them. Letters without case and accents; of
/// other things than names the beginning of a word. A year, "2020-2022", "before 2018" are those of a paper,
/// "used in Qwen3" is that model alone. The best first, of a model what the fewest others have, and else in
/// the order of `among`. Where nothing is found words of five letters and more may be wrong in one of them,
/// and else words that say nothing of a model that is named are left out, unless something
/// `is_found_elsewhere`: a guess beside a result would be noise. Everything for an empty query; nothing for
/// one of signs alone, in which there is no word to look for.
std::vector<FoundMechanism> find_mechanisms(std::string_view query, std::span<const Mechanism* const> among,
                                            const IsLinear& is_linear, bool is_found_elsewhere = false);
/// In the whole catalogue.
std::vector<FoundMechanism> find_mechanisms(std::string_view query, const IsLinear& is_linear);

}  // namespace headlight
