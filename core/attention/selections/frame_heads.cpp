#include "core/attention/component.h"
#include "core/attention/selected_keys.h"
#include "core/attention/selections/kept_pairs.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <variant>

namespace headlight {
namespace {

/// Tokens of a video, frame by frame.
struct VideoFrames {
    Index size, reach;

    /// In one frame or near ones; the first is seen by all.
    bool are_in_space(Index query, Index key) const {
        return std::abs(query / size - key / size) <= reach || key < size;
    }
    /// In one place of all frames.
    bool are_in_time(Index query, Index key) const { return query % size == key % size || key < size; }
};

/// Which queries are tried, spread over the text.
std::vector<Index> tried_queries(const Composer& composer) {
    const Index n = composer.plan.queries, count = std::min(selection_count(composer, "samples"), n);
    std::vector<Index> queries;
    for (Index sample = 0; sample < count; ++sample)
        queries.push_back(sample * n / count);
    return queries;
}

/// Each head sees what lies near in its frame, or its place in all frames: of the two what changes the
/// outputs of some queries less (Xi et al. 2025).
std::optional<Expression> define_frame_heads(Composer& composer, const Expression& scores) {
    const Plan& plan = composer.plan;
    const VideoFrames frames{selection_count(composer, "frame"), selection_count(composer, "reach")};
    const std::vector<Index> tried = tried_queries(composer);
    const auto mask_of = [&](const char* name, const char* note, bool of_space) {
        return composer.truth_of_places(name, {0, plan.queries, plan.keys}, note, [=](Place at) {
            return of_space ? frames.are_in_space(at.row, at.column) : frames.are_in_time(at.row, at.column);
        });
    };
    const Expression in_space = mask_of("in_space", "pairs of one frame or of near ones", true),
                     in_time = mask_of("in_time", "pairs of one place in all frames", false);
    const Expression open =
        composer.let("tried_scores", some_rows(open_over_temperature(composer, scores), tried),
                     "of the queries that are tried");
    const std::vector<std::uint8_t> real = real_keys(plan);
    Expression values = composer.value;
    if (std::ranges::find(real, 0) != real.end())
        values = choose(
            composer.truth("is_tried_key", {0, plan.keys, 1}, "keys that are no padding",
                           [real](Index row, Index) { return real[static_cast<std::size_t>(row)] != 0; }),
            values, 0);
    const Expression largest = not_zero(maximum_of_rows(largest_amount(values)));
    values = composer.let("tried_values", values / largest, "over the largest number");
    const auto output_by = [&](const std::string& name, const Expression& of_tried) {
        return composer.let(name + "_output",
                            product(softmax_of(composer, name + "_looks", of_tried), values));
    };
    const Expression whole = output_by("whole", open);
    const auto error_of = [&](const std::string& name, const Expression& mask) {
        const Expression difference =
            composer.let(name + "_difference",
                         output_by(name, choose(some_rows(mask, tried), open, minus_infinity())) - whole);
        return composer.let(name + "_error", sum_of_rows(sum_of_columns(difference * difference)),
                            "squares of what it changes, summed");
    };
    const Expression space = error_of("space", in_space), time = error_of("time", in_time);
    const Expression kept =
        composer.let("frame_pairs", choose(is_at_least(time, space), as_number(in_space), as_number(in_time)),
                     "the pairs of the better mask of the head");
    return and_allowed(composer, is_above(kept, 0.5));
}

}  // namespace

SelectionComponent declare_selections_frame_heads() {
    SelectionComponent component;
    component.meaning =
        "each head’s better one of two masks of a video, keys of frames at most reach away or keys of the "
        "own place in all frames, both with the first frame: that whose outputs for some queries are nearer "
        "to those of all keys (Sparse VideoGen, Xi et al. 2025); a softmax says so, whatever normaliser "
        "follows";
    component.options = {count_option("frame", "Tokens of a frame", 3, token_counts,
                                      "How many tokens in a row are one frame of the video."),
                         count_option("reach", "Frames to a side", 0, {0, 4096},
                                      "How many frames before and after its own a head of space sees.",
                                      "its own"),
                         count_option("samples", "Queries that are tried", 3, logarithmic_range(1, 4096),
                                      "For how many queries, spread over the text, both masks are compared "
                                      "with all keys; the paper tries 64, drawn at random.")};
    component.orders_scores = true;
    component.check = [](const Plan& plan) {
        const auto& rule = plan.spec.mask.rule;
        if (!std::holds_alternative<NoMask>(rule) && !std::holds_alternative<PaddingMask>(rule))
            throw Error({"frame_heads selection", "mask",
                         "none or padding: a head has its mask from what queries see of all keys",
                         "another"});
    };
    component.couples_queries = always;
    component.declared_stages = {
        made_stage("frame_pairs", "The better mask", {"of space or of time, head by head"},
                   {.lights = "weights", .role = StageRole::weights, .is_share = true})};
    component.define = define_frame_heads;
    return component;
}

}  // namespace headlight
