#include "core/catalog/knob.h"

#include "core/attention/spec_words.h"

#include <algorithm>

namespace headlight {
namespace {

using Kind = MechanismParameter::Kind;

/// A choice among the words that the spec itself uses for an enumeration, or among some of them.
template <class Value, class Apply>
Knob choice_knob(const char* name, const char* label, const char* help, Value standard, Apply apply,
                 std::vector<Value> among = {}) {
    MechanismParameter parameter{.name = name, .label = label, .kind = Kind::choice, .help = help};
    for (const Word<Value>& each : words<Value>()) {
        if (each.value == standard)
            parameter.standard = std::string(each.word);
        if (among.empty() || std::ranges::find(among, each.value) != among.end())
            parameter.choices.emplace_back(each.word);
    }
    return {parameter, [apply](AttentionSpec& spec, const ParameterValue& chosen) {
                const auto all = words<Value>();
                apply(spec, std::ranges::find(all, std::get<std::string>(chosen), &Word<Value>::word)->value);
            }};
}

Knob switch_knob(const char* name, const char* label, const char* help,
                 std::function<void(AttentionSpec&, bool)> apply) {
    return {
        {.name = name, .label = label, .kind = Kind::boolean, .standard = false, .help = help},
        [apply](AttentionSpec& spec, const ParameterValue& value) { apply(spec, std::get<bool>(value)); }};
}

void also_require(Mask& mask, Mask other) {
    if (std::holds_alternative<NoMask>(mask.rule))
        mask = std::move(other);
    else
        mask = Mask{AllOf{{mask, std::move(other)}}};
}

}  // namespace

void compose(Mechanism& mechanism, const AttentionSpec& base, std::vector<Knob> knobs) {
    for (const Knob& knob : knobs)
        mechanism.parameters.push_back(knob.parameter);
    mechanism.build = [base, knobs = std::move(knobs)](const ParameterValues& values) {
        AttentionSpec spec = base;
        for (const Knob& knob : knobs) {
            const auto given = values.find(knob.parameter.name);
            knob.apply(spec, given == values.end() ? knob.parameter.standard : given->second);
        }
        return spec;
    };
}

Knob source_knob() {
    return choice_knob(
        "source", "Source", "Where the keys and values come from: the same sequence, or a second one.",
        SourceType::self, [](AttentionSpec& spec, SourceType type) { spec.source.type = type; });
}

Knob projections_knob(ProjectionType standard) {
    return choice_knob(
        "projections", "Projections",
        "Whether Q, K and V are the token vectors themselves, the same with identity matrices shown, or X "
        "times learned matrices.",
        standard, [](AttentionSpec& spec, ProjectionType type) { spec.projections.type = type; });
}

Knob projection_bias_knob() {
    return switch_knob(
        "projection_bias", "Projection bias",
        "Adds b_q, b_k, b_v and b_o to learned projections. b_k cannot change the weights: it adds the same "
        "number to a whole row of scores.",
        [](AttentionSpec& spec, bool on) {
            spec.projections.bias = on && spec.projections.type == ProjectionType::learned;
        });
}

Knob temperature_knob() {
    return {{.name = "temperature",
             .label = "Temperature",
             .kind = Kind::real,
             .standard = 1.0,
             .minimum = 0.01,
             .maximum = 100,
             .logarithmic = true,
             .help = "Divides the scores before the softmax: below 1 the rows sharpen toward the largest "
                     "score, above 1 they flatten toward uniform."},
            [](AttentionSpec& spec, const ParameterValue& value) {
                spec.normalizer.temperature = std::get<double>(value);
            }};
}

Knob hard_mode_knob() {
    return choice_knob(
        "mode", "Choice", "How the one key is chosen: the largest score, or a draw from the softmax row.",
        HardMode::argmax, [](AttentionSpec& spec, HardMode mode) { spec.normalizer.mode = mode; });
}

Knob draws_knob() {
    return {
        {.name = "draws",
         .label = "Draws",
         .kind = Kind::integer,
         .standard = Index(200),
         .minimum = 1,
         .maximum = 10000,
         .logarithmic = true,
         .help =
             "When sampling: how many draws the frequencies come from, to hold against the soft weights."},
        [](AttentionSpec& spec, const ParameterValue& value) {
            spec.normalizer.draws = std::get<Index>(value);
        }};
}

Knob scale_knob() {
    return choice_knob(
        "scale", "Scale",
        "What the dot products are multiplied by: 1/√d_k, or a learned number g that starts at 1.",
        ScoreType::scaled_dot, [](AttentionSpec& spec, ScoreType type) { spec.score.type = type; },
        {ScoreType::scaled_dot, ScoreType::learned_scale});
}

Knob heads_knob() {
    return {{.name = "heads",
             .label = "Heads",
             .kind = Kind::integer,
             .standard = Index(8),
             .minimum = 1,
             .maximum = 64,
             .help = "Into how many blocks of columns Q, K and V are split; must divide their width."},
            [](AttentionSpec& spec, const ParameterValue& value) {
                spec.heads = {.type = HeadsType::multi, .heads = std::get<Index>(value)};
            }};
}

Knob causal_knob() {
    return switch_knob("causal", "Causal", "Forbids every key after the query, in every head.",
                       [](AttentionSpec& spec, bool on) {
                           if (on)
                               also_require(spec.mask, Mask{CausalMask{}});
                       });
}

Knob causal_alignment_knob() {
    return choice_knob(
        "align", "Alignment",
        "With fewer queries than keys: whether the first query stands at the first key (top left), or the "
        "last query at the last key (bottom right), as when decoding with a cache.",
        CausalAlignment::top_left, [](AttentionSpec& spec, CausalAlignment alignment) {
            std::get<CausalMask>(spec.mask.rule).alignment = alignment;
        });
}

Knob key_lengths_knob() {
    return {{.name = "key_lengths",
             .label = "Real keys",
             .kind = Kind::integer,
             .standard = Index(0),
             .minimum = 0,
             .maximum = 512,
             .help = "How many keys are real; the others are padding, whose weight is exactly 0. 0: every "
                     "key is real.",
             .minimum_word = "all"},
            [](AttentionSpec& spec, const ParameterValue& value) {
                const Index length = std::get<Index>(value);
                if (length > 0)
                    also_require(spec.mask, Mask{PaddingMask{length}});
            }};
}

Knob activation_knob() {
    return choice_knob(
        "activation", "Activation",
        "The function between the two layers of the score. With identity the query's part is the same for "
        "every key, so all queries get the same weights.",
        Activation::tanh,
        [](AttentionSpec& spec, Activation activation) { spec.score.activation = activation; });
}

Knob score_bias_knob() {
    return switch_knob("bias", "Bias",
                       "Adds b inside the activation. A bias after v could not change the weights.",
                       [](AttentionSpec& spec, bool on) { spec.score.bias = on; });
}

Knob attention_dimension_knob() {
    return {{.name = "attention_dimension",
             .label = "Hidden width",
             .kind = Kind::integer,
             .standard = Index(0),
             .minimum = 0,
             .maximum = 512,
             .help = "Number of hidden units d_a, the length of v. 0: the width of a query.",
             .minimum_word = "default"},
            [](AttentionSpec& spec, const ParameterValue& value) {
                const Index width = std::get<Index>(value);
                if (width > 0)
                    spec.score.attention_dimension = width;
            }};
}

}  // namespace headlight
