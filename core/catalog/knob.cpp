#include "core/catalog/knob.h"

#include "core/attention/component.h"
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
                apply(spec, value_of<Value>(std::get<std::string>(chosen)).value());
            }};
}

Knob switch_knob(const char* name, const char* label, const char* help,
                 std::function<void(AttentionSpec&, bool)> apply) {
    return {{.name = name, .label = label, .kind = Kind::boolean, .standard = false, .help = help},
            [apply = std::move(apply)](AttentionSpec& spec, const ParameterValue& value) {
                apply(spec, std::get<bool>(value));
            }};
}

Index largest_divisor(Index number, Index at_most) {
    Index divisor = std::clamp<Index>(at_most, 1, number);
    while (number % divisor != 0)
        --divisor;
    return divisor;
}

MechanismParameter parameter_of(const Option& option, const OptionValue& standard) {
    MechanismParameter parameter{.name = option.name,
                                 .label = option.label,
                                 .minimum = option.minimum,
                                 .maximum = option.maximum,
                                 .logarithmic = option.logarithmic,
                                 .choices = option.choices,
                                 .help = option.help,
                                 .minimum_word = option.minimum_word};
    if (const bool* flag = std::get_if<bool>(&standard)) {
        parameter.kind = Kind::boolean;
        parameter.standard = *flag;
    } else if (const Index* count = std::get_if<Index>(&standard)) {
        parameter.kind = Kind::integer;
        parameter.standard = *count;
    } else if (const double* number = std::get_if<double>(&standard)) {
        parameter.kind = Kind::real;
        parameter.standard = *number;
    } else {
        parameter.kind = Kind::choice;
        parameter.standard = std::get<std::string>(standard);
    }
    return parameter;
}

OptionValue option_value(const ParameterValue& value) {
    return std::visit([](const auto& each) -> OptionValue { return each; }, value);
}

/// A knob for each option of one part; `options_in` finds the part's options in a spec.
void add_knobs(std::vector<Knob>& knobs, const std::vector<Option>& declared, const AttentionSpec& base,
               const std::function<Options&(AttentionSpec&)>& options_in) {
    AttentionSpec copy = base;
    const Options set = options_in(copy);
    for (const Option& option : declared) {
        const auto found = set.find(option.name);
        const OptionValue standard = found == set.end() ? option.standard : found->second;
        if (std::holds_alternative<std::vector<Index>>(standard))
            continue;
        knobs.push_back({parameter_of(option, standard),
                         [options_in, name = option.name](AttentionSpec& spec, const ParameterValue& value) {
                             options_in(spec)[name] = option_value(value);
                         }});
    }
}

/// The patterns of a mask: itself, or in the lists that it is made of, from the first on.
void add_patterns(std::vector<PatternMask*>& patterns, Mask& mask) {
    if (auto* pattern = std::get_if<PatternMask>(&mask.rule))
        patterns.push_back(pattern);
    if (auto* all = std::get_if<AllOf>(&mask.rule))
        for (Mask& each : all->masks)
            add_patterns(patterns, each);
    if (auto* any = std::get_if<AnyOf>(&mask.rule))
        for (Mask& each : any->masks)
            add_patterns(patterns, each);
}

std::vector<PatternMask*> patterns_in(Mask& mask) {
    std::vector<PatternMask*> patterns;
    add_patterns(patterns, mask);
    return patterns;
}

}  // namespace

std::vector<Knob> component_knobs(const AttentionSpec& base) {
    std::vector<Knob> knobs;
    const auto add = [&](const auto* component, const std::function<Options&(AttentionSpec&)>& options_in) {
        if (component)
            add_knobs(knobs, component->options, base, options_in);
    };
    add(component_of(base.score.type), [](AttentionSpec& spec) -> Options& { return spec.score.options; });
    add_knobs(knobs, position_options(base.position.type, base.position.second), base,
              [](AttentionSpec& spec) -> Options& { return spec.position.options; });
    AttentionSpec copy = base;
    const auto patterns = patterns_in(copy.mask);
    for (std::size_t i = 0; i < patterns.size(); ++i)
        add(component_of(patterns[i]->type),
            [i](AttentionSpec& spec) -> Options& { return patterns_in(spec.mask)[i]->options; });
    add(component_of(base.selection.type),
        [](AttentionSpec& spec) -> Options& { return spec.selection.options; });
    add(component_of(base.normalizer.type),
        [](AttentionSpec& spec) -> Options& { return spec.normalizer.options; });
    add(component_of(base.algorithm.type),
        [](AttentionSpec& spec) -> Options& { return spec.algorithm.options; });
    return knobs;
}

std::vector<Knob> without(std::vector<Knob> knobs, const std::vector<std::string>& names) {
    std::erase_if(knobs, [&](const Knob& knob) {
        return std::ranges::find(names, knob.parameter.name) != names.end();
    });
    return knobs;
}

std::vector<Knob> with_help(std::vector<Knob> knobs, const std::string& name, const std::string& help) {
    std::ranges::find(knobs, name, [](const Knob& knob) { return knob.parameter.name; })->parameter.help =
        help;
    return knobs;
}

std::vector<Knob> operator+(std::vector<Knob> first, std::vector<Knob> second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

std::vector<Knob> operator+(std::vector<Knob> knobs, Knob last) {
    knobs.push_back(std::move(last));
    return knobs;
}

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

std::vector<Knob> projection_knobs() { return {projections_knob(), projection_bias_knob()}; }

std::vector<Knob> token_knobs() { return {source_knob(), projections_knob(), projection_bias_knob()}; }

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

Knob heads_knob(Index standard) {
    return {{.name = "heads",
             .label = "Heads",
             .kind = Kind::integer,
             .standard = standard,
             .minimum = 1,
             .maximum = 64,
             .help = "Into how many blocks of columns Q, K and V are split; must divide their width."},
            [](AttentionSpec& spec, const ParameterValue& value) {
                if (spec.heads.type == HeadsType::single)
                    spec.heads.type = HeadsType::multi;
                spec.heads.heads = std::get<Index>(value);
                spec.heads.kv_heads = largest_divisor(spec.heads.heads, spec.heads.kv_heads);
            }};
}

Knob kv_heads_knob() {
    return {{.name = "kv_heads",
             .label = "Heads of keys and values",
             .kind = Kind::integer,
             .standard = Index(2),
             .minimum = 1,
             .maximum = 64,
             .help =
                 "How many heads of keys and values the query heads share, in equal groups; the next lower "
                 "number that divides the heads is taken."},
            [](AttentionSpec& spec, const ParameterValue& value) {
                spec.heads.kv_heads = largest_divisor(spec.heads.heads, std::get<Index>(value));
            }};
}

Knob causal_knob() {
    return switch_knob("causal", "Causal", "Forbids every key after the query, in every head.",
                       [](AttentionSpec& spec, bool on) {
                           if (on)
                               spec.mask = joined_masks(spec.mask, {CausalMask{}});
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
             .label = "Keys that are not padding",
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
                    spec.mask = joined_masks(spec.mask, {PaddingMask{length}});
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

Knob vector_norm_knob(VectorNorm standard) {
    return choice_knob(
        "vector_norm", "Norm",
        "What brings queries and keys to a standard length before they meet: their length (l2), mean and "
        "standard deviation (layer), or their root mean square (rms).",
        standard, [](AttentionSpec& spec, VectorNorm norm) { spec.score.vector_norm = norm; });
}

Knob softcap_knob(double standard) {
    return {{.name = "softcap",
             .label = "Cap",
             .kind = Kind::real,
             .standard = standard,
             .minimum = 0.1,
             .maximum = 10000,
             .logarithmic = true,
             .help = "The c of c tanh(s / c): what no scaled score can pass. Far above the scores it changes "
                     "nothing."},
            [](AttentionSpec& spec, const ParameterValue& value) {
                spec.score.softcap = std::get<double>(value);
            }};
}

}  // namespace headlight
