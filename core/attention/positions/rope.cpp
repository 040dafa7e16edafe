#include "core/attention/refusals.h"
#include "core/attention/rotary.h"
#include "core/attention/turned_pairs.h"
#include "core/tensor/error.h"

#include <numbers>

namespace headlight {
namespace {

Index dimensions(const Plan& plan) {
    const Index given = plan.position().count("dimensions");
    return given > 0 ? given : plan.head_query_width();
}

/// The heads before it know no positions.
Index first_turned_head(const Plan& plan) {
    const Index turned = plan.position().count("turned_heads");
    return turned > 0 ? std::max<Index>(0, plan.heads - turned) : 0;
}

Index longest_of_rope(const Plan& plan) { return std::max(plan.queries, plan.keys); }

/// Every second of the heads that turn asks what the one before it asks, turned by a quarter less.
bool has_quarter_heads(const AttentionSpec& spec) { return spec.position.options.flag("quarter_heads"); }
bool is_quarter_head(Index first_turned, Index head) {
    return head > first_turned && (head - first_turned) % 2 == 1;
}

/// The queries of each head, or of the head before it.
Expression write_paired_queries(Composer& composer, const Expression& queries) {
    const Index first = first_turned_head(composer.plan);
    std::vector<Index> asking;
    for (Index head = 0; head < composer.heads; ++head)
        asking.push_back(is_quarter_head(first, head) ? head - 1 : head);
    return composer.let("paired_query", take_heads(queries, asking), "both heads of a pair have one query");
}

Rotary rotary(const Plan& plan) {
    return scaled_rotary(plan.position(), dimensions(plan), longest_of_rope(plan));
}

void check_rope(const Plan& plan) {
    const Index rotated = dimensions(plan), width = plan.head_query_width();
    require_keys_of_query_width(plan, "rope");
    if (first_turned_head(plan) > 0 && plan.kv_heads != plan.heads)
        throw Error({"rope", "position.turned_heads",
                     "0, all of them: heads that turn and heads that do not share no keys",
                     std::to_string(plan.position().count("turned_heads"))});
    if (rotated > width)
        throw Error({"rope", "position.dimensions",
                     "at most the " + std::to_string(width) + " features of a head",
                     std::to_string(rotated)});
    if (plan.position().word("scaling") == "longrope" && plan.position().count("original_length") < 2)
        throw Error({"rope", "position.original_length", "at least 2, whose logarithm divides", "1"});
}

void add_rope_steps(const Plan& plan, auto& pipeline) {
    const Rotary turns = rotary(plan);
    const auto table = rotation_table(pipeline.operands, turns.frequencies, longest_of_rope(plan),
                                      has_neighbouring_pairs(plan.position()),
                                      [&](Index, Index) { return turns.magnitude; });
    const auto rotate = [table, first = first_turned_head(plan)](auto* vector, Index head, Index token) {
        if (head >= first)
            table.rotate(vector, token);
    };
    pipeline.vectors.push_back({"rotated_query", "rotated_key", rotate, rotate});
    record_angles(plan, pipeline, turns.frequencies);
}

Expression define_rope(Composer& composer, const std::string& name, const Expression& x, bool is_key) {
    const Plan& plan = composer.plan;
    const Rotary turns = rotary(plan);
    PairTurns pairs{turns.frequencies, has_neighbouring_pairs(plan.position())};
    if (turns.magnitude != 1)
        pairs.length = [magnitude = turns.magnitude](Index, Index) { return magnitude; };
    if (const Index first = first_turned_head(plan); first > 0)
        pairs.turns_head = [first](Index head) { return head >= first; };
    if (is_key || composer.heads < 2 || !has_quarter_heads(plan.spec))
        return turned_by(composer, pairs, name, x);
    pairs.ahead = [first = first_turned_head(plan)](Index head) {
        return is_quarter_head(first, head) ? -std::numbers::pi / 2 : 0.0;
    };
    return turned_by(composer, pairs, name, write_paired_queries(composer, x));
}

}  // namespace

PositionComponent declare_positions_rope() {
    PositionComponent component;
    component.meaning =
        "R_i q · R_j k: pairs of features of queries and keys are turned by their place times "
        "base^(−2i/d), so that the score knows i − j alone (Su et al. 2024); the same by a quarter less in "
        "every second head (RoPE++, Liu et al. 2025)";
    component.options = {
        pairs_option(),
        base_option(
            "Pair i turns by base^(−2i/d) from one place to the next: a larger base slows the slow ones."),
        count_option("dimensions", "Rotated features", 0, {0, 4096},
                     "How many features of each head are turned; the others know no position.", "all"),
        count_option("turned_heads", "Rotated heads", 0, {0, 1024},
                     "How many heads are turned, the last ones; the others know no position.", "all"),
        flag_option("quarter_heads", "Heads a quarter behind", false,
                    "Every second of the heads that turn has the query of the head before it, turned by a "
                    "quarter less: its products know the sine of a distance where those of the other know "
                    "the cosine (RoPE++)."),
        number_option("turned_share", "Share that turns", 1.0, {0, 1},
                      "The share p of the pairs that turn, the fastest ones; the slowest stay as they are "
                      "(p-RoPE). The speeds are those of the whole range."),
        word_option("scaling", "Stretched by",
                    {"none", "linear", "ntk", "dynamic_ntk", "yarn", "llama3", "longrope"},
                    "How angles are made smaller for texts longer than those of the training."),
        {.name = "factor",
         .label = "Stretch factor",
         .standard = 8.0,
         .minimum = 1,
         .maximum = 1024,
         .logarithmic = true,
         .help = "How many times longer the text may get; 1 changes nothing. Without scaling it is not read.",
         .read_with = {"scaling", {"linear", "ntk", "dynamic_ntk", "yarn", "llama3", "longrope"}}},
        {.name = "original_length",
         .label = "Original length",
         .standard = Index(2048),
         .minimum = 1,
         .maximum = 1048576,
         .logarithmic = true,
         .help = "The length L of the training texts, for dynamic_ntk, yarn, llama3 and longrope.",
         .read_with = {"scaling", {"dynamic_ntk", "yarn", "llama3", "longrope"}}},
        {.name = "yarn_ramp",
         .label = "YaRN’s ramp",
         .standard = std::string("pairs"),
         .choices = {"pairs", "turns"},
         .help = "What the ramp between 32 turns and 1 runs over: the numbers of the pairs, as in the "
                 "released code, or their turns, as in the paper. Where no pair lies between the two, those "
                 "up to the first keep their speed and the others slow down at once.",
         .read_with = {"scaling", {"yarn"}}},
        {.name = "pair_factors",
         .label = "Factors of the pairs",
         .standard = std::vector<Index>{100, 125, 150, 200, 300, 400, 600, 800},
         .minimum = 100,
         .maximum = 102400,
         .help = "Of longrope: what the speed of each pair is divided by, in hundredths (150 is 1.5), as a "
                 "search has found them; pairs beyond have the last. Cosines and sines are multiplied by "
                 "√(1 + ln s / ln L), s the stretch factor.",
         .read_with = {"scaling", {"longrope"}}},
    };
    component.check = check_rope;
    component.paired = {
        {.why = "features are turned in pairs",
         .count = dimensions,
         .way_out = "turn fewer, or change the dimension of the vectors or the number of heads"}};
    component.stages = [](const Plan& plan, StageList& list) {
        list.add_rows("angles", Axis::query, dimensions(plan) / 2);
        add_rotated_stages(plan, list);
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return StepMemory{.kept = (elements(longest_of_rope(plan), dimensions(plan)) + turned_vectors(plan)) *
                                  needs.real};
    };
    component.turns_vectors = true;
    component.passes_to_definition = has_quarter_heads;
    component.declared_stages = {
        {"angles", "Angles of the pairs"}, declared_rotated_query(), declared_rotated_key()};
    component.steps = [](const Plan& plan, auto& pipeline) { add_rope_steps(plan, pipeline); };
    component.define_turn = define_rope;
    component.explain = explain_angles;
    return component;
}

}  // namespace headlight
