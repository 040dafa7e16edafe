#include "core/model/tasks/alphabet.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {
namespace {

constexpr Index race_lanes = 6, race_length = 6;  ///< patches
constexpr const char* empty_patch = ".";

struct Runner {
    const char *drawn, *called;
};
constexpr std::array<Runner, 4> runners{
    {{"c", "circle"}, {"s", "square"}, {"t", "triangle"}, {"x", "cross"}}};

/// One in each lane, of any kinds: which kinds there are, and how many of each, gives nothing away.
Example make_race(Random& random) {
    const Index lane_ahead = random.below(race_lanes), farthest = random.between(1, race_length - 1);
    Example example;
    example.source.assign(static_cast<std::size_t>(race_lanes * race_length), empty_patch);
    for (Index lane = 0; lane < race_lanes; ++lane) {
        const Runner& runner = random.one_of(runners);
        const Index place = lane == lane_ahead ? farthest : random.below(farthest);
        example.source[static_cast<std::size_t>(lane * race_length + place)] = runner.drawn;
        if (lane == lane_ahead)
            example.target = {runner.called};
    }
    return example;
}

bool is_runner_inked(std::string_view token, double across, double down) {
    const double x = across - 0.5, y = down - 0.5;  // from the middle
    const double farther = std::max(std::abs(x), std::abs(y));
    if (token == "c")
        return x * x + y * y <= 0.140625;
    if (token == "s")
        return farther <= 0.3125;
    if (token == "t")
        return down >= 0.125 && down <= 0.8125 && 1.75 * std::abs(x) <= down - 0.125;
    return token == "x" && farther <= 0.375 && std::min(std::abs(x - y), std::abs(x + y)) <= 0.15625;
}

}  // namespace

Task declare_task_race() {
    Task task;
    task.id = "race";
    task.name = "Who is ahead";
    task.order = 895;
    task.meaning =
        "Say who is farthest to the right: a circle, a square, a triangle or a cross. The source is a "
        "picture "
        "of six lanes with one runner in each, which the model is given as pixels: 64 of each of its six by "
        "six patches, and not where a patch lies. It has to learn that as well: each patch has a learned "
        "place, which begins as noise. Sources are written patch by patch, lane by lane, with c, s, t and x "
        "for runners and a full stop where there is none.";
    task.what_to_see =
        "Where the label is asked for there is one row over all patches. Where each patch is read for itself "
        "(neighbourhoods of one patch), nobody but the class token can tell who is ahead: on the picture it "
        "lights up that runner, in whichever lane. Move another one in front, and the light jumps. Where "
        "layers let patches look about, they tell each other, the answers are as good, and the class token "
        "looks anywhere: what is looked at last need not be what counted.";
    task.kind = TaskKind::classification;
    task.target_writing = Writing::english;
    task.source_vocabulary = {empty_patch};
    for (const Runner& runner : runners) {
        task.source_vocabulary.emplace_back(runner.drawn);
        task.target_vocabulary.emplace_back(runner.called);
    }
    task.longest_source = race_lanes * race_length;
    task.longest_target = 1;
    task.shown = Example{.source = characters_of(".c...."
                                                 "...s.."
                                                 "....t."
                                                 "x....."
                                                 "..c..."
                                                 "...x.."),
                         .target = {"triangle"}};
    task.sight = {.grid = {race_lanes, race_length}, .is_inked = is_runner_inked};
    task.make = make_race;
    return task;
}

}  // namespace headlight
