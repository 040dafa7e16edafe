#include "core/workbench/spec_axes.h"

#include "core/attention/component.h"
#include "core/attention/kernel_scores.h"
#include "core/attention/spec_words.h"
#include "core/catalog/knob.h"

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

/// A member of the spec, as a function on specs.
// NOLINTBEGIN(bugprone-macro-parentheses): a member is no expression
#define HEADLIGHT_MEMBER(path)                                                                               \
    [](auto& any_spec) -> auto& { return any_spec.path; }
// NOLINTEND(bugprone-macro-parentheses)

template <class Member>
using ValueOf = std::remove_cvref_t<std::invoke_result_t<Member, AttentionSpec&>>;

template <class Member>
SpecAxis axis_for(const char* id, const char* label, const char* help, Member member) {
    using Value = ValueOf<Member>;
    SpecAxis axis;
    axis.id = id;
    axis.label = label;
    axis.help = help;
    for (const Word<Value>& word : words<Value>())
        axis.words.push_back({std::string(word.word), std::string(word.meaning)});
    axis.word = [member](const AttentionSpec& spec) { return to_word(member(spec)); };
    axis.choose = [member](AttentionSpec& spec, const std::string& word) {
        member(spec) = value_of<Value>(word).value_or(Value{});
    };
    axis.settings = [](const AttentionSpec&) { return std::vector<AxisSetting>(); };
    return axis;
}

/// `part` has the options.
template <class Part>
void add_option_settings(std::vector<AxisSetting>& settings, const std::vector<Option>& declared, Part part) {
    for (const Option& option : declared)
        settings.push_back({option,
                            [part, option](const AttentionSpec& from) {
                                const Options& options = part(from).options;
                                const auto found = options.find(option.name);
                                return found == options.end() ? option.standard : found->second;
                            },
                            [part, name = option.name](AttentionSpec& into, const OptionValue& value) {
                                part(into).options[name] = value;
                            }});
}

/// The axis of a part that has a type and, where a component is its type, options.
template <class Part>
SpecAxis part_axis(const char* id, const char* label, const char* help, Part part) {
    SpecAxis axis = axis_for(
        id, label, help, [part](auto& spec) -> auto& { return part(spec).type; });
    // The plainest attention's stands first; the others are too many to be read, and are looked up.
    const std::string plainest = axis.word(AttentionSpec());
    std::ranges::sort(axis.words, {}, [&plainest](const AxisWord& each) {
        return std::pair(each.word != plainest, each.word);
    });
    axis.choose = [part, choose = axis.choose](AttentionSpec& spec, const std::string& word) {
        choose(spec, word);
        part(spec).options.clear();
    };
    axis.settings = [part](const AttentionSpec& spec) {
        std::vector<AxisSetting> settings;
        if (const auto* component = component_of(part(spec).type))
            add_option_settings(settings, component->options, part);
        return settings;
    };
    return axis;
}

template <class Member>
AxisSetting plain_setting(Option option, Member member) {
    using Value = ValueOf<Member>;
    return {
        std::move(option), [member](const AttentionSpec& spec) -> OptionValue { return member(spec); },
        [member](AttentionSpec& spec, const OptionValue& value) { member(spec) = std::get<Value>(value); }};
}

template <class Member>
AxisSetting word_setting(const char* name, const char* label, const char* help, Member member) {
    using Value = ValueOf<Member>;
    return {{.name = name,
             .label = label,
             .standard = to_word(Value{}),
             .choices = spellings<Value>(),
             .help = help},
            [member](const AttentionSpec& spec) -> OptionValue { return to_word(member(spec)); },
            [member](AttentionSpec& spec, const OptionValue& value) {
                member(spec) = value_of<Value>(std::get<std::string>(value)).value_or(Value{});
            }};
}

/// 0 stands for nothing.
template <class Member>
AxisSetting optional_setting(Option option, Member member) {
    using Value = typename ValueOf<Member>::value_type;
    return {std::move(option),
            [member](const AttentionSpec& spec) -> OptionValue { return member(spec).value_or(Value{}); },
            [member](AttentionSpec& spec, const OptionValue& value) {
                const Value number = std::get<Value>(value);
                member(spec) = number == Value{} ? std::nullopt : std::optional(number);
            }};
}

Option count_of(const char* name, const char* label, const char* help, Index standard, Index most) {
    return {.name = name,
            .label = label,
            .standard = standard,
            .minimum = 1,
            .maximum = double(most),
            .help = help};
}

std::vector<AxisSetting> projection_settings(const AttentionSpec& spec) {
    if (spec.projections.type != ProjectionType::learned)
        return {};
    return {plain_setting(as_option(projection_bias_knob().parameter), HEADLIGHT_MEMBER(projections.bias)),
            optional_setting({.name = "dimension",
                              .label = "Width",
                              .standard = Index(0),
                              .maximum = 512,
                              .help = "Features of q and k over all heads, the columns of W_q and W_k.",
                              .minimum_word = "the query’s"},
                             HEADLIGHT_MEMBER(projections.dimension))};
}

/// A setting that only some words of its part read.
struct FieldSetting {
    std::string path;  ///< "score.bias"
    AxisSetting setting;
};

const std::vector<FieldSetting>& fields_of_some_scores() {
    static const std::vector<FieldSetting> fields{
        {"score.bias", plain_setting(as_option(score_bias_knob().parameter), HEADLIGHT_MEMBER(score.bias))},
        {"score.activation", word_setting("activation", "Activation",
                                          "The curve that the hidden units of the score pass through.",
                                          HEADLIGHT_MEMBER(score.activation))},
        {"score.attention_dimension", optional_setting(as_option(attention_dimension_knob().parameter),
                                                       HEADLIGHT_MEMBER(score.attention_dimension))}};
    return fields;
}

std::vector<AxisSetting> score_settings(const AttentionSpec& spec) {
    std::vector<AxisSetting> settings;
    const std::string type = to_word(spec.score.type);
    for (const auto& [path, setting] : fields_of_some_scores())
        if (is_read_beside(path, type))
            settings.push_back(setting);
    if (const KernelScore* kernel = kernel_score(spec.score.type); kernel && kernel->takes_vector_norm)
        settings.push_back(word_setting("vector_norm", "Normed vectors",
                                        "What is done to each query and key before they are multiplied.",
                                        HEADLIGHT_MEMBER(score.vector_norm)));
    settings.push_back(
        optional_setting({.name = "softcap",
                          .label = "Soft cap",
                          .standard = 0.0,
                          .maximum = 100,
                          .help = "c of c tanh(s / c): scores bend towards ±c instead of growing beyond it.",
                          .minimum_word = "none"},
                         HEADLIGHT_MEMBER(score.softcap)));
    return settings;
}

std::vector<AxisSetting> normalizer_settings(const AttentionSpec& spec) {
    std::vector<AxisSetting> settings;
    const Normalizer& normalizer = spec.normalizer;
    const bool samples = normalizer.type == NormalizerType::hard && normalizer.mode == HardMode::sample;
    if (normalizer.type == NormalizerType::hard)
        settings.push_back(
            word_setting("mode", "Choice", "How the one key is chosen.", HEADLIGHT_MEMBER(normalizer.mode)));
    if (normalizer.type != NormalizerType::hard || samples)
        settings.push_back(
            plain_setting(as_option(temperature_knob().parameter), HEADLIGHT_MEMBER(normalizer.temperature)));
    if (samples)
        settings.push_back(
            plain_setting(as_option(draws_knob().parameter), HEADLIGHT_MEMBER(normalizer.draws)));
    return settings;
}

std::vector<AxisSetting> heads_settings(const AttentionSpec& spec) {
    std::vector<AxisSetting> settings;
    if (spec.heads.type != HeadsType::single)
        settings.push_back(plain_setting(as_option(heads_knob().parameter), HEADLIGHT_MEMBER(heads.heads)));
    if (spec.heads.type == HeadsType::grouped_query)
        settings.push_back(plain_setting(count_of("kv_heads", "Heads of keys",
                                                  "How many heads of keys and values the heads share; must "
                                                  "divide them.",
                                                  2, 64),
                                         HEADLIGHT_MEMBER(heads.kv_heads)));
    return settings;
}

/// `axis` with settings that stand in the spec itself before those of its component.
SpecAxis with(SpecAxis axis, std::vector<AxisSetting> (*own)(const AttentionSpec&)) {
    axis.settings = [own, options = axis.settings](const AttentionSpec& spec) {
        std::vector<AxisSetting> all = own(spec);
        std::ranges::move(options(spec), std::back_inserter(all));
        return all;
    };
    return axis;
}

/// A score must not be left with what only the one before it read.
SpecAxis score_axis() {
    SpecAxis axis = with(part_axis("score", "Score", "How well a key fits a query: a number for each pair.",
                                   HEADLIGHT_MEMBER(score)),
                         score_settings);
    axis.choose = [choose = axis.choose](AttentionSpec& spec, const std::string& word) {
        choose(spec, word);
        for (const auto& [path, setting] : fields_of_some_scores())
            if (!is_read_beside(path, word))
                setting.set(spec, setting.value(AttentionSpec()));
    };
    return axis;
}

/// Beside the options of the position, those of the one beside it, which is a setting of the first.
SpecAxis position_axis() {
    SpecAxis axis = part_axis("position", "Position", "How the order of the tokens comes into the formula.",
                              HEADLIGHT_MEMBER(position));
    axis.choose = [choose = axis.choose](AttentionSpec& spec, const std::string& word) {
        spec.position.second = PositionType::none;
        choose(spec, word);
    };
    AxisSetting second = word_setting("second", "Beside it",
                                      "A second position that acts elsewhere: one turns queries and keys or "
                                      "is added to the tokens, the other adds to the scores.",
                                      HEADLIGHT_MEMBER(position.second));
    second.set = [set = second.set](AttentionSpec& spec, const OptionValue& value) {
        set(spec, value);
        std::erase_if(spec.position.options, [&](const auto& given) {
            const auto declares = [&](PositionType type) {
                const PositionComponent* component = component_of(type);
                return component && std::ranges::count(component->options, given.first, &Option::name) > 0;
            };
            return !declares(spec.position.type) && !declares(spec.position.second);
        });
    };
    axis.settings = [second, settings = axis.settings](const AttentionSpec& spec) {
        std::vector<AxisSetting> all = settings(spec);
        if (spec.position.type == PositionType::none)
            return all;
        all.push_back(second);
        if (const PositionComponent* component = component_of(spec.position.second)) {
            std::vector<Option> others = component->options;
            std::erase_if(others, [&](const Option& option) {
                return std::ranges::any_of(
                    all, [&](const AxisSetting& setting) { return setting.option.name == option.name; });
            });
            add_option_settings(all, others, HEADLIGHT_MEMBER(position));
        }
        return all;
    };
    return axis;
}

std::vector<SpecAxis> make_axes() {
    return {
        axis_for("source", "Source", "Where queries, and where keys and values come from.",
                 HEADLIGHT_MEMBER(source.type)),
        with(axis_for("projections", "Projections", "What makes q, k and v of the token vectors.",
                      HEADLIGHT_MEMBER(projections.type)),
             projection_settings),
        score_axis(),
        position_axis(),
        part_axis("selection", "Selection", "Which of the allowed keys a query chooses by what they hold.",
                  HEADLIGHT_MEMBER(selection)),
        with(part_axis("normalizer", "Normaliser", "How a row of scores becomes a row of weights.",
                       HEADLIGHT_MEMBER(normalizer)),
             normalizer_settings),
        with(axis_for("heads", "Heads", "One attention over the whole width, or several side by side.",
                      HEADLIGHT_MEMBER(heads.type)),
             heads_settings),
        axis_for("sharing", "Sharing", "Which of q, k and v are the same vectors.",
                 HEADLIGHT_MEMBER(heads.sharing)),
        axis_for("gate", "Gate", "What each context is multiplied by.", HEADLIGHT_MEMBER(heads.gate)),
        part_axis("algorithm", "Algorithm",
                  "The parts above, one after another, or another graph of stages in their place.",
                  HEADLIGHT_MEMBER(algorithm)),
    };
}

#undef HEADLIGHT_MEMBER

}  // namespace

Option as_option(const MechanismParameter& parameter) {
    return {parameter.name,    parameter.label,   as_option_value(parameter.standard),
            parameter.minimum, parameter.maximum, parameter.logarithmic,
            parameter.choices, parameter.help,    parameter.minimum_word};
}

ParameterValue as_parameter_value(const OptionValue& value) {
    return std::visit(
        [](const auto& each) -> ParameterValue {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(each)>, std::vector<Index>>)
                return Index(std::ssize(each));
            else
                return each;
        },
        value);
}

OptionValue as_option_value(const ParameterValue& value) {
    return std::visit([](const auto& each) -> OptionValue { return each; }, value);
}

bool is_read(const AxisSetting& setting, const std::vector<AxisSetting>& among, const AttentionSpec& spec) {
    const Option::ReadWith& with = setting.option.read_with;
    const auto other =
        std::ranges::find_if(among, [&](const AxisSetting& each) { return each.option.name == with.name; });
    if (with.name.empty() || other == among.end())
        return true;
    return std::ranges::find(with.words, std::get<std::string>(other->value(spec))) != with.words.end();
}

std::span<const SpecAxis> spec_axes() {
    static const std::vector<SpecAxis> axes = make_axes();
    return axes;
}

bool is_used(const SpecAxis& axis, const AttentionSpec& spec) {
    if (is_composed(spec))
        return true;
    const AlgorithmComponent& algorithm = *component_of(spec.algorithm.type);
    if (algorithm.leaves_other_parts)  // the standard ones that it computes in another order
        return true;
    if (axis.id == "selection")
        return algorithm.takes_selection;
    return axis.id == "normalizer" ? algorithm.takes_normalizer : axis.id != "score";
}

std::string axis_of(const std::string& where, const std::string& what) {
    // The most exact first: "heads.sharing" is not about the heads.
    static const std::pair<const char*, const char*> places[] = {
        {"heads.sharing", "sharing"},
        {"heads.gate", "gate"},
        {"source", "source"},
        {"projections", "projections"},
        {"score", "score"},
        {"position", "position"},
        {"mask", "mask"},
        {"selection", "selection"},
        {"normalizer", "normalizer"},
        {"heads", "heads"},
        {"algorithm", "algorithm"},
    };
    for (const auto& [place, axis] : places)
        if (where.starts_with(place))
            return axis;
    static const std::pair<const char*, const char*> operations[] = {
        {"split into heads", "heads"}, {"shared", "sharing"},      {"gate", "gate"},
        {" score", "score"},           {" positions", "position"}, {"mask", "mask"},
        {"selection", "selection"},    {"normali", "normalizer"},  {"algorithm", "algorithm"},
    };
    for (const auto& [operation, axis] : operations)
        if (what.find(operation) != std::string::npos)
            return axis;
    // A component by its word: "rope", "xpos".
    for (const SpecAxis& axis : spec_axes())
        for (const AxisWord& word : axis.words)
            if (what == word.word)
                return axis.id;
    return {};
}

}  // namespace headlight
