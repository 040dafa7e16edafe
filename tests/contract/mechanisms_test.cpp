// The promises that every mechanism of the catalogue makes, one row for each mechanism.

#include "core/attention/component.h"
#include "core/catalog/declarations.h"
#include "core/catalog/family.h"
#include "core/catalog/mechanism.h"
#include "core/io/trace_file.h"
#include "core/tensor/error.h"
#include "tests/oracle/oracle.h"
#include "tests/support/attention_runs.h"
#include "tests/support/long_tests.h"
#include "tests/support/rounding.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace headlight::mechanisms_test {

using namespace test;

namespace {

struct Extent {
    Index queries, keys, width;
};

/// Twenty shapes: the smallest ones by hand, the others drawn.
std::vector<Extent> extents() {
    std::vector<Extent> list{{1, 1, 1}, {1, 1, 8}, {1, 5, 4}, {5, 1, 4}, {6, 6, 1}, {2, 9, 3}, {9, 2, 3}};
    RandomEngine random(20);
    const auto draw = [&](Index most) { return std::uniform_int_distribution<Index>(1, most)(random); };
    while (list.size() < 20)
        list.push_back({draw(12), draw(12), draw(4) * 4});
    return list;
}

Index largest_divisor(Index width, Index at_most) {
    while (width % at_most != 0)
        --at_most;
    return at_most;
}

/// The defaults, and each knob turned on its own to values that the shape admits; the same over a second
/// sequence when the mechanism takes one.
std::vector<ParameterValues> settings(const Mechanism& mechanism, const Extent& extent) {
    using Kind = MechanismParameter::Kind;
    ParameterValues standard;
    for (const MechanismParameter& parameter : mechanism.parameters)
        if (parameter.name == "heads")
            standard["heads"] = largest_divisor(extent.width, 8);
    std::vector<ParameterValues> list{standard};
    const auto turn = [&](const std::string& name, ParameterValue value) {
        list.push_back(standard);
        list.back()[name] = std::move(value);
    };
    for (const MechanismParameter& parameter : mechanism.parameters) {
        if (parameter.kind == Kind::boolean)
            turn(parameter.name, true);
        for (const std::string& choice : parameter.choices)
            turn(parameter.name, choice);
        if (parameter.kind == Kind::real)
            for (const double value : {0.5, 3.0})
                turn(parameter.name, std::clamp(value, parameter.minimum, parameter.maximum));
        if (parameter.name == "heads")
            turn("heads", largest_divisor(extent.width, 2));
        else if (parameter.kind == Kind::integer)
            for (const Index value : {Index(1), std::min(extent.queries, extent.keys)})
                turn(parameter.name, std::clamp(value, Index(parameter.minimum), Index(parameter.maximum)));
    }
    if (std::ranges::find(mechanism.parameters, "source", &MechanismParameter::name) !=
        mechanism.parameters.end())
        for (ParameterValues values : std::vector(list)) {
            values["source"] = "cross";
            list.push_back(values);
        }
    return list;
}

bool compares_widths(ScoreType type) {
    if (const ScoreComponent* component = component_of(type))
        return component->compares_widths;
    return type != ScoreType::general && type != ScoreType::concat && type != ScoreType::additive;
}

/// Self attention takes one sequence; cross attention a second one, of a width of its own where the score
/// allows it.
Inputs inputs_for(const AttentionSpec& spec, const Extent& extent, RandomEngine& random) {
    Inputs inputs;
    inputs.query = random_tensor({extent.queries, extent.width}, random);
    if (spec.source.type == SourceType::cross) {
        const bool free = !compares_widths(spec.score.type) && spec.projections.type == ProjectionType::none;
        inputs.key = random_tensor({extent.keys, extent.width + (free ? 1 : 0)}, random);
        inputs.value = random_tensor({extent.keys, extent.width}, random);
    }
    return inputs;
}

/// What cannot be, such as rotary positions of an odd width, is refused with what would do; nothing then.
std::shared_ptr<const Plan> planned_unless_refused(const AttentionSpec& spec, const Inputs& inputs) {
    try {
        return planned(spec, inputs);
    } catch (const Error& error) {
        EXPECT_FALSE(error.detail().expected.empty()) << error.what();
        return nullptr;
    }
}

/// Every (plan, inputs) that the promises are tried on. The short form takes the defaults on every extent,
/// and of the other settings one in `share`, each on other extents.
template <class Try>
void for_every_setting(const Mechanism& mechanism, Try attempt, std::size_t share,
                       const std::vector<Extent>& of_extents = extents()) {
    RandomEngine random(7);
    int tried = 0, refused = 0;
    for (std::size_t size = 0; size < of_extents.size(); ++size) {
        const Extent& extent = of_extents[size];
        const std::vector<ParameterValues> all_values = settings(mechanism, extent);
        for (std::size_t turned = 0; turned < all_values.size(); ++turned) {
            const AttentionSpec spec = build_spec(mechanism, all_values[turned]);
            const Inputs inputs = inputs_for(spec, extent, random);
            if (turned != 0 && !has_turn(size + turned, share))
                continue;
            ++tried;
            if (const std::shared_ptr<const Plan> plan = planned_unless_refused(spec, inputs))
                attempt(plan, inputs);
            else
                ++refused;
            if (testing::Test::HasFailure()) {  // a SCOPED_TRACE would write it for all that pass, too
                ADD_FAILURE() << to_json(spec).dump() << " on " << to_string(inputs.query.shape()) << " and "
                              << to_string(inputs.key_tokens().shape());
                return;
            }
        }
    }
    EXPECT_LT((is_long() ? 2 : 1) * refused, tried) << "it refuses most of what it is given";
}

class EveryMechanism : public testing::TestWithParam<std::string> {
protected:
    const Mechanism& mechanism() const { return headlight::mechanism(GetParam()); }
    /// The spec of the defaults, with a number of heads that divides `width`.
    AttentionSpec standard_spec(Index width) const {
        return build_spec(mechanism(), settings(mechanism(), {1, 1, width}).front());
    }
    /// attempt(plan, spec, inputs) of these specs, on every extent that they can be on.
    template <class Try>
    void for_every_extent(RandomEngine& random, Try attempt) const {
        bool is_tried = false;
        for (const Extent& extent : extents()) {
            const AttentionSpec spec = standard_spec(extent.width);
            const Inputs inputs = inputs_for(spec, extent, random);
            if (const std::shared_ptr<const Plan> plan = planned_unless_refused(spec, inputs)) {
                is_tried = true;
                attempt(plan, spec, inputs);
            }
        }
        EXPECT_TRUE(is_tried) << "it refuses all that it is given";
    }
};

// Those that declare a property.
class RowStochasticMechanism : public EveryMechanism {};
class CausalMechanism : public EveryMechanism {};
class EquivariantMechanism : public EveryMechanism {};
class StreamingMechanism : public EveryMechanism {};

TEST_P(EveryMechanism, IsDescribed) {
    const Mechanism& m = mechanism();
    EXPECT_FALSE(m.name.empty());
    EXPECT_FALSE(m.also_known_as.empty());
    EXPECT_NE(std::ranges::find(families(), m.family, &Family::name), families().end()) << m.family;
    for (const std::string& id : m.related)
        EXPECT_NE(find_mechanism(id), nullptr) << id;
    EXPECT_GT(m.order, 0);
    EXPECT_FALSE(m.papers.empty());
    for (const Paper& paper : m.papers) {
        EXPECT_FALSE(paper.citation.empty());
        EXPECT_EQ(paper.citation.find(';'), std::string::npos) << "two papers in one: " << paper.citation;
        EXPECT_GT(paper.year, 1960) << paper.citation;
    }
    EXPECT_GT(m.explanation.size(), 200u);
    EXPECT_FALSE(m.example.query.empty());
    EXPECT_FALSE(m.example.look_for.empty());
    EXPECT_NO_THROW(build_spec(m, m.example.values));
    EXPECT_NE(m.formula.find("stage-weights"), std::string::npos) << m.formula;
    EXPECT_EQ(std::ranges::count(m.formula, '{'), std::ranges::count(m.formula, '}')) << m.formula;
    for (const MechanismParameter& parameter : m.parameters) {
        EXPECT_FALSE(parameter.label.empty()) << parameter.name;
        EXPECT_FALSE(parameter.help.empty()) << parameter.name;
        EXPECT_NO_THROW(build_spec(m, {{parameter.name, parameter.standard}}));
    }
}

TEST_P(EveryMechanism, LightsOnlyStagesOfItsTrace) {
    const AttentionSpec spec = standard_spec(16);  // of heads whose features can be turned in pairs
    RandomEngine random(3);
    const Trace trace = record(planned(spec, inputs_for(spec, {3, 3, 16}, random)));
    const std::string& formula = mechanism().formula;
    const std::string opening = "\\class{stage-";
    for (auto at = formula.find(opening); at != std::string::npos; at = formula.find(opening, at + 1)) {
        const auto begin = at + opening.size();
        const std::string name = formula.substr(begin, formula.find('}', begin) - begin);
        EXPECT_NE(trace.find(name), nullptr) << "no stage " << name;
    }
}

TEST_P(EveryMechanism, EqualsItsOracle) {
    const auto equals = [&](const std::shared_ptr<const Plan>& plan, const Inputs&) {
        const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
        const Numbers expected{oracle.weights, oracle.output};
        EXPECT_TRUE(near(run<double>(plan), expected, double_tolerance(plan->spec, expected.weights)));
        EXPECT_TRUE(near(run<float>(plan), expected, mechanism().tolerance));
    };
    for_every_setting(mechanism(), equals, 5);
}

TEST_P(EveryMechanism, TracedEqualsUntraced) {
    const auto trace_and_compare = [&](const std::shared_ptr<const Plan>& plan, const Inputs&) {
        const Numbers untraced = run<double>(plan);
        const Trace trace = record(plan);
        EXPECT_EQ(stage(trace, "weights"), untraced.weights);
        EXPECT_EQ(stage(trace, "output"), untraced.output);

        const Numbers untraced_float = run<float>(plan);
        Executor<float> executor(plan);
        Trace float_trace = empty_trace(*plan);
        executor.run(float_trace);
        EXPECT_TRUE(std::ranges::equal(executor.output(), untraced_float.output));
        EXPECT_EQ(stage(float_trace, "weights"), untraced_float.weights);
    };
    for_every_setting(mechanism(), trace_and_compare, 6);
}

TEST_P(EveryMechanism, LeavesATraceThatIsReadAgain) {
    const auto write_and_read = [&](const std::shared_ptr<const Plan>& plan, const Inputs& inputs) {
        Plan labelled = *plan;
        labelled.inputs.tokens.query.assign(static_cast<std::size_t>(inputs.query.rows()), "who looks");
        if (inputs.key)
            labelled.inputs.tokens.key.assign(static_cast<std::size_t>(inputs.key->rows()),
                                              "what is looked at");
        const std::string text = write_trace_json(record(std::make_shared<const Plan>(std::move(labelled))));
        EXPECT_EQ(write_trace_json(parse_trace_json(text)), text);
    };
    // The stages follow from the setting; a file's numbers are alike in every shape.
    for_every_setting(mechanism(), write_and_read, 1, {{1, 1, 8}, {5, 1, 4}, {3, 7, 8}});
}

TEST_P(RowStochasticMechanism, RowsSumToOne) {
    const auto add_up = [&](const std::shared_ptr<const Plan>& plan, const Inputs&) {
        const Numbers numbers = run(plan);
        for (Index row = 0; row < plan->heads * plan->queries; ++row) {
            const auto begin = numbers.weights.begin() + row * plan->keys;
            const double sum = std::accumulate(begin, begin + plan->keys, 0.0);
            const bool masked = plan->allowed.end(row % plan->queries) == 0;
            EXPECT_NEAR(sum, masked ? 0 : 1, 1e-13) << "row " << row;
        }
    };
    for_every_setting(mechanism(), add_up, 6);
}

TEST_P(CausalMechanism, NeverLooksAhead) {
    RandomEngine random(5);
    const auto never_ahead = [](const std::shared_ptr<const Plan>& plan, const AttentionSpec&,
                                const Inputs&) {
        const Numbers numbers = run(plan);
        for (std::size_t cell = 0; cell < numbers.weights.size(); ++cell) {
            const Index key = static_cast<Index>(cell) % plan->keys;
            const Index query = static_cast<Index>(cell) / plan->keys % plan->queries;
            if (key > query) {
                EXPECT_EQ(numbers.weights[cell], 0.0) << query << ", " << key;
            }
        }
    };
    for_every_extent(random, never_ahead);
}

TEST_P(EquivariantMechanism, PermutesItsOutputWithItsTokens) {
    RandomEngine random(6);
    const auto permute = [&random](const std::shared_ptr<const Plan>& plan, const AttentionSpec& spec,
                                   const Inputs& inputs) {
        const auto shuffled = [&](Index rows) {
            std::vector<Index> order(static_cast<std::size_t>(rows));
            std::iota(order.begin(), order.end(), Index(0));
            std::ranges::shuffle(order, random);
            return order;
        };
        const std::vector<Index> queries = shuffled(inputs.query.rows());
        Inputs permuted = inputs;
        permuted.query = rows_of(inputs.query, queries);
        if (inputs.key) {
            const std::vector<Index> keys = shuffled(inputs.key->rows());
            permuted.key = rows_of(*inputs.key, keys);
            permuted.value = rows_of(*inputs.value, keys);
        }
        const Tensor output({plan->queries, plan->output_width}, run(plan).output);
        EXPECT_TRUE(near(run(spec, permuted).output, rows_of(output, queries).values(), 1e-12));
    };
    for_every_extent(random, permute);
}

// A decoder sees its sequence grow. What it computed for the first t tokens must stay what it was. With a
// second sequence only the queries grow.
TEST_P(StreamingMechanism, GivesStepByStepWhatItGivesAtOnce) {
    RandomEngine random(8);
    const auto step_by_step = [](const std::shared_ptr<const Plan>& plan, const AttentionSpec& spec,
                                 const Inputs& inputs) {
        const Numbers all = run(plan);
        for (Index step = 1; step <= plan->queries; ++step) {
            Inputs prefix = inputs;
            prefix.query = Tensor({step, inputs.query.cols()});
            std::ranges::copy(inputs.query.values().first(static_cast<std::size_t>(prefix.query.size())),
                              prefix.query.values().begin());
            const Numbers so_far = run(spec, prefix);
            EXPECT_TRUE(near(so_far.output, std::span(all.output).first(so_far.output.size()), 1e-12))
                << step;
        }
    };
    for_every_extent(random, step_by_step);
}

TEST_P(EveryMechanism, SeedDecidesNothingButWhatIsRandom) {
    ParameterValues values;
    const auto& knobs = mechanism().parameters;
    if (mechanism().properties.random &&
        std::ranges::find(knobs, "mode", &MechanismParameter::name) != knobs.end())
        values["mode"] = "sample";
    const AttentionSpec spec = build_spec(mechanism(), values);
    RandomEngine random(9);
    Inputs inputs = inputs_for(spec, {12, 12, 8}, random);
    inputs.parameters = planned(spec, inputs, 1)->inputs.parameters;
    const Numbers first = run(spec, inputs, 1);
    EXPECT_EQ(run(spec, inputs, 1).weights, first.weights);
    const Numbers second = run(spec, inputs, 2);
    // Whole heads are dropped behind their weights.
    EXPECT_EQ(second.weights != first.weights || second.output != first.output,
              mechanism().properties.random);
}

TEST_P(EveryMechanism, RefusesBadParametersByName) {
    using Kind = MechanismParameter::Kind;
    const auto refused = [&](const std::string& name, const ParameterValue& value, const std::string& got) {
        try {
            build_spec(mechanism(), {{name, value}});
            ADD_FAILURE() << name << " accepted " << got;
        } catch (const Error& error) {
            const std::string message = error.what();
            EXPECT_NE(message.find(mechanism().id), std::string::npos) << message;
            EXPECT_NE(message.find(name), std::string::npos) << message;
            EXPECT_NE(message.find(got), std::string::npos) << message;
            EXPECT_FALSE(error.detail().expected.empty()) << message;
        }
    };
    for (const MechanismParameter& parameter : mechanism().parameters) {
        const bool number = parameter.kind == Kind::integer || parameter.kind == Kind::real;
        if (parameter.kind == Kind::integer) {
            refused(parameter.name, Index(parameter.minimum) - 1,
                    std::to_string(Index(parameter.minimum) - 1));
            refused(parameter.name, Index(parameter.maximum) + 1,
                    std::to_string(Index(parameter.maximum) + 1));
            refused(parameter.name, 2.5, "2.5");
        }
        if (parameter.kind == Kind::real) {
            const double beyond = 2 * parameter.maximum + 1;
            refused(parameter.name, beyond, to_string(ParameterValue(beyond)));
            refused(parameter.name, std::nan(""), "nan");
        }
        if (parameter.kind != Kind::choice)
            refused(parameter.name, "purple", "purple");
        else
            refused(parameter.name, "purpel", "\"purpel\"");
        if (!number && parameter.kind != Kind::boolean)
            refused(parameter.name, true, "true");
    }
    refused("no_such_knob", 1.0, "no_such_knob");
}

std::vector<std::string> ids(bool MechanismProperties::*property = nullptr) {
    std::vector<std::string> list;
    for (const Mechanism& each : mechanisms())
        if (!property || each.properties.*property)
            list.push_back(each.id);
    return list;
}

/// Both sides of every "same as ... when ...".
struct Same {
    std::string id;
    Equivalence equivalence;
};
std::ostream& operator<<(std::ostream& out, const Same& same) {
    return out << same.id << " as " << same.equivalence.id;
}

std::vector<Same> equivalences() {
    std::vector<Same> list;
    for (const Mechanism& each : mechanisms())
        for (const Equivalence& equivalence : each.equivalences)
            list.push_back({each.id, equivalence});
    return list;
}

Tensor filled_as(const std::string& kind, const Shape& shape) {
    if (kind == "identity")
        return identity(shape.front());
    return Tensor(shape, kind == "ones" ? 1.0 : 0.0);
}

class Equivalent : public testing::TestWithParam<Same> {};

TEST_P(Equivalent, GivesTheSameNumbers) {
    const auto& [id, equivalence] = GetParam();
    SCOPED_TRACE(equivalence.when);
    const AttentionSpec here = build_spec(mechanism(id), equivalence.here);
    const AttentionSpec there = build_spec(mechanism(equivalence.id), equivalence.there);
    RandomEngine random(12);
    for (const Index tokens : {1, 2, 7, 12}) {
        Inputs inputs = inputs_for(here, {tokens, tokens, 8}, random);
        const auto first = planned(here, inputs);
        Inputs with_parameters = inputs;
        with_parameters.parameters = first->inputs.parameters;
        for (const auto& [name, kind] : equivalence.parameters)
            with_parameters.parameters[name] = filled_as(
                kind, with_parameters.parameters.contains(name) ? with_parameters.parameters.at(name).shape()
                                                                : Shape{8, 8});
        const Numbers left = run(here, with_parameters), right = run(there, with_parameters);
        EXPECT_TRUE(near(left.output, right.output, equivalence.tolerance)) << tokens << " tokens, output";
        if (left.weights.size() == right.weights.size()) {
            EXPECT_TRUE(near(left.weights, right.weights, equivalence.tolerance))
                << tokens << " tokens, weights";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Equivalent, testing::ValuesIn(equivalences()));
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Equivalent);

const auto id_of = [](const auto& row) { return row.param; };
INSTANTIATE_TEST_SUITE_P(Catalogue, EveryMechanism, testing::ValuesIn(ids()), id_of);
INSTANTIATE_TEST_SUITE_P(Catalogue, RowStochasticMechanism,
                         testing::ValuesIn(ids(&MechanismProperties::row_stochastic)), id_of);
INSTANTIATE_TEST_SUITE_P(Catalogue, CausalMechanism, testing::ValuesIn(ids(&MechanismProperties::causal)),
                         id_of);
INSTANTIATE_TEST_SUITE_P(Catalogue, EquivariantMechanism,
                         testing::ValuesIn(ids(&MechanismProperties::permutation_equivariant)), id_of);
INSTANTIATE_TEST_SUITE_P(Catalogue, StreamingMechanism,
                         testing::ValuesIn(ids(&MechanismProperties::streaming)), id_of);

// The order in which a course would take them.
TEST(Catalogue, HoldsTheClassicsInTeachingOrder) {
    const std::vector<std::string> classics{"basic_self_attention",
                                            "dot",
                                            "soft",
                                            "scaled_dot_product",
                                            "self_attention",
                                            "additive",
                                            "concat",
                                            "general",
                                            "causal",
                                            "cross",
                                            "multi_head",
                                            "hard"};
    std::vector<std::string> found = ids();
    std::erase_if(found,
                  [&](const std::string& id) { return std::ranges::find(classics, id) == classics.end(); });
    EXPECT_EQ(found, classics);
}

/// By which one is found without the others.
TEST(Catalogue, HasTheIdsOfItsFiles) {
    ASSERT_EQ(mechanism_declarations().size(), mechanisms().size());
    for (const Declaration<Mechanism>& each : mechanism_declarations())
        EXPECT_EQ(mechanism(each.id).id, each.id);
}

/// Who found one before all were declared holds it elsewhere than who looks for it now.
TEST(Catalogue, KnowsAnEntryWhereverItStands) {
    const Mechanism* const found = find_mechanism("causal");
    const Mechanism elsewhere = *found;
    EXPECT_TRUE(is_same(found, &elsewhere));
    EXPECT_TRUE(is_same(nullptr, nullptr));
    EXPECT_FALSE(is_same(found, find_mechanism("cross")));
    EXPECT_FALSE(is_same(found, nullptr));
    EXPECT_FALSE(is_same(nullptr, found));
}

TEST(Catalogue, NamesTheNearestWhenAnIdIsUnknown) {
    EXPECT_EQ(find_mechanism("adaptive"), nullptr);
    try {
        mechanism("aditive");
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("did you mean \"additive\"?"), std::string::npos)
            << error.what();
        EXPECT_TRUE(error.detail().expected.starts_with("\"additive\"")) << error.detail().expected;
        EXPECT_LT(error.detail().expected.size(), 200u) << "not all of them";
    }
}

TEST(Catalogue, MeansTheIdThatIsALetterAwayBeforeNamesThatBeginSo) {
    for (const auto& [typed, meant] : {std::pair("causall", "causal"), std::pair("windo", "window"),
                                       std::pair("sdpa", "scaled_dot_product")})
        EXPECT_TRUE(unknown_mechanism(typed).got.ends_with(std::string("(did you mean \"") + meant + "\"?)"))
            << unknown_mechanism(typed).got;
}

TEST(Catalogue, ParsesValuesOfEveryKind) {
    const Mechanism& hard = mechanism("hard");
    const auto parameter = [&](const std::string& name) {
        return *std::ranges::find(hard.parameters, name, &MechanismParameter::name);
    };
    EXPECT_EQ(parse_value(parameter("temperature"), "0.5"), ParameterValue(0.5));
    EXPECT_EQ(parse_value(parameter("temperature"), "2"), ParameterValue(2.0));
    EXPECT_EQ(parse_value(parameter("draws"), "12"), ParameterValue(Index(12)));
    EXPECT_EQ(parse_value(parameter("mode"), "sample"), ParameterValue(std::string("sample")));
    EXPECT_EQ(parse_value(parameter("projection_bias"), "true"), ParameterValue(true));
    for (const auto& [name, text] :
         std::vector<std::pair<std::string, std::string>>{{"temperature", "warm"},
                                                          {"temperature", "0"},
                                                          {"temperature", "1e999"},
                                                          {"temperature", "0.5x"},
                                                          {"draws", "1.5"},
                                                          {"draws", ""},
                                                          {"mode", "soft"},
                                                          {"projection_bias", "yes"}})
        EXPECT_THROW(parse_value(parameter(name), text), Error) << name << " = " << text;
}

}  // namespace

}  // namespace headlight::mechanisms_test
