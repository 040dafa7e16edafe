#include "core/model/tasks/alphabet.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace headlight {
namespace {

constexpr Index points_on_line = 4;
constexpr Index farthest_point = 9;  ///< steps from the first place of the line
constexpr double told_beside_tree = 0.25;
constexpr const char* hidden_pair = "_";
constexpr const char* asked_pair = "x";

using PlacesOnLine = std::array<Index, points_on_line>;
using PairOfPoints = std::pair<Index, Index>;

/// "+3" to the right, "-3" to the left.
std::string steps_between(Index from, Index to) { return (to > from ? "+" : "") + std::to_string(to - from); }

/// What a token says; nothing where it says nothing.
std::optional<Index> told_steps(const std::string& token) {
    return token == hidden_pair || token == asked_pair ? std::nullopt
                                                       : std::optional<Index>(std::stoi(token));
}

/// Pairs of different points, one way round, that are told: those of a tree, by which the others follow, and
/// now and then one more. With more of them hardly any answer would take three steps.
std::vector<PairOfPoints> draw_told_pairs(Random& random) {
    std::vector<Index> points;
    for (Index point = 0; point < points_on_line; ++point)
        points.push_back(point);
    random.draw_first(points, points_on_line);
    std::vector<PairOfPoints> told;
    for (Index i = 1; i < points_on_line; ++i) {
        const Index from = points[static_cast<std::size_t>(random.below(i))],
                    to = points[static_cast<std::size_t>(i)];
        told.emplace_back(std::min(from, to), std::max(from, to));
    }
    std::vector<PairOfPoints> others;
    for (Index from = 0; from < points_on_line; ++from)
        for (Index to = from + 1; to < points_on_line; ++to)
            if (std::ranges::find(told, PairOfPoints(from, to)) == told.end())
                others.emplace_back(from, to);
    if (random.chance(told_beside_tree))
        told.push_back(random.one_of(others));
    return told;
}

Example make_distances(Random& random) {
    std::vector<Index> line;
    for (Index place = 0; place <= farthest_point; ++place)
        line.push_back(place);
    random.draw_first(line, points_on_line);
    const std::vector<PairOfPoints> told = draw_told_pairs(random);
    Example example;
    std::vector<Index> hidden;  // tokens
    for (Index from = 0; from < points_on_line; ++from)
        for (Index to = 0; to < points_on_line; ++to) {
            const bool is_told =
                from == to ||
                std::ranges::find(told, PairOfPoints(std::min(from, to), std::max(from, to))) != told.end();
            if (!is_told)
                hidden.push_back(std::ssize(example.source));
            example.source.push_back(is_told ? steps_between(line[static_cast<std::size_t>(from)],
                                                             line[static_cast<std::size_t>(to)])
                                             : hidden_pair);
        }
    const Index asked = random.one_of(hidden);
    example.source[static_cast<std::size_t>(asked)] = asked_pair;
    example.target = {steps_between(line[static_cast<std::size_t>(asked / points_on_line)],
                                    line[static_cast<std::size_t>(asked % points_on_line)])};
    return example;
}

/// Places of the points, the first one's being 0, as far as they follow from what is told.
PlacesOnLine places_told(const Tokens& source) {
    PlacesOnLine places{};
    std::array<bool, points_on_line> is_found{true};
    for (Index round = 1; round < points_on_line; ++round)
        for (std::size_t from = 0; from < points_on_line; ++from)
            for (std::size_t to = 0; to < points_on_line; ++to) {
                const std::optional<Index> steps = told_steps(source[from * points_on_line + to]);
                if (!steps || !is_found[from] || is_found[to])
                    continue;
                places[to] = places[from] + *steps;
                is_found[to] = true;
            }
    return places;
}

/// The source with its points in the order of their places: another numbering of them would give a held-out
/// answer away.
Tokens with_points_in_order(const Example& example) {
    const PlacesOnLine places = places_told(example.source);
    std::array<std::size_t, points_on_line> order{};
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t point) { return places[point]; });
    Tokens source;
    for (const std::size_t from : order)
        for (const std::size_t to : order)
            source.push_back(example.source[from * points_on_line + to]);
    return source;
}

Tokens steps_on_line(bool also_none) {
    Tokens steps;
    for (Index to = -farthest_point; to <= farthest_point; ++to)
        if (to != 0 || also_none)
            steps.push_back(steps_between(0, to));
    return steps;
}

}  // namespace

Task declare_task_distances() {
    Task task;
    task.id = "distances";
    task.name = "Distances on a line";
    task.order = 890;
    task.meaning =
        "Say how far one point of a line stands to the right of another, as +3, or to the left, as -3. The "
        "source has a token for each pair of four points, row by row: how far it is from the first point to "
        "each, then from the second. Some pairs are hidden, _ both ways round, and of one of them x asks. "
        "What is told is enough: the third side of a triangle follows from two, if need be of one that had "
        "to be found first. Which number a point has does not matter.";
    task.what_to_see =
        "A pair looks at those alone that start at the same point, four blocks along the diagonal, and in "
        "the next layer at those that end at the same one, every fourth; which of them is brightest depends "
        "on the third side of their triangle. Where the label is asked for there is one row over all pairs: "
        "it marks told pairs that lead from one point to the other, step by step, and leaves the x itself "
        "nearly dark.";
    task.kind = TaskKind::classification;
    task.source_writing = task.target_writing = Writing::english;
    task.source_vocabulary = steps_on_line(true);
    task.source_vocabulary.insert(task.source_vocabulary.end(), {hidden_pair, asked_pair});
    task.target_vocabulary = steps_on_line(false);
    task.longest_source = points_on_line * points_on_line;
    task.longest_target = 1;
    task.split_by = with_points_in_order;
    // 1 told with 2, 2 with 3, 3 with 4; asked is the way from 1 to 4.
    task.shown = Example{
        .source = {"0", "+5", "_", "x", "-5", "0", "-2", "_", "_", "+2", "0", "+4", "_", "_", "-4", "0"},
        .target = {"+7"}};
    task.points = points_on_line;
    task.make = make_distances;
    return task;
}

}  // namespace headlight
