#include "core/catalog/search_terms.h"

#include "core/attention/parameters.h"
#include "core/catalog/used_by.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace headlight {
namespace {

bool learns(const Mechanism& mechanism) {
    const AttentionSpec spec = build_spec(mechanism, {});
    const Index width = 8 * spec.heads.count();  // any that the heads divide
    return !required_parameters(spec, {width, width, width}, {}).empty();
}

std::vector<SearchText> called(std::initializer_list<std::string_view> list) {
    return std::vector<SearchText>(list.begin(), list.end());
}

constexpr std::string_view spaces = " \t\r\n";

/// "Mistral" of "Mistral's": nobody is called with it.
std::string without_possessive(std::string word) {
    for (const std::string_view ending : {"'s", "’s"})
        if (word.size() > ending.size() && word.ends_with(ending))
            word.resize(word.size() - ending.size());
    return word;
}

std::vector<std::string> split_words(std::string_view query) {
    std::vector<std::string> words;
    for (std::size_t at = query.find_first_not_of(spaces); at != std::string_view::npos;) {
        const std::size_t end = std::min(query.find_first_of(spaces, at), query.size());
        words.push_back(without_possessive(std::string(query.substr(at, end - at))));
        at = query.find_first_not_of(spaces, end);
    }
    return words;
}

std::optional<int> year_in(std::string_view text) {
    constexpr int earliest = 1900, latest = 2199;
    int year = 0;
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), year);
    const bool is_all = status == std::errc() && stop == text.data() + text.size() && text.size() == 4;
    return is_all && year >= earliest && year <= latest ? std::optional(year) : std::nullopt;
}

constexpr std::array<std::string_view, 3> dashes{"-", "–", "—"};

/// "2020-2022", with whichever dash.
std::optional<YearRange> range_in(std::string_view text) {
    for (const std::string_view dash : dashes) {
        const std::size_t at = text.find(dash);
        if (at == std::string_view::npos)
            continue;
        const auto first = year_in(text.substr(0, at)), last = year_in(text.substr(at + dash.size()));
        if (first && last)
            return YearRange{std::min(*first, *last), std::max(*first, *last)};
    }
    return std::nullopt;
}

/// Names of known_models(), in their order.
const std::vector<SearchText>& searched_model_names() {
    static const std::vector<SearchText> all = [] {
        std::vector<SearchText> list;
        for (const KnownModel& each : known_models())
            list.emplace_back(each.name);
        return list;
    }();
    return all;
}

bool is_name_of_model(const SearchText& text) {
    return std::ranges::find(searched_model_names(), text) != searched_model_names().end();
}

constexpr std::size_t longest_phrase = 6;  // words

bool is_name_of_property(const SearchText& text) {
    return std::ranges::any_of(searched_properties(), [&](const SearchedProperty& property) {
        return std::ranges::find(property.names, text) != property.names.end();
    });
}

/// "causal" of "not causal", "non causal" and "non-causal"; nothing of what is not negated.
std::string_view without_negation(std::string_view typed) {
    for (const std::string_view negation : {"not ", "non ", "non-"})
        if (typed.size() > negation.size() &&
            SearchText(typed.substr(0, negation.size())) == SearchText(negation) &&
            typed[negation.size() - 1] == negation.back())
            return typed.substr(negation.size());
    return {};
}

/// Reads the words of a query one after another.
class Terms {
public:
    explicit Terms(std::string_view query) : words_(split_words(query)) {}

    std::vector<SearchTerm> all() {
        while (at_ < words_.size())
            if (!add_years() && !add_model() && !add_negation() && !add_phrase())
                add(1);
        leave_out_question();
        return std::move(terms_);
    }

private:
    bool is(std::size_t word, std::string_view expected) const {
        return word < words_.size() && SearchText(words_[word]) == SearchText(expected);
    }
    std::string joined(std::size_t first, std::size_t count) const {
        std::string text;
        for (std::size_t word = first; word < first + count; ++word)
            (text += text.empty() ? "" : " ") += words_[word];
        return text;
    }

    SearchTerm* add(std::size_t count) {
        SearchTerm term{joined(at_, count), SearchText(joined(at_, count))};
        at_ += count;
        if (term.text.is_empty())
            return nullptr;
        return &terms_.emplace_back(std::move(term));
    }

    bool add_range(std::size_t count, YearRange years) {
        SearchTerm& term = *add(count);
        term.years = years;
        return term.is_range = true;
    }

    bool add_years() {
        if (const auto range = range_in(words_[at_]))
            return add_range(1, *range);
        const auto year_of = [this](std::size_t word) {
            return word < words_.size() ? year_in(words_[word]) : std::nullopt;
        };
        if (const auto year = year_of(at_)) {
            const bool has_dash =
                at_ + 1 < words_.size() && std::ranges::find(dashes, words_[at_ + 1]) != dashes.end();
            if (const auto last = year_of(at_ + 2); last && has_dash)
                return add_range(3, {std::min(*year, *last), std::max(*year, *last)});
            add(1)->years = YearRange{*year, *year};
            return true;
        }
        const auto year = year_of(at_ + 1);
        if (!year)
            return false;
        if (is(at_, "before"))
            return add_range(2, {.last = *year - 1});
        if (is(at_, "until") || is(at_, "to"))
            return add_range(2, {.last = *year});
        if (is(at_, "after"))
            return add_range(2, {.first = *year + 1});
        if (is(at_, "since") || is(at_, "from"))
            return add_range(2, {.first = *year});
        return false;
    }

    /// "used in", and as many of the words behind it as name a model.
    bool add_model() {
        if (!is(at_, "used") || !(is(at_ + 1, "in") || is(at_ + 1, "by")) || at_ + 2 >= words_.size())
            return false;
        at_ += 2;
        const auto names_one = [this](std::size_t count, bool nearly) {
            const SearchText text(joined(at_, count));
            return std::ranges::any_of(searched_model_names(), [&](const SearchText& name) {
                return nearly ? name.nearly_begins_word(text)
                              : name.place_of(text) <= SearchText::beginning_of_word;
            });
        };
        std::size_t count = 0;
        for (const bool nearly : {false, true})
            for (std::size_t tried = words_.size() - at_; count == 0 && tried > 0; --tried)
                count = names_one(tried, nearly) ? tried : 0;
        if (SearchTerm* term = add(std::max<std::size_t>(1, count))) {
            term->is_of_model = true;
            term->is_whole_model = is_name_of_model(term->text);
        }
        return true;
    }

    /// "not" before the name of a property, or "non-" as its beginning.
    bool add_negation() {
        const bool is_apart = is(at_, "not") || is(at_, "non");
        for (std::size_t count = std::min(longest_phrase + is_apart, words_.size() - at_); count > is_apart;
             --count) {
            const std::string typed = joined(at_, count);
            const std::string_view name = without_negation(typed);
            if (name.empty() || !is_name_of_property(SearchText(name)))
                continue;
            SearchTerm* term = add(count);
            term->text = SearchText(name);
            return term->is_negated = true;
        }
        return false;
    }

    /// The name of a property or of a model in several words.
    bool add_phrase() {
        for (std::size_t count = std::min(longest_phrase, words_.size() - at_); count > 1; --count) {
            const SearchText text(joined(at_, count));
            if (!text.is_empty() && (is_name_of_property(text) || is_name_of_model(text))) {
                add(count);
                return true;
            }
        }
        return false;
    }

    /// "the attention that Qwen3-Next uses": what asks says nothing of what is asked for. "attention" does,
    /// but where the attention of a model is meant.
    void leave_out_question() {
        static const std::vector<SearchText> asking = called(
            {"a", "an", "the", "that", "which", "what", "does", "do", "is", "are", "find", "show", "me"});
        static const std::vector<SearchText> of_models =
            called({"attention", "attentions", "mechanism", "mechanisms", "model", "layer", "layers", "use",
                    "uses", "used", "using", "has", "have", "by", "in", "of", "with"});
        const bool is_of_model = std::ranges::any_of(terms_, names_model);
        const auto asks = [&](const SearchTerm& term) {
            return std::ranges::find(asking, term.text) != asking.end() ||
                   (is_of_model && std::ranges::find(of_models, term.text) != of_models.end());
        };
        if (!std::ranges::all_of(terms_, asks))
            std::erase_if(terms_, asks);
    }

    std::vector<std::string> words_;
    std::size_t at_ = 0;
    std::vector<SearchTerm> terms_;
};

}  // namespace

std::span<const SearchedProperty> searched_properties() {
    using M = Mechanism;
    static const std::vector<SearchedProperty> all{
        {"causal", called({"causal", "autoregressive"}),
         [](const M& m, const IsLinear&) { return m.properties.causal; }},
        {"rows sum to 1", called({"row-stochastic", "stochastic", "rows sum to 1", "rows sum to one"}),
         [](const M& m, const IsLinear&) { return m.properties.row_stochastic; }},
        {"linear in tokens", called({"linear in tokens", "linear cost", "linear time"}),
         [](const M& m, const IsLinear& is_linear) { return is_linear && is_linear(m); }},
        {"streaming", called({"streaming", "step by step", "recurrent"}),
         [](const M& m, const IsLinear&) { return m.properties.streaming; }},
        {"permutation-equivariant", called({"permutation-equivariant", "equivariant"}),
         [](const M& m, const IsLinear&) { return m.properties.permutation_equivariant; }},
        {"data-dependent mask", called({"data-dependent mask", "data-dependent"}),
         [](const M& m, const IsLinear&) { return m.properties.data_dependent_mask; }},
        {"signed weights", called({"signed weights", "signed", "negative weights"}),
         [](const M& m, const IsLinear&) { return m.properties.is_signed; }},
        {"sparse weights", called({"sparse weights", "sparse", "exact zeros"}),
         [](const M& m, const IsLinear&) { return m.properties.sparse; }},
        {"random", called({"random", "stochastic sampling"}),
         [](const M& m, const IsLinear&) { return m.properties.random; }},
        {"needs the whole text", called({"needs the whole text", "whole text"}),
         [](const M& m, const IsLinear&) { return m.properties.needs_whole_text; }},
        {"learns parameters", called({"learns parameters", "learned parameters", "learns"}),
         [](const M& m, const IsLinear&) { return learns(m); }},
    };
    return all;
}

bool is_meant(const SearchedProperty& property, const SearchText& typed) {
    constexpr std::size_t told_apart = 4;  // letters
    return std::ranges::any_of(property.names, [&](const SearchText& name) {
        return typed == name || (typed.size() >= told_apart && name.place_of(typed) == SearchText::beginning);
    });
}

bool names_model(const SearchTerm& term) { return term.is_of_model || is_name_of_model(term.text); }

std::vector<SearchTerm> search_terms(std::string_view query) { return Terms(query).all(); }

bool is_blank(std::string_view query) { return query.find_first_not_of(spaces) == std::string_view::npos; }

bool has_every_word(std::string_view text, std::string_view query) {
    const SearchText known(text);
    bool has_word = is_blank(query);
    for (const std::string& each : split_words(query)) {
        const SearchText word(each);
        if (!known.contains(word))
            return false;
        has_word = has_word || !word.is_empty();
    }
    return has_word;
}

std::vector<const KnownModel*> models_named_in(std::string_view query) {
    const std::vector<SearchTerm> terms = search_terms(query);
    std::vector<const KnownModel*> named;
    for (std::size_t at = 0; at < known_models().size(); ++at)
        if (std::ranges::find(terms, searched_model_names()[at], &SearchTerm::text) != terms.end())
            named.push_back(&known_models()[at]);
    return named;
}

}  // namespace headlight
