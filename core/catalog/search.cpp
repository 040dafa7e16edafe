#include "core/catalog/search.h"

#include "core/catalog/bibtex.h"
#include "core/catalog/coverage.h"
#include "core/catalog/publications.h"
#include "core/catalog/used_by.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

namespace headlight {
namespace {

// Behind the beginnings of names and of words in them, those of other names, and the inside of both.
enum Rank {
    inside_name = 6,
    inside_other_name,
    in_family,
    in_paper,
    in_year,
    in_other_year,
    by_property_and_name,
    by_property,
    by_model,
    by_kind
};

/// Where a term was found, and what a person is told of it.
struct Match {
    int rank = 0;
    std::string reason = {};
};

/// What a search compares of a paper.
struct PaperText {
    explicit PaperText(const Paper& paper) {
        const CitedWork cited = cited_work(paper.citation);
        const Publication* known = publication_of(paper);
        title = SearchText(known ? known->title : cited.title);
        first_author = SearchText(cited.authors.front());
        std::string text = paper.citation;  // which often shortens title and authors
        if (known)
            ((text += ' ').append(known->title) += ' ').append(known->authors);
        all = SearchText(text);
    }

    SearchText all, title, first_author;
};

/// Taken apart once for all searches: it is the longest that is known of a mechanism.
std::shared_ptr<const PaperText> text_of(const Paper& paper) {
    static const std::map<std::string, std::shared_ptr<const PaperText>> of_catalogue = [] {
        std::map<std::string, std::shared_ptr<const PaperText>> texts;
        for (const Mechanism& mechanism : mechanisms())
            for (const Paper& each : mechanism.papers)
                if (!texts.contains(each.citation))
                    texts.emplace(each.citation, std::make_shared<const PaperText>(each));
        return texts;
    }();
    const auto known = of_catalogue.find(paper.citation);
    return known == of_catalogue.end() ? std::make_shared<const PaperText>(paper) : known->second;
}

/// A kind of attention in the list that the program is held to: "S17", and what it is called there.
struct NumberedKind {
    explicit NumberedKind(const CoveredAttention& kind)
        : number(kind.id), title(kind.title), words(kind.id + ", " + kind.title) {}

    SearchText number, title;
    std::string words;
};

std::vector<NumberedKind> kinds_shown_by(const Mechanism& mechanism) {
    static const std::multimap<std::string_view, const CoveredAttention*> by_mechanism = [] {
        std::multimap<std::string_view, const CoveredAttention*> kinds;
        for (const CoveredAttention& kind : catalogue_numbers())
            for (const ShownBy& each : kind.shown_by)
                if (each.kind == ShownBy::Kind::mechanism)
                    kinds.emplace(each.name, &kind);
        return kinds;
    }();
    std::vector<NumberedKind> shown;
    const auto [begin, end] = by_mechanism.equal_range(mechanism.id);
    for (auto each = begin; each != end; ++each)
        shown.emplace_back(*each->second);
    return shown;
}

/// What a mechanism is called, what uses it, and which kinds of attention it shows.
struct Names {
    explicit Names(const Mechanism& mechanism)
        : name(mechanism.name), id(mechanism.id), family(mechanism.family), models(used_by(mechanism.id)),
          kinds(kinds_shown_by(mechanism)) {
        for (const std::string& each : mechanism.also_known_as)
            others.emplace_back(each);
    }

    SearchText name, id, family;
    std::vector<SearchText> others = {};
    std::vector<const KnownModel*> models;
    std::vector<NumberedKind> kinds;
};

/// Taken apart once for all searches, of what is in the catalogue: each letter that is typed is a search.
std::shared_ptr<const Names> names_of(const Mechanism& mechanism) {
    static const std::map<const Mechanism*, std::shared_ptr<const Names>> of_catalogue = [] {
        std::map<const Mechanism*, std::shared_ptr<const Names>> names;
        for (const Mechanism& each : mechanisms())
            names.emplace(&each, std::make_shared<const Names>(each));
        return names;
    }();
    const auto known = of_catalogue.find(&mechanism);
    return known == of_catalogue.end() ? std::make_shared<const Names>(mechanism) : known->second;
}

/// What is known of a mechanism, as it is compared with the terms of a query.
class KnownMechanism {
public:
    KnownMechanism(const Mechanism& mechanism, const IsLinear& is_linear)
        : mechanism_(mechanism), is_linear_(is_linear), names_(names_of(mechanism)) {}

    int rank_of_name(const SearchText& typed) const {
        const int in_name = std::min(names_->name.place_of(typed), names_->id.place_of(typed));
        if (in_name < SearchText::in_word)
            return in_name;
        int in_other = SearchText::nowhere;
        for (const SearchText& each : names_->others)
            in_other = std::min<int>(in_other, each.place_of(typed));
        if (in_other < SearchText::in_word)
            return SearchText::in_word + in_other;
        if (in_name == SearchText::in_word)
            return inside_name;
        return in_other == SearchText::in_word ? inside_other_name : no_name;
    }

    /// A title is meant by all of it, or by enough of its words to be no name.
    int rank_of_title(const SearchText& typed, std::size_t words) const {
        constexpr std::size_t told_apart = 3;  // words
        for (std::size_t at = 0; at < papers().size(); ++at) {
            const SearchText::Place place = papers()[at]->title.place_of(typed);
            if (place == SearchText::all || (place == SearchText::beginning && words >= told_apart))
                return at == 0 ? first_paper : further_paper;
        }
        return no_name;
    }

    /// Whether it is called by the author of its first paper, or the paper by its name: of several that a
    /// paper has, this is the one that it is known for.
    bool is_called_by_its_paper() const {
        const PaperText& paper = *papers().front();
        const auto is_shared = [&](const SearchText& name) {
            return name.place_of(paper.first_author) <= SearchText::beginning_of_word ||
                   paper.title.place_of(name) <= SearchText::beginning_of_word;
        };
        return is_shared(names_->name) || std::ranges::any_of(names_->others, is_shared);
    }

    const Mechanism& mechanism() const { return mechanism_; }
    int users() const { return static_cast<int>(names_->models.size()); }

    std::optional<Match> find(const SearchTerm& term, bool nearly) const {
        if (term.is_of_model)
            return find_model(term, nearly);
        if (term.is_negated)
            return find_property(term);
        if (term.years)
            if (auto found = find_years(*term.years); found || term.is_range)
                return found;
        if (auto found = find_name(term, nearly))
            return found;
        for (const NumberedKind& each : names_->kinds)
            if (each.number == term.text)
                return Match{inside_name, each.words};
        const auto is_there = [&](const SearchText& text) { return begins_word(text, term, nearly); };
        if (is_there(names_->family))
            return Match{in_family, "family " + mechanism_.family};
        for (std::size_t at = 0; at < papers().size(); ++at)
            if (is_there(papers()[at]->all))
                return Match{in_paper, to_string(std::span(mechanism_.papers).subspan(at, 1))};
        if (auto found = find_property(term))
            return found;
        if (auto found = find_model(term, nearly))
            return found;
        for (const NumberedKind& each : names_->kinds)
            if (is_there(each.title))
                return Match{by_kind, each.words};
        return std::nullopt;
    }

private:
    /// What is nearly meant has to be long enough to be told from other words, and no year.
    static bool begins_word(const SearchText& text, const SearchTerm& term, bool nearly) {
        constexpr std::size_t told_apart = 5;  // letters: "MiMo" is nearly "memory"
        if (nearly && term.text.size() >= told_apart && !term.years)
            return text.nearly_begins_word(term.text);
        return text.place_of(term.text) <= SearchText::beginning_of_word;
    }

    /// The year that is said of a mechanism is that of the first version of its first paper: what is found by
    /// another year says so.
    std::optional<Match> find_years(const YearRange& years) const {
        for (std::size_t at = 0; at < mechanism_.papers.size(); ++at) {
            const Paper& each = mechanism_.papers[at];
            if (!years.has(each.year) && !years.has(each.first()))
                continue;
            const std::string first = std::to_string(each.first());
            std::string when = years.has(each.year) ? "published in " + std::to_string(each.year)
                                                    : "first published in " + first;
            if (at > 0)
                return Match{in_other_year, "another paper " + when};
            if (!years.has(each.first()))
                return Match{in_other_year, when + " (preprint " + first + ')'};
            return Match{in_year, std::move(when)};
        }
        return std::nullopt;
    }

    /// "linear in tokens" means what is called linear before all others that are.
    std::optional<Match> find_property(const SearchTerm& term) const {
        static const IsLinear all_are = [](const Mechanism&) { return true; };
        // Where nobody counts, nothing is known to be linear, and nothing not to be.
        const IsLinear& is_linear = term.is_negated && !is_linear_ ? all_are : is_linear_;
        for (const SearchedProperty& each : searched_properties()) {
            // What begins like two properties would be denied of either.
            const bool is_asked = term.is_negated
                                      ? std::ranges::find(each.names, term.text) != each.names.end()
                                      : is_meant(each, term.text);
            if (!is_asked || each.has(mechanism_, is_linear) == term.is_negated)
                continue;
            if (term.is_negated)
                return Match{by_property, "not " + std::string(each.label)};
            const SearchText first_word(each.label.substr(0, each.label.find(' ')));
            const bool is_named = names_->name.place_of(first_word) <= SearchText::beginning_of_word;
            return Match{is_named ? by_property_and_name : by_property, std::string(each.label)};
        }
        return std::nullopt;
    }

    std::optional<Match> find_name(const SearchTerm& term, bool nearly) const {
        const int rank = rank_of_name(term.text);
        if (rank < SearchText::in_word || rank == inside_name)
            return Match{rank};
        for (std::size_t at = 0; at < names_->others.size(); ++at)
            if (names_->others[at].contains(term.text) ||
                (nearly && begins_word(names_->others[at], term, nearly)))
                return Match{std::min<int>(rank, in_family), "also called " + mechanism_.also_known_as[at]};
        if (nearly && (begins_word(names_->name, term, nearly) || begins_word(names_->id, term, nearly)))
            return Match{inside_name};
        return std::nullopt;
    }

    std::optional<Match> find_model(const SearchTerm& term, bool nearly) const {
        std::vector<const KnownModel*> found;
        for (const KnownModel* each : names_->models) {
            const SearchText name(each->name);
            if (term.is_whole_model ? name == term.text : begins_word(name, term, nearly))
                found.push_back(each);
        }
        constexpr std::size_t most = 3;
        if (found.empty())
            return std::nullopt;
        return Match{by_model, "used in " + list_of_models(found, most)};
    }

    /// Read where nothing that comes before them is what was meant.
    const std::vector<std::shared_ptr<const PaperText>>& papers() const {
        if (papers_.empty())
            for (const Paper& each : mechanism_.papers)
                papers_.push_back(text_of(each));
        return papers_;
    }

    const Mechanism& mechanism_;
    const IsLinear& is_linear_;
    std::shared_ptr<const Names> names_;
    mutable std::vector<std::shared_ptr<const PaperText>> papers_;
};

std::optional<FoundMechanism> found_in(const KnownMechanism& known, std::string_view query,
                                       std::span<const SearchTerm> terms, bool nearly) {
    FoundMechanism result{&known.mechanism(), {}};
    std::vector<std::string> reasons;
    for (const SearchTerm& term : terms) {
        std::optional<Match> match = known.find(term, false);
        if (!match && nearly)
            if ((match = known.find(term, true)))
                match->reason += (match->reason.empty() ? "like “" : ", like “") + term.typed + "”";
        if (!match)
            return std::nullopt;
        result.by_terms += match->rank;
        if (match->rank == by_model)
            result.by_rarity = known.users();
        if (!match->reason.empty() && std::ranges::find(reasons, match->reason) == reasons.end())
            reasons.push_back(match->reason);
    }
    for (const std::string& reason : reasons)
        (result.why += result.why.empty() ? "" : "; ") += reason;
    const SearchText typed(query);
    result.by_name = known.rank_of_name(typed);
    if (result.by_name == no_name && !terms.empty()) {
        result.by_name = known.rank_of_title(typed, terms.size());
        if (result.by_name != no_name)
            result.by_terms = !known.is_called_by_its_paper();
    }
    return result;
}

/// The parts of a query that say something of what a model has, and those that do not: "hybrid" beside
/// Falcon-H1. Years and properties are meant as they are typed.
struct PartsOfModel {
    PartsOfModel(std::span<const SearchTerm> terms, std::span<const KnownMechanism> known) {
        std::vector<const KnownMechanism*> of_model;
        for (const KnownMechanism& each : known)
            if (std::ranges::all_of(terms, [&](const SearchTerm& term) {
                    return !names_model(term) || each.find(term, false).has_value();
                }))
                of_model.push_back(&each);
        for (const SearchTerm& term : terms) {
            const auto says_something = [&](const KnownMechanism* each) {
                return each->find(term, false).has_value();
            };
            const bool has_to_hold = names_model(term) || term.years || is_property(term);
            const bool is_kept = has_to_hold || std::ranges::any_of(of_model, says_something);
            (is_kept ? kept : left_out).push_back(term);
        }
    }

    static bool is_property(const SearchTerm& term) {
        return term.is_negated ||
               std::ranges::any_of(searched_properties(),
                                   [&](const SearchedProperty& each) { return is_meant(each, term.text); });
    }

    std::vector<SearchTerm> kept, left_out;
};

/// What a model has, without the words that say nothing of it; nothing where no model is named.
std::vector<FoundMechanism> found_in_model(std::string_view query, std::span<const SearchTerm> terms,
                                           std::span<const KnownMechanism> known) {
    std::vector<FoundMechanism> found;
    if (std::ranges::none_of(terms, names_model))
        return found;
    const PartsOfModel parts(terms, known);
    if (parts.left_out.empty())
        return found;
    for (const KnownMechanism& each : known)
        if (auto result = found_in(each, query, parts.kept, false)) {
            for (const SearchTerm& term : parts.left_out)
                result->why += "; without “" + term.typed + "”";
            found.push_back(std::move(*result));
        }
    return found;
}

}  // namespace

int name_rank(const Mechanism& mechanism, const SearchText& typed) {
    return KnownMechanism(mechanism, {}).rank_of_name(typed);
}

std::vector<FoundMechanism> find_mechanisms(std::string_view query, std::span<const Mechanism* const> among,
                                            const IsLinear& is_linear, bool is_found_elsewhere) {
    const std::vector<SearchTerm> terms = search_terms(query);
    if (terms.empty() && !is_blank(query))
        return {};
    std::vector<KnownMechanism> known;
    known.reserve(among.size());
    for (const Mechanism* each : among)
        known.emplace_back(*each, is_linear);
    std::vector<FoundMechanism> all;
    for (const bool nearly : {false, true}) {
        for (const KnownMechanism& each : known)
            if (auto result = found_in(each, query, terms, nearly))
                all.push_back(std::move(*result));
        if (!all.empty() || is_found_elsewhere)
            break;
    }
    if (all.empty() && !is_found_elsewhere)
        all = found_in_model(query, terms, known);
    if (!terms.empty())
        std::ranges::stable_sort(all, {}, [](const FoundMechanism& each) {
            return std::tuple(each.by_name, each.by_terms, each.by_rarity);
        });
    return all;
}

std::vector<FoundMechanism> find_mechanisms(std::string_view query, const IsLinear& is_linear) {
    std::vector<const Mechanism*> among;
    for (const Mechanism& each : mechanisms())
        among.push_back(&each);
    return find_mechanisms(query, among, is_linear);
}

}  // namespace headlight
