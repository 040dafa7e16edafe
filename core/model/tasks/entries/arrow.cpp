#include "core/model/tasks/alphabet.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace headlight {
namespace {

constexpr Index picture_side = 6;  ///< patches
constexpr Index fewest_distractors = 3, most_distractors = 7;
constexpr const char* no_thing = ".";

struct ThingOfPicture {
    const char *drawn, *called;
};
constexpr std::array<ThingOfPicture, 4> picture_things{
    {{"c", "circle"}, {"s", "square"}, {"t", "triangle"}, {"x", "cross"}}};

/// A step of an arrow, in rows and columns.
struct ArrowOfPicture {
    const char* drawn;
    Index down, across;
};
constexpr std::array<ArrowOfPicture, 4> picture_arrows{
    {{"^", -1, 0}, {">", 0, 1}, {"v", 1, 0}, {"<", 0, -1}}};

/// The patches before the point of an arrow, the nearest one first.
std::vector<Index> patches_before(Index patch, const ArrowOfPicture& arrow) {
    std::vector<Index> before;
    const auto is_inside = [](Index place) { return place >= 0 && place < picture_side; };
    Index row = patch / picture_side + arrow.down, column = patch % picture_side + arrow.across;
    for (; is_inside(row) && is_inside(column); row += arrow.down, column += arrow.across)
        before.push_back(row * picture_side + column);
    return before;
}

/// Things of all kinds lie where the arrow does not point, so that none gives the answer away by being there.
Example make_arrow(Random& random) {
    constexpr Index patches = picture_side * picture_side;
    const ArrowOfPicture& arrow = random.one_of(picture_arrows);
    Index place = random.below(patches);
    while (patches_before(place, arrow).empty())
        place = random.below(patches);
    const std::vector<Index> before = patches_before(place, arrow);
    std::vector<ThingOfPicture> things(picture_things.begin(), picture_things.end());
    random.draw_first(things, std::ssize(things));
    Example example;
    example.source.assign(static_cast<std::size_t>(patches), no_thing);
    const auto draw = [&](Index patch, const char* drawn) {
        example.source[static_cast<std::size_t>(patch)] = drawn;
    };
    draw(place, arrow.drawn);
    draw(random.one_of(before), things.front().drawn);
    example.target = {things.front().called};
    std::vector<Index> free;
    for (Index patch = 0; patch < patches; ++patch)
        if (patch != place && std::ranges::find(before, patch) == before.end())
            free.push_back(patch);
    const Index distractors = random.between(fewest_distractors, most_distractors);
    random.draw_first(free, distractors);
    for (Index i = 0; i < distractors; ++i) {
        // One of each other kind, then any.
        const bool is_of_others = i + 1 < std::ssize(things);
        draw(free[static_cast<std::size_t>(i)],
             is_of_others ? things[static_cast<std::size_t>(i + 1)].drawn : random.one_of(things).drawn);
    }
    return example;
}

/// An arrow to the right, which the others are turned from.
bool is_arrow_inked(double across, double down) {
    const bool is_shaft = across >= 0.125 && across <= 0.5 && std::abs(down - 0.5) <= 0.09375;
    const bool is_head = across >= 0.5 && across <= 0.875 && std::abs(down - 0.5) <= 0.875 - across;
    return is_shaft || is_head;
}

bool is_picture_inked(std::string_view token, double across, double down) {
    const double x = across - 0.5, y = down - 0.5;  // from the middle
    const double farther = std::max(std::abs(x), std::abs(y));
    if (token == "c")
        return x * x + y * y <= 0.140625;
    if (token == "s")
        return farther <= 0.3125;
    if (token == "t")
        return down >= 0.125 && down <= 0.8125 && 1.75 * std::abs(x) <= down - 0.125;
    if (token == "x")
        return farther <= 0.375 && std::min(std::abs(x - y), std::abs(x + y)) <= 0.15625;
    if (token == ">")
        return is_arrow_inked(across, down);
    if (token == "<")
        return is_arrow_inked(1 - across, down);
    if (token == "v")
        return is_arrow_inked(down, across);
    return token == "^" && is_arrow_inked(1 - down, across);
}

}  // namespace

Task declare_task_arrow() {
    Task task;
    task.id = "arrow";
    task.name = "What the arrow points at";
    task.order = 895;
    task.meaning =
        "Say what the arrow points at: a circle, a square, a triangle or a cross. The source is a picture of "
        "six by six patches, which the model is given as pixels, 64 of each patch. One arrow lies anywhere, "
        "and somewhere before its point one thing, near or far; three to seven others, among them one of "
        "each other kind, lie beside and behind. Sources are written patch by patch, row by row, with c, s, "
        "t and x for things, ^ > v and < for the arrow, and a full stop where there is nothing.";
    task.what_to_see =
        "Where the label is asked for there is one row over all patches: on the picture it lights up the "
        "thing that the arrow points at, and no other one of its kind. Layers before have told that thing "
        "of the arrow: patches look at it, from wherever they lie. Turn the arrow, and the light jumps.";
    task.kind = TaskKind::classification;
    task.target_writing = Writing::english;
    task.source_vocabulary = {no_thing};
    for (const ArrowOfPicture& arrow : picture_arrows)
        task.source_vocabulary.emplace_back(arrow.drawn);
    for (const ThingOfPicture& thing : picture_things) {
        task.source_vocabulary.emplace_back(thing.drawn);
        task.target_vocabulary.emplace_back(thing.called);
    }
    task.longest_source = picture_side * picture_side;
    task.longest_target = 1;
    // Two crosses: one behind the arrow, one far before its point.
    task.shown = Example{.source = characters_of("...t.."
                                                 ".c...."
                                                 "x>...x"
                                                 "....s."
                                                 "c....."
                                                 "..t..."),
                         .target = {"cross"}};
    task.sight = {.grid = {picture_side, picture_side}, .is_inked = is_picture_inked};
    task.make = make_arrow;
    return task;
}

}  // namespace headlight
