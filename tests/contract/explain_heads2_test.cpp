// Every cell of every stage of every mechanism of the catalogue can be explained, ends at its own number, and
// what is shown to be calculated is true.

#include "core/catalog/mechanism.h"
#include "core/figure/build_figure.h"
#include "core/figure/words.h"
#include "tests/support/attention_runs.h"
#include "tests/support/catalogue_plans.h"
#include "tests/support/explained_cells.h"
#include "tests/support/long_tests.h"

namespace headlight::explain_heads2_test {

using namespace test;

namespace {

/// Four tokens of width 8; a second sequence of five where the mechanism takes one. Heads to tell apart.
Recorded run_of(const Mechanism& mechanism, ParameterValues values, double size = 1) {
    for (const MechanismParameter& parameter : mechanism.parameters)
        if (parameter.name == "heads")
            values.try_emplace("heads", Index(4));
    const AttentionSpec spec = build_spec(mechanism, values);
    RandomEngine random(17);
    Inputs inputs;
    inputs.query = random_tensor({4, 8}, random);
    if (spec.source.type == SourceType::cross) {
        inputs.key = random_tensor({5, 8}, random);
        inputs.value = random_tensor({5, 8}, random);
    }
    for (double& number : inputs.query.values())
        number *= size;
    Recorded run{planned(spec, inputs), {}};
    run.trace = record(run.plan);
    return run;
}

/// The defaults, and each switch and choice turned on its own.
std::vector<ParameterValues> settings(const Mechanism& mechanism) {
    std::vector<ParameterValues> list{{}};
    for (const MechanismParameter& parameter : mechanism.parameters) {
        if (parameter.kind == MechanismParameter::Kind::boolean)
            list.push_back({{parameter.name, !std::get<bool>(parameter.standard)}});
        for (const std::string& choice : parameter.choices)
            list.push_back({{parameter.name, choice}});
    }
    return list;
}

class EveryMechanismExplained : public testing::TestWithParam<std::string> {};

/// The short form takes every second of the switches and choices, others of each mechanism that has them.
TEST_P(EveryMechanismExplained, CellByCell) {
    const Mechanism& mechanism = headlight::mechanism(GetParam());
    const std::vector<ParameterValues> all_values = settings(mechanism);
    for (std::size_t turned = 0; turned < all_values.size(); ++turned) {
        if (turned != 0 && !has_turn(turned + number_of(mechanism), 2))
            continue;
        const ParameterValues& values = all_values[turned];
        std::string text;
        for (const auto& [name, value] : values)
            text += name + " = " + to_string(value) + " ";
        SCOPED_TRACE(text);
        explain_every_cell(run_of(mechanism, values));
        if (HasFatalFailure())
            return;
    }
}

// Large tokens leave softmaxes that are next to 0 and 1, small ones scores that are nearly the same, and with
// zeros everything is 0. In the short form a mechanism has one of these.
TEST_P(EveryMechanismExplained, WithExtremeNumbers) {
    const Mechanism& mechanism = headlight::mechanism(GetParam());
    std::size_t turn = number_of(mechanism);
    for (const double size : {25.0, 1e-4, 0.0}) {
        if (!has_turn(turn++, 3))
            continue;
        SCOPED_TRACE(size);
        explain_every_cell(run_of(mechanism, {}, size));
        if (HasFatalFailure())
            return;
    }
}

TEST_P(EveryMechanismExplained, InPicturesOfEveryStageAndHead) {
    const Recorded run = run_of(headlight::mechanism(GetParam()), {});
    for (const Stage& stage : run.trace.stages()) {
        EXPECT_NE(stage_title(stage.name), stage.name) << "no title for " << stage.name;
        for (Index head = 0; head < run.plan->heads; ++head)
            for (const ViewKind view :
                 {ViewKind::heatmap, ViewKind::grid, ViewKind::steps, ViewKind::lines, ViewKind::stages}) {
                ViewSettings view_settings;
                view_settings.view = view;
                view_settings.selection.stage = stage.name;
                view_settings.selection.head = head;
                const Figure figure = build_figure(run.trace, view_settings);
                EXPECT_FALSE(figure.panels.empty()) << stage.name;
                for (const Panel& panel : figure.panels)
                    EXPECT_EQ(std::ssize(panel.values), panel.rows * panel.columns) << panel.stage;
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryMechanismExplained, testing::ValuesIn(every_mechanism()),
                         [](const auto& row) { return row.param; });

/// What heads can have beside the catalogue's entries; memories are in explain_memories_test.cpp.
constexpr const char* specs_of_heads[] = {
    R"({"projections": {"type": "learned", "bias": true}, "position": {"type": "sinusoidal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2, "gate": "elementwise"},
              "mask": {"type": "causal"}})",
    R"({"projections": {"type": "learned"}, "score": {"type": "scaled_dot", "vector_norm": "layer", "softcap": 2},
              "heads": {"type": "multi_query", "heads": 2, "gate": "headwise", "sharing": "key_value"}})",
    R"({"projections": {"type": "learned"}, "score": {"type": "dot", "vector_norm": "rms"},
              "heads": {"type": "talking", "heads": 2, "sharing": "query_key"}, "mask": {"type": "causal"},
              "position": {"type": "alibi"}})",
    R"({"score": {"type": "dot", "vector_norm": "l2"}, "selection": {"type": "top_k", "k": 2},
              "mask": {"type": "causal"}})",
    R"({"projections": {"type": "learned"}, "score": {"type": "additive", "attention_dimension": 3},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 1}, "mask_order": "before_scale",
              "mask": {"type": "causal"}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "grid_rope", "columns": 2},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "fope", "slow": "still"},
              "heads": {"type": "multi", "heads": 2}, "mask": {"type": "causal"}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope", "second": "alibi"},
              "heads": {"type": "multi", "heads": 2}, "mask": {"type": "causal"}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "pope"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "wall"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "tupe", "first": false},
              "heads": {"type": "multi_query", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "position": {"type": "page", "lefts": [0, 90, 10, 500], "bottoms": [5, 5, 60, 61]}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "page", "scaled": true}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "decomposed", "columns": 2},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rotary_values"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2, "gate": "elementwise"}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rotary_values", "products": false},
              "heads": {"type": "multi_query", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "self_extend", "window": 2},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "dual_chunk", "chunk": 1, "window": 2},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "score": {"vector_norm": "l2"},
              "position": {"type": "temperature_tuning", "length": 2},
              "heads": {"type": "multi_query", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "convolutional", "columns": 2},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2, "gate": "headwise"}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "complex_order", "base": 50},
              "heads": {"type": "multi", "heads": 2}})",
    R"({"position": {"type": "learned", "segments": [2, 1]}, "normalizer": {"type": "constrained"}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "outer_product", "columns": 2, "width": 2},
              "heads": {"type": "multi", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "position": {"type": "invariant_points", "points": 1, "value_points": 1},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "graphormer", "edges": [0, 3]},
              "heads": {"type": "multi_query", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "dynamic_bias", "columns": 2, "norm": true},
              "heads": {"type": "multi_query", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"}, "algorithm": {"type": "online_softmax"},
              "heads": {"type": "grouped_query", "heads": 2, "kv_heads": 1}})",
    R"({"projections": {"type": "learned", "bias": true, "dimension": 4}, "position": {"type": "sinusoidal"},
              "score": {"type": "mlp"}, "heads": {"type": "multi", "heads": 2, "gate": "elementwise"},
              "algorithm": {"type": "non_local", "gamma": -0.5}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "parallax"}})",
    R"({"position": {"type": "sinusoidal"}, "score": {"type": "additive"},
              "selection": {"type": "top_k", "k": 3}, "algorithm": {"type": "parallax", "strength": -2}})",
    R"({"selection": {"type": "top_k", "k": 2}, "mask": {"type": "causal"}, "position": {"type": "alibi"},
              "normalizer": {"type": "sparsemax"}, "algorithm": {"type": "non_local", "residual": false}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "sinusoidal"},
              "algorithm": {"type": "hstu", "length": 7},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2, "gate": "headwise"}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "alibi"},
              "mask": {"type": "causal"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "shaped"}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"}, "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "shaped", "form": "difference"}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "hybrid_heads", "states": 2, "mix": "learned", "norm": "heads"}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "padding", "key_lengths": 3},
              "algorithm": {"type": "hybrid_heads", "states": 1}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"},
              "normalizer": {"type": "dual_softmax"}, "mask": {"type": "padding", "key_lengths": 3},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "matchability"}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"},
              "algorithm": {"type": "exclusive"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"}, "algorithm": {"type": "castle"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "lucid"},
              "heads": {"type": "multi_query", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "dilated_segments", "segment": 2, "patterns": 3}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}, "algorithm": {"type": "gau"}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "laser"}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
              "algorithm": {"type": "key_value_shift", "value_shift": 0.25}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "alibi"}, "mask": {"type": "causal"},
              "heads": {"type": "multi", "heads": 2},
              "normalizer": {"type": "dual_softmax", "temperature": 0.7}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "tensor_product"}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
              "algorithm": {"type": "tensor_product", "factors": "fixed", "factored_queries": false}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "differential_2"}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "differential_2", "noise": "group"}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 4},
              "algorithm": {"type": "head_mixture", "shared": 2, "renormalized": true}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 4},
              "algorithm": {"type": "head_scale", "dropped": 0.5}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "head_scale", "gates": "l0", "drawn": true, "normed_values": true}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "output_gate", "function": "silu", "rank": 2}})",
    R"({"algorithm": {"type": "output_gate", "reads": "output"}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"}, "mask": {"type": "causal"},
              "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "switch_head", "experts": 4, "active": 2}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "multi", "heads": 2}, "algorithm": {"type": "grouped_latents"}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "padding", "key_lengths": 3},
              "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "grouped_latents", "form": "latent", "latent_width": 3}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 4},
              "algorithm": {"type": "grouped_latents", "form": "factorised", "groups": 1, "rank": 3}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "alibi"}, "mask": {"type": "causal"},
              "heads": {"type": "talking", "heads": 4},
              "algorithm": {"type": "grouped_output", "rank": 3}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "attention_on_attention", "reads_query": false}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 4},
              "position": {"type": "rope", "turned_heads": 2, "scaling": "yarn"}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 4},
              "position": {"type": "rope", "turned_heads": 3, "quarter_heads": true}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "position": {"type": "rope", "quarter_heads": true, "dimensions": 2}, "mask": {"type": "causal"}})",
    R"({"position": {"type": "convolutional", "kernel": "shift", "window": "past"},
              "mask": {"type": "causal"}})",
    R"({"score": {"type": "cosine", "groups": 2, "divided": "keys"},
              "selection": {"type": "hashing", "own": "otherwise"}, "mask": {"type": "causal"}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 4},
              "selection": {"type": "head_windows", "reaches": [0, 9, 1, 9], "shifts": [-1, 0],
                            "strides": [1, 2], "first": [1, 0, 2]}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "position": {"type": "kerple", "form": "power", "r_1": 0.5, "r_2": 2, "middles": [-1, 1]}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "compositional", "selection_width": 3}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"}, "mask": {"type": "causal"},
              "heads": {"type": "multi", "heads": 2}, "algorithm": {"type": "collaborative"}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"}, "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "interleaved_heads", "strict": true, "rotary": true}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"}, "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "latent", "merged": 3, "norm": "layer", "absorbed": true}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"},
              "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "interleaved_heads", "pseudo": 3, "collapse": "all"}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "selection": {"type": "block_indexer", "size": 2, "blocks": 1}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "padding", "key_lengths": 3},
              "heads": {"type": "multi_query", "heads": 2},
              "algorithm": {"type": "area", "widest": 2, "values": "mean"}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "simplicial", "window": 2}})",
    R"({"projections": {"type": "learned"}, "position": {"type": "rope"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "dynamically_composed", "rank": 1}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "triplet", "columns": 2},
              "heads": {"type": "multi", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "coordinate", "columns": 3},
              "heads": {"type": "multi", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "bam", "columns": 2, "dilation": 1},
              "heads": {"type": "multi", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "focal_modulation", "columns": 2, "levels": 1},
              "heads": {"type": "multi", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "large_kernel", "columns": 2, "dilation": 1},
              "heads": {"type": "multi", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "scse", "combined": "maximum"},
              "heads": {"type": "multi", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "selective_kernel", "columns": 2},
              "heads": {"type": "multi", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "group_enhance", "groups": 3},
              "heads": {"type": "multi", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "polarized", "arrangement": "sequential"}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "involution", "columns": 2},
              "heads": {"type": "multi", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "outlook", "columns": 2},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned", "bias": true}, "algorithm": {"type": "window_tokens", "columns": 2},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned", "bias": true}, "algorithm": {"type": "region_tokens", "columns": 2},
              "heads": {"type": "multi_query", "heads": 4}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "spatial_reduction", "columns": 2},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "contextual", "columns": 2},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "shuffle", "groups": 1},
              "heads": {"type": "multi", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "attention_gate", "columns": 3, "ratio": 2}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "tropical"}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "attention_on_attention"}})",
    R"({"score": {"type": "cosine", "beta": 0}, "mask": {"type": "causal"},
              "algorithm": {"type": "attention_on_attention", "gates": "both", "units": 3}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "selection": {"type": "head_windows", "reaches": [1, 2]}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "mask": {"type": "causal"}, "algorithm": {"type": "layer_stack", "link": "scores"}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "layer_stack", "link": "gated_values"}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "layer_stack", "link": "learned_values"}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "layer_stack", "link": "outputs", "layers": 3, "among": true}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "position": {"type": "sinusoidal"}, "mask": {"type": "permutation"},
              "algorithm": {"type": "two_stream"}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "deformable", "columns": 2, "points": 2}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "deformable", "columns": 2, "points": 1, "levels": 2}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "shared_points", "columns": 2}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "convolution_mix", "columns": 2}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "autocorrelation", "factor": 2}})",
    R"({"mask": {"type": "causal"}, "algorithm": {"type": "co_attention", "kind": "bidaf"}})",
    R"({"mask": {"type": "causal"}, "algorithm": {"type": "co_attention", "kind": "dcn"}})",
    R"({"algorithm": {"type": "co_attention", "kind": "esim"}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "global_filter", "columns": 2},
              "heads": {"type": "multi", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "pyramid_split", "columns": 2, "groups": 2}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "dual", "channels": "unlike"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "triangle", "columns": 2},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "multi_dimensional"}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "rectified"}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}, "algorithm": {"type": "muse"}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "algorithm": {"type": "muse", "kernel": "plain", "output": "own"}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "algorithm": {"type": "split_keys", "parts": 2}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "multi", "heads": 2}, "normalizer": {"type": "prob_sparse", "active": 2}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2, "gate": "headwise"},
              "algorithm": {"type": "head_norm", "layer": 2}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "multi", "heads": 2},
              "selection": {"type": "eviction", "budget": 2, "recent": 1}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "multi", "heads": 2},
              "selection": {"type": "eviction", "budget": 2, "recent": 1, "together": true}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "selection": {"type": "eviction", "policy": "snapkv", "budget": 2, "recent": 1, "prompt": 3}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "selection": {"type": "balanced_hashing", "clusters": 2, "rounds": 2}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "selection": {"type": "balanced_hashing", "rounds": 2, "merge": "sums", "samples": 2}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
              "selection": {"type": "balanced_hashing", "hash": "signs", "signs": 3, "samples": 2,
                            "chances": "values"}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "selection": {"type": "hashing", "rounds": 2, "chunk": 2}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "selection": {"type": "neighbour_chunks", "chunk": 1, "neighbours": 2}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "selection": {"type": "frame_heads", "frame": 2, "samples": 1}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "selection": {"type": "region_means", "columns": 2, "side": 1, "regions": 2}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "mask": {"type": "padding", "key_lengths": 3}, "position": {"type": "rope"},
              "selection": {"type": "predicted_mask", "mask_width": 3}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "mask": {"type": "causal"}, "position": {"type": "rope"},
              "selection": {"type": "pooled_gates", "size": 2, "threshold": 0.3}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "selection": {"type": "top_p", "p": 0.6}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "selection": {"type": "sparq", "r": 1, "k": 1}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "multi", "heads": 4},
              "selection": {"type": "prefill_patterns", "pattern": "in_turn", "last": 2, "vertical": 1,
                            "slash": 1, "size": 2, "blocks": 1}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "selection": {"type": "antidiagonals", "groups": 1, "ends": false, "p": 0.5}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "mask": {"any": [{"type": "sinks"}, {"type": "window", "size": 2}]},
              "position": {"type": "self_extend", "far": "cache"}})",
    R"({"mask": {"type": "window", "size": 2},
              "algorithm": {"type": "online_softmax", "tile": 2, "query_tile": 2}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
              "score": {"type": "gaussian_window", "form": "density", "bells": 2}})",
    R"({"projections": {"type": "learned"}, "score": {"type": "hyperbolic", "beta": 0.5},
              "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
    R"({"projections": {"type": "learned"}, "score": {"type": "bilinear_pooling", "attention_dimension": 3},
              "heads": {"type": "multi_query", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "multi", "heads": 2}, "normalizer": {"type": "chain", "coupling": -20}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
              "normalizer": {"type": "tree", "root": -20, "temperature": 0.7}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "padding", "key_lengths": 3},
              "heads": {"type": "multi", "heads": 2},
              "normalizer": {"type": "forward", "temperature": 0.7}})",
    R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
              "heads": {"type": "multi", "heads": 2}, "normalizer": {"type": "forward", "rule": "stepwise"}})",
    R"({"projections": {"type": "learned"}, "algorithm": {"type": "cross_covariance", "sharpness": 3},
              "heads": {"type": "multi_query", "heads": 2}})"};

class ExplainedHeads : public testing::TestWithParam<const char*> {};

TEST_P(ExplainedHeads, CellByCell) { explain_every_cell(recorded(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Specs, ExplainedHeads, testing::ValuesIn(specs_of_heads),
                         [](const auto& row) { return std::to_string(row.index); });

}  // namespace

}  // namespace headlight::explain_heads2_test
