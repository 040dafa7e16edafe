#include "core/catalog/mechanism.h"

#include "core/catalog/bibtex.h"
#include "core/catalog/declarations.h"
#include "core/catalog/publications.h"
#include "core/catalog/search.h"
#include "core/tensor/error.h"
#include "core/tensor/number_text.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

namespace headlight {
namespace {

using Kind = MechanismParameter::Kind;

bool in_range(const MechanismParameter& parameter, double value) {
    return value >= parameter.minimum && value <= parameter.maximum;  // false for NaN
}

bool accepts(const MechanismParameter& parameter, const ParameterValue& value) {
    switch (parameter.kind) {
    case Kind::boolean:
        return std::holds_alternative<bool>(value);
    case Kind::integer: {
        const Index* count = std::get_if<Index>(&value);
        return count && in_range(parameter, static_cast<double>(*count));
    }
    case Kind::real: {
        const double* number = std::get_if<double>(&value);
        return number && in_range(parameter, *number);
    }
    case Kind::choice: {
        const std::string* word = std::get_if<std::string>(&value);
        return word && std::ranges::find(parameter.choices, *word) != parameter.choices.end();
    }
    }
    return false;
}

/// A whole number is a number: files and people write 1 where 1.0 is meant.
ParameterValue in_kind(const MechanismParameter& parameter, const ParameterValue& value) {
    const Index* count = std::get_if<Index>(&value);
    if (parameter.kind == Kind::real && count)
        return static_cast<double>(*count);
    return value;
}

/// `got` is the text that was typed, or the value of the wrong kind as text.
Error refusal(const std::string& where, const MechanismParameter& parameter, const std::string& got) {
    const bool is_choice = parameter.kind == Kind::choice;
    return Error({.what = "set " + parameter.name,
                  .where = where,
                  .expected = accepted_values(parameter),
                  .got = is_choice ? quoted_with_hint(got, parameter.choices) : excerpt(got)});
}

/// The year of its first version, where that is known to be an earlier one, and the month.
void set_first_version(Paper& paper) {
    const Publication* known = publication_of(paper);
    if (!known || known->year != paper.year)
        return;
    paper.first_year = known->first_year;
    paper.first_month = first_month(*known);
}

/// `formula` with its @NAME as \class{stage-NAME}.
std::string with_stage_classes(std::string_view formula) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789_";
    std::string text;
    for (std::size_t at = formula.find('@'); at != formula.npos; at = formula.find('@')) {
        const std::size_t end = std::min(formula.find_first_not_of(letters, at + 1), formula.size());
        text.append(formula.substr(0, at)).append("\\class{stage-");
        text.append(formula.substr(at + 1, end - at - 1)).append("}");
        formula.remove_prefix(end);
    }
    return text.append(formula);
}

Mechanism declared(const Declaration<Mechanism>& declaration) {
    Mechanism mechanism = declaration.declare();
    mechanism.id = declaration.id;
    mechanism.formula = with_stage_classes(mechanism.formula);
    for (Paper& paper : mechanism.papers)
        set_first_version(paper);
    return mechanism;
}

std::atomic<bool> all_are_declared = false;

std::vector<Mechanism> declared_in_teaching_order() {
    std::vector<Mechanism> all;
    all.reserve(mechanism_declarations().size());
    for (const Declaration<Mechanism>& each : mechanism_declarations())
        all.push_back(declared(each));
    std::ranges::sort(all, {}, [](const Mechanism& m) { return std::pair(m.order, m.id); });
    return all;
}

/// Declared without the others: the window's first picture and a command need one of three hundred.
const Mechanism* find_alone(std::string_view id) {
    const auto found = std::ranges::find(mechanism_declarations(), id, &Declaration<Mechanism>::id);
    if (found == mechanism_declarations().end())
        return nullptr;
    static std::mutex mutex;
    static std::map<std::string_view, const Mechanism> alone;
    const std::lock_guard lock(mutex);
    if (const auto known = alone.find(id); known != alone.end())
        return &known->second;
    return &alone.emplace(found->id, declared(*found)).first->second;
}

}  // namespace

std::string to_string(const ParameterValue& value) {
    if (const bool* flag = std::get_if<bool>(&value))
        return *flag ? "true" : "false";
    if (const Index* count = std::get_if<Index>(&value))
        return std::to_string(*count);
    if (const double* number = std::get_if<double>(&value))
        return number_text(*number);
    return std::get<std::string>(value);
}

Paper paper_of(const std::string& authors, const Publication& publication, const std::string& note) {
    return {.citation =
                authors + ", " + std::string(publication.title) + (note.empty() ? "" : " (" + note + ')'),
            .year = publication.year,
            .publication = publication};
}

const Publication* publication_of(const Paper& paper) {
    return paper.publication ? &*paper.publication : find_publication(cited_work(paper.citation).title);
}

std::string to_string(std::span<const Paper> papers) {
    std::string text;
    for (const Paper& paper : papers)
        text += (text.empty() ? "" : "; ") + paper.citation + ", " + std::to_string(paper.year) +
                (paper.first_year > 0 ? " (preprint " + std::to_string(paper.first_year) + ')' : "");
    return text;
}

std::string accepted_values(const MechanismParameter& parameter) {
    const std::string range = number_text(parameter.minimum) + " to " + number_text(parameter.maximum);
    switch (parameter.kind) {
    case Kind::boolean:
        return "true or false";
    case Kind::integer:
        return "a whole number from " + range;
    case Kind::real:
        return "a number from " + range;
    case Kind::choice:
        return list_of(parameter.choices);
    }
    return {};
}

std::span<const Mechanism> mechanisms() {
    static const std::vector<Mechanism> all = declared_in_teaching_order();
    all_are_declared = true;
    return all;
}

const Mechanism* find_mechanism(std::string_view id) {
    if (!all_are_declared)
        return find_alone(id);
    const auto found = std::ranges::find(mechanisms(), id, &Mechanism::id);
    return found == mechanisms().end() ? nullptr : &*found;
}

bool is_same(const Mechanism* one, const Mechanism* other) {
    return one && other ? one->id == other->id : one == other;
}

const Mechanism& mechanism(std::string_view id) {
    if (const Mechanism* found = find_mechanism(id))
        return *found;
    const auto [expected, got] = unknown_mechanism(std::string(id));
    throw Error({.what = "find mechanism", .where = {}, .expected = expected, .got = got});
}

namespace {

/// The ids of those that the text names, by another of their names too, "sdpa", the best first.
std::vector<std::string> ids_of_named(const std::string& typed) {
    constexpr int inside_word = 6;
    constexpr std::size_t longest_name = 100;
    if (typed.empty() || typed.size() > longest_name)
        return {};
    std::vector<std::tuple<int, std::size_t, std::string>> ranked;
    for (const Mechanism& each : mechanisms())
        if (const int rank = name_rank(each, SearchText(typed)); rank < inside_word)
            ranked.emplace_back(rank, each.id.size(), each.id);
    std::ranges::sort(ranked);
    std::vector<std::string> ids;
    for (auto& [rank, length, id] : ranked)
        ids.push_back(std::move(id));
    return ids;
}

/// Whether an id is what was meant although a name begins with what was typed: by a slip of one letter, or
/// not typed to its end. "causall" is no way to begin "causal local attention".
bool is_meant_before_names(const std::string& id, const std::string& typed) {
    return !id.empty() && !typed.empty() && (id.starts_with(typed) || letters_apart(id, typed) == 1);
}

/// Whether the text is a whole name of the mechanism.
bool is_named(std::string_view id, const std::string& typed) {
    const int rank = name_rank(mechanism(id), SearchText(typed));
    return rank == SearchText::all || rank == SearchText::in_word + SearchText::all;
}

}  // namespace

const Mechanism* find_mechanism_called(std::string_view name) {
    const SearchText typed(name);
    for (const int rank : {int(SearchText::all), SearchText::in_word + SearchText::all}) {
        std::vector<const Mechanism*> called;
        for (const Mechanism& each : mechanisms())
            if (name_rank(each, typed) == rank)
                called.push_back(&each);
        if (!called.empty())
            return called.size() == 1 ? called.front() : nullptr;
    }
    return nullptr;
}

UnknownMechanism unknown_mechanism(const std::string& typed) {
    constexpr std::size_t most = 4;
    std::vector<std::string> ids, likely = ids_of_named(typed);
    for (const Mechanism& each : mechanisms())
        ids.push_back(each.id);
    const std::string near = nearest(typed, ids);
    if (is_meant_before_names(near, typed) && (likely.empty() || !is_named(likely.front(), typed))) {
        std::erase(likely, near);
        likely.insert(likely.begin(), near);
    }
    likely.resize(std::min(likely.size(), most));
    const std::string got = '"' + excerpt(typed) + '"' + did_you_mean(likely.empty() ? near : likely.front());
    if (!near.empty() && likely.size() < most && std::ranges::find(likely, near) == likely.end())
        likely.push_back(near);
    for (const std::string& id : ids)
        if (!typed.empty() && id.find(typed) != std::string::npos && likely.size() < most &&
            std::ranges::find(likely, id) == likely.end())
            likely.push_back(id);
    std::string expected;
    for (const std::string& id : likely)
        (((expected += expected.empty() ? "" : ", ") += '"') += id) += '"';
    expected += expected.empty() ? "a" : " or another";
    expected += " name that \"headlight list\" has";
    return {expected, got};
}

AttentionSpec build_spec(const Mechanism& mechanism, const ParameterValues& values) {
    ParameterValues complete;
    for (const MechanismParameter& parameter : mechanism.parameters)
        complete[parameter.name] = parameter.standard;
    for (const auto& [name, given] : values) {
        const auto parameter = std::ranges::find(mechanism.parameters, name, &MechanismParameter::name);
        if (parameter == mechanism.parameters.end()) {
            std::vector<std::string> names;
            for (const MechanismParameter& each : mechanism.parameters)
                names.push_back(each.name);
            throw Error({.what = "set parameter",
                         .where = mechanism.id,
                         .expected = names.empty() ? "no parameter" : list_of(names),
                         .got = quoted_with_hint(name, names)});
        }
        const ParameterValue value = in_kind(*parameter, given);
        if (!accepts(*parameter, value))
            throw refusal(mechanism.id, *parameter, to_string(given));
        complete[name] = value;
    }
    return mechanism.build(complete);
}

ParameterValue parse_value(const MechanismParameter& parameter, const std::string& text) {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const auto read_all = [&](auto& number) {
        const auto [stop, status] = std::from_chars(begin, end, number);
        return status == std::errc() && stop == end;
    };
    ParameterValue value;
    bool read = true;
    switch (parameter.kind) {
    case Kind::boolean:
        value = text == "true";
        read = text == "true" || text == "false";
        break;
    case Kind::integer:
        read = read_all(value.emplace<Index>());
        break;
    case Kind::real:
        read = read_all(value.emplace<double>());
        break;
    case Kind::choice:
        value = text;
        break;
    }
    if (!read || !accepts(parameter, value))
        throw refusal({}, parameter, text);
    return value;
}

}  // namespace headlight
