#include "core/lesson/lesson_numbers.h"

#include "core/figure/stage_chain.h"
#include "core/figure/ticks.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace headlight {
namespace {

constexpr int usual_digits = 2, wide_cell_digits = 4, most_decimals = 12;

[[noreturn]] void refuse(std::string_view words, const std::string& expected, const std::string& got) {
    throw Error({"write a number of a lesson", "{{" + excerpt(std::string(words)) + "}}", expected, got});
}

std::optional<Index> whole_number(std::string_view text) {
    Index number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// "it,animal" in parts; a token that is a comma is written by its number.
std::vector<std::string_view> parts_of(std::string_view list) {
    std::vector<std::string_view> parts;
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        parts.push_back(list.substr(0, comma));
        list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    }
    return parts;
}

/// Where a token stands among those of an axis.
Index place_of(std::string_view token, const std::vector<std::string>& tokens, Index count,
               const char* axis) {
    const std::size_t mark = token.rfind('#');
    const auto which =
        mark == std::string_view::npos || mark == 0 ? std::nullopt : whole_number(token.substr(mark + 1));
    const std::string_view name = which ? token.substr(0, mark) : token;
    Index seen = 0;
    for (std::size_t at = 0; at < tokens.size(); ++at)
        if (tokens[at] == name && ++seen == which.value_or(1))
            return static_cast<Index>(at);
    if (const auto number = whole_number(token); number && *number >= 1 && *number <= count)
        return *number - 1;
    throw Error({"find a token", axis,
                 "one of the run's tokens, or a number from 1 to " + std::to_string(count),
                 excerpt(std::string(token))});
}

/// A word of its own for what is asked most.
std::string stage_of(std::string_view name) {
    return name == "weight" ? "weights" : name == "score" ? "scores" : std::string(name);
}

bool is_given(double weight) { return weight != 0; }

double entropy_in_bits(std::span<const double> weights) {
    double sum = 0, bits = 0;
    for (const double weight : weights)
        sum += std::abs(weight);
    for (const double weight : weights)
        if (weight != 0)
            bits -= std::abs(weight) / sum * std::log2(std::abs(weight) / sum);
    return bits;
}

}  // namespace

std::string told_apart(double number) {
    std::string usual = format_fixed(number, usual_digits);
    if (usual != format_fixed(std::round(number), usual_digits) || std::abs(number) > 1)
        return usual;
    std::string exact = format_fixed(number, wide_cell_digits);
    return exact == format_fixed(std::round(number), wide_cell_digits) ? usual : exact;
}

LessonNumbers::LessonNumbers(const Trace& trace, const Selection& selection, const Transcript* said)
    : trace_(trace), said_(said), site_(find_site(trace, selection.site)) {
    const Stage* weights = trace.find("weights", site_);
    head_ = std::clamp<Index>(selection.head, 0, weights ? weights->heads() - 1 : 0);
}

const Stage& LessonNumbers::stage_named(const std::string& name) const {
    if (const Stage* stage = trace_.find(name, site_))
        return *stage;
    std::string names;
    for (const Stage& stage : trace_.stages())
        if (stage.site == site_)
            names += (names.empty() ? "" : ", ") + stage.name;
    throw Error({"write a number of a lesson", name, names, "no such stage"});
}

Index LessonNumbers::query_at(std::string_view token) const {
    const Stage& weights = stage_named("weights");
    return place_of(token, trace_.tokens_at(site_).query, weights.extent(Axis::query), "query");
}

Index LessonNumbers::key_at(std::string_view token) const {
    const TokenLabels& tokens = trace_.tokens_at(site_);
    const Stage& weights = stage_named("weights");
    return place_of(token, tokens.key.empty() ? tokens.query : tokens.key, weights.extent(Axis::key), "key");
}

std::string LessonNumbers::key_name(Index key) const {
    const TokenLabels& tokens = trace_.tokens_at(site_);
    const auto& names = tokens.key.empty() ? tokens.query : tokens.key;
    const auto at = static_cast<std::size_t>(key);
    return at < names.size() ? names[at] : std::to_string(key + 1);
}

double LessonNumbers::element(const Stage& stage, std::span<const std::string_view> places) const {
    Index offset = 0;
    std::size_t used = 0;
    for (std::size_t axis = 0; axis < stage.axes.size(); ++axis) {
        const Index extent = stage.shape[axis];
        Index at = 0;
        if (stage.axes[axis] == Axis::head) {
            at = head_ * extent / stage_named("weights").heads();
        } else {
            if (used == places.size())
                throw Error({"write a number of a lesson", stage.name, "a place on each axis",
                             std::to_string(places.size()) + " of them"});
            const std::string_view place = places[used++];
            if (stage.axes[axis] == Axis::query) {
                at = query_at(place);
            } else if (stage.axes[axis] == Axis::key) {
                at = key_at(place);
            } else {
                const auto number = whole_number(place);
                if (!number || *number < 1 || *number > extent)
                    throw Error({"write a number of a lesson", stage.name,
                                 "a dimension from 1 to " + std::to_string(extent),
                                 excerpt(std::string(place))});
                at = *number - 1;
            }
        }
        offset = offset * extent + at;
    }
    if (used != places.size())
        throw Error({"write a number of a lesson", stage.name, std::to_string(used) + " places",
                     std::to_string(places.size())});
    return trace_.values(stage)[static_cast<std::size_t>(offset)];
}

std::span<const double> LessonNumbers::row(const std::string& stage, std::string_view query) const {
    const Stage& map = stage_named(stage);
    const auto columns = static_cast<std::size_t>(map.shape.back());
    const auto matrix = trace_.matrix(map, std::min(head_, map.heads() - 1));
    return matrix.subspan(static_cast<std::size_t>(query_at(query)) * columns, columns);
}

double LessonNumbers::column_sum(const std::string& stage, std::string_view key) const {
    const Stage& map = stage_named(stage);
    if (map.axes.size() < 2 || map.axes.back() != Axis::key || map.axes[map.axes.size() - 2] != Axis::query)
        throw Error({"write a number of a lesson", stage, "a stage of queries and keys", "another one"});
    const auto columns = static_cast<std::size_t>(map.shape.back());
    const auto matrix = trace_.matrix(map, std::min(head_, map.heads() - 1));
    double sum = 0;
    for (auto at = static_cast<std::size_t>(key_at(key)); at < matrix.size(); at += columns)
        sum += matrix[at];
    return sum;
}

/// NAME,ROW,COLUMN of a matrix, NAME,N of a vector.
double LessonNumbers::parameter(std::span<const std::string_view> places) const {
    const Tensor* tensor = places.empty() ? nullptr : trace_.parameter_at(site_, std::string(places.front()));
    const auto rank = std::ssize(places) - 1;
    bool is_there = tensor && (rank == 1 || rank == 2) && tensor->rank() == rank;
    Index offset = 0;
    for (Index axis = 0; is_there && axis < rank; ++axis) {
        const Index extent = tensor->shape()[static_cast<std::size_t>(axis)];
        const auto number = whole_number(places[static_cast<std::size_t>(axis) + 1]);
        is_there = number && *number >= 1 && *number <= extent;
        offset = offset * extent + number.value_or(1) - 1;
    }
    if (!is_there)
        throw Error({"write a number of a lesson", "parameter",
                     "a matrix of the run, a row and a column, or a vector and a place", "none"});
    return tensor->values()[static_cast<std::size_t>(offset)];
}

double LessonNumbers::probability(std::string_view step) const {
    const Index at = query_at(step);
    if (!said_ || at >= std::ssize(said_->steps))
        throw Error({"write a number of a lesson", "probability", "a model that says a word there", "none"});
    return said_->steps[static_cast<std::size_t>(at)].probability;
}

double LessonNumbers::number_of(std::string_view words) const {
    const std::size_t colon = words.find(':');
    const std::string name(words.substr(0, colon));
    const auto places =
        parts_of(colon == std::string_view::npos ? std::string_view() : words.substr(colon + 1));
    const auto require_places = [&](std::size_t count) {
        if (places.size() != count)
            refuse(words, std::to_string(count) + " places", std::to_string(places.size()));
    };
    const auto width = [&] { return static_cast<double>(stage_named("query").shape.back()); };
    if (name == "queries" || name == "keys" || name == "heads")
        return static_cast<double>(stage_named("weights").extent(name == "queries" ? Axis::query
                                                                 : name == "keys"  ? Axis::key
                                                                                   : Axis::head));
    if (name == "head")
        return static_cast<double>(head_ + 1);
    if (name == "distance") {
        require_places(2);
        return std::abs(static_cast<double>(query_at(places[0]) - key_at(places[1])));
    }
    if (name == "slope") {
        require_places(2);
        const double weight = element(stage_named("weights"), places);
        return weight * (1 - weight);
    }
    if (name == "width")
        return width();
    if (name == "root")
        return std::sqrt(width());
    if (name == "product") {
        require_places(3);
        const std::string_view of_query[] = {places[0], places[2]}, of_key[] = {places[1], places[2]};
        return element(stage_named("query"), of_query) * element(stage_named("key"), of_key);
    }
    if (name == "sum") {
        require_places(2);
        double sum = 0;
        for (const double number : row(stage_of(places[0]), places[1]))
            sum += number;
        return sum;
    }
    if (name == "column_sum") {
        require_places(2);
        return column_sum(stage_of(places[0]), places[1]);
    }
    if (name == "probability") {
        require_places(1);
        return probability(places[0]);
    }
    if (name == "seen" && places.empty())
        return static_cast<double>(
            std::ranges::count_if(trace_.matrix(stage_named("weights"), head_), is_given));
    if (name == "largest_weight" || name == "entropy" || name == "seen") {
        require_places(1);
        const auto weights = row("weights", places[0]);
        return name == "entropy"          ? entropy_in_bits(weights)
               : name == "largest_weight" ? std::ranges::max(weights)
                                          : static_cast<double>(std::ranges::count_if(weights, is_given));
    }
    if (name == "parameter")
        return parameter(places);
    return element(stage_named(stage_of(name)), places);
}

std::string LessonNumbers::text_of(std::string_view words) const {
    const std::size_t bar = words.rfind('|');
    const auto digits = bar == std::string_view::npos ? usual_digits : whole_number(words.substr(bar + 1));
    if (!digits || *digits < 0 || *digits > most_decimals)
        refuse(words, "digits from 0 to " + std::to_string(most_decimals), "others");
    words = words.substr(0, bar);
    constexpr std::string_view largest = "largest:";
    if (words.starts_with(largest)) {
        const auto weights = row("weights", words.substr(largest.size()));
        return key_name(std::ranges::max_element(weights) - weights.begin());
    }
    const double number = number_of(words);
    const bool is_count =
        bar == std::string_view::npos && number == std::round(number) &&
        (words == "queries" || words == "keys" || words == "heads" || words == "head" || words == "width" ||
         words == "seen" || words.starts_with("seen:") || words.starts_with("distance:"));
    if (std::isfinite(number) && bar == std::string_view::npos && !is_count)
        return told_apart(number);
    return std::isfinite(number) ? format_fixed(number, is_count ? 0 : static_cast<int>(*digits))
           : number < 0 ? "−∞"
           : number > 0          ? "∞"
                                 : "undefined";
}

}  // namespace headlight
