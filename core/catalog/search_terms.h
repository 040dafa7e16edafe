#pragma once

#include "core/catalog/mechanism.h"
#include "core/catalog/search_text.h"

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct KnownModel;

/// Whether the work of a mechanism grows with the tokens alone and not with their pairs. The caller
/// says it: work is counted in core/analysis, which the catalogue may not include.
using IsLinear = std::function<bool(const Mechanism&)>;

/// What a mechanism declares, or what follows from it, under the words that people have for it.
struct SearchedProperty {
    std::string_view label;  ///< "linear in tokens"
    std::vector<SearchText> names;
    bool (*has)(const Mechanism& mechanism, const IsLinear& is_linear);
};
std::span<const SearchedProperty> searched_properties();
/// Whether a person means the property: one of its names, or four letters or more that one begins with.
bool is_meant(const SearchedProperty& property, const SearchText& typed);

struct YearRange {
    int first = std::numeric_limits<int>::min(), last = std::numeric_limits<int>::max();
    bool has(int year) const { return year >= first && year <= last; }
    bool operator==(const YearRange&) const = default;
};

/// A part of a query, which has to be found as a whole: a word, the name of a property or a model in several
/// words, years.
struct SearchTerm {
    std::string typed;
    SearchText text;
    std::optional<YearRange> years = {};
    bool is_range = false;     ///< "2020-2022", "before 2018": no text besides
    bool is_of_model = false;  ///< "used in ..."
    bool is_negated = false;   ///< "not causal", "non-causal": the text is that of the property
    /// Some model is called so: no other one is meant that begins like it.
    bool is_whole_model = false;
};

/// Whether it is the name of a model, or what stands behind "used in".
bool names_model(const SearchTerm& term);

/// "linear in tokens before 2021 used in Qwen3-Next" has three. What has neither letters nor digits is left
/// out, and what only asks: "the attention that Qwen3-Next uses" has one. "Mistral's" is Mistral.
std::vector<SearchTerm> search_terms(std::string_view query);
/// Whether nothing was typed but spaces.
bool is_blank(std::string_view query);
/// Whether every word of a query occurs in a text, as one's own mechanisms are searched. Signs alone are no
/// word, and occur in nothing.
bool has_every_word(std::string_view text, std::string_view query);

/// The models that a query names in full, in the order of known_models().
std::vector<const KnownModel*> models_named_in(std::string_view query);

}  // namespace headlight
