// The promises of every component of a spec, one row for each: it equals the reference, in both precisions,
// is not changed by being traced, and refuses what it cannot do before it runs.

#include "core/attention/component.h"
#include "core/attention/kernel_scores.h"
#include "core/attention/spec_words.h"
#include "core/attention/trace_program.h"
#include "core/graph/differentiate.h"
#include "core/graph/graph_values.h"
#include "core/io/json_text.h"
#include "core/io/trace_check.h"
#include "core/io/trace_header.h"
#include "core/tensor/error.h"
#include "tests/oracle/oracle.h"
#include "tests/support/attention_runs.h"
#include "tests/support/long_tests.h"
#include "tests/support/rounding.h"

#include <limits>
#include <numeric>

namespace headlight::components_test {

using namespace test;

namespace {

struct Row {
    std::string name;  ///< "position_alibi"
    std::function<void(AttentionSpec&, const Options&)> put;
    std::vector<Option> options;
};

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

/// A field of the spec that is turned as an option of a component is: what has no component has such.
Option field(const std::string& name, OptionValue standard, std::vector<std::string> choices = {}) {
    return {.name = name,
            .label = name,
            .standard = std::move(standard),
            .minimum = 0.1,
            .maximum = 100,
            .choices = std::move(choices),
            .help = "of the spec itself"};
}

/// nullptr where it is not turned.
template <class Value>
const Value* given_field(const Options& options, const std::string& name) {
    const auto found = options.find(name);
    return found == options.end() ? nullptr : &std::get<Value>(found->second);
}

Row row_of(const KernelScore& score) {
    Row row{"score_" + score.word,
            [type = score.type](AttentionSpec& spec, const Options& options) {
                spec.score.type = type;
                if (const auto* cap = given_field<double>(options, "softcap"))
                    spec.score.softcap = *cap;
                if (const auto* norm = given_field<std::string>(options, "vector_norm"))
                    spec.score.vector_norm = *value_of<VectorNorm>(*norm);
                if (const auto* activation = given_field<std::string>(options, "activation"))
                    spec.score.activation = *value_of<Activation>(*activation);
                if (const auto* bias = given_field<bool>(options, "bias"))
                    spec.score.bias = *bias;
            },
            {field("softcap", 50.0)}};
    if (score.takes_vector_norm)  // the others magnify the rounding of heads with one feature or two
        row.options.push_back(field("vector_norm", std::string("none"), {"none", "l2"}));
    if (score.has_energy) {
        row.options.push_back(field("activation", std::string("tanh"), spellings<Activation>()));
        row.options.push_back(field("bias", false));
    }
    return row;
}

/// What the kernels compute themselves: softmax, and all the weight on one key.
Row row_of(NormalizerType type) {
    Row row{"normalizer_" + to_word(type),
            [type](AttentionSpec& spec, const Options& options) {
                spec.normalizer.type = type;
                if (const auto* temperature = given_field<double>(options, "temperature"))
                    spec.normalizer.temperature = *temperature;
                if (const auto* mode = given_field<std::string>(options, "mode"))
                    spec.normalizer.mode = *value_of<HardMode>(*mode);
            },
            {field("temperature", 1.0)}};
    if (type == NormalizerType::hard)
        row.options.push_back(field("mode", std::string("argmax"), spellings<HardMode>()));
    return row;
}

std::vector<Row> rows() {
    std::vector<Row> list;
    for (const KernelScore& score : kernel_scores())
        list.push_back(row_of(score));
    for (const NormalizerType type : {NormalizerType::softmax, NormalizerType::hard})
        list.push_back(row_of(type));
    list.push_back(
        {"position_sinusoidal",
         [](AttentionSpec& spec, const Options&) { spec.position.type = PositionType::sinusoidal; },
         {}});
    const auto add = [&](const std::string& axis, const auto& components, auto part) {
        for (const auto& component : components)
            list.push_back({axis + "_" + component.word,
                            [type = component.type, part](AttentionSpec& spec, const Options& options) {
                                part(spec).type = type;
                                part(spec).options = options;
                            },
                            component.options});
    };
    add(
        "score", score_components(), [](AttentionSpec & spec) -> auto& { return spec.score; });
    add(
        "position", position_components(), [](AttentionSpec & spec) -> auto& { return spec.position; });
    add(
        "selection", selection_components(), [](AttentionSpec & spec) -> auto& { return spec.selection; });
    add(
        "normalizer", normalizer_components(), [](AttentionSpec & spec) -> auto& { return spec.normalizer; });
    add(
        "algorithm", algorithm_components(), [](AttentionSpec & spec) -> auto& { return spec.algorithm; });
    for (const MaskComponent& component : mask_components())
        list.push_back({"mask_" + component.word,
                        [type = component.type](AttentionSpec& spec, const Options& options) {
                            const Mask pattern{PatternMask{type, options}};
                            if (std::holds_alternative<NoMask>(spec.mask.rule))
                                spec.mask = pattern;
                            else
                                spec.mask = Mask{AllOf{{spec.mask, pattern}}};
                        },
                        component.options});
    return list;
}

/// Nothing given, and each option turned on its own.
std::vector<Options> settings(const std::vector<Option>& options) {
    std::vector<Options> list{{}};
    for (const Option& option : options) {
        const auto turn = [&](OptionValue value) { list.push_back({{option.name, std::move(value)}}); };
        if (std::holds_alternative<bool>(option.standard))
            turn(!std::get<bool>(option.standard));
        for (const std::string& choice : option.choices)
            turn(choice);
        const auto number = [&](double value) { return std::clamp(value, option.minimum, option.maximum); };
        if (std::holds_alternative<Index>(option.standard))
            for (const double value : {1.0, 2.0, 5.0})
                turn(static_cast<Index>(number(value)));
        if (std::holds_alternative<double>(option.standard))
            for (const double value : {0.5, 1.7})
                turn(number(value));
        if (std::holds_alternative<std::vector<Index>>(option.standard))
            turn(std::vector<Index>{static_cast<Index>(number(2)), static_cast<Index>(number(3))});
    }
    return list;
}

struct Extent {
    Index queries, keys, width;
};

std::vector<Extent> extents() {
    std::vector<Extent> list{{1, 1, 1}, {1, 1, 8}, {1, 5, 4}, {5, 1, 4},
                             {6, 6, 1}, {6, 6, 8}, {2, 9, 4}, {9, 2, 4}};
    RandomEngine random(20);
    const auto draw = [&](Index most) { return std::uniform_int_distribution<Index>(1, most)(random); };
    while (list.size() < (is_long() ? 20 : 12))
        list.push_back({draw(12), draw(12), draw(4) * 4});
    return list;
}

/// What a component is put into.
const std::vector<std::string> surroundings{
    R"({})",
    R"({"projections": {"type": "learned", "bias": true}, "mask": {"type": "causal"}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2}})",
    R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
        "mask": {"type": "causal"}})",
    R"({"source": {"type": "cross"}, "mask": {"type": "padding", "key_lengths": 1}})",
    R"({"source": {"type": "cross"}, "projections": {"type": "learned"}})",
};

class EveryComponent : public testing::TestWithParam<Row> {
protected:
    /// Calls attempt(plan) for every setting that is not refused; how many there were. The short form takes
    /// one in `share`, so that each setting meets each surrounding and each extent, and these one another.
    template <class Attempt>
    int for_every_plan(const Attempt& attempt, std::size_t share = 6) {
        RandomEngine random(7);
        int plans = 0;
        const std::vector<Options> all_options = settings(GetParam().options);
        const std::vector<Extent> all_extents = extents();
        for (std::size_t around = 0; around < surroundings.size(); ++around) {
            const AttentionSpec surrounding = spec(surroundings[around]);
            for (std::size_t turned = 0; turned < all_options.size(); ++turned) {
                AttentionSpec each = surrounding;
                GetParam().put(each, all_options[turned]);
                for (std::size_t size = 0; size < all_extents.size(); ++size) {
                    const Extent& extent = all_extents[size];
                    Inputs inputs;
                    inputs.query = random_tensor({extent.queries, extent.width}, random);
                    if (each.source.type == SourceType::cross) {
                        inputs.key = random_tensor({extent.keys, extent.width}, random);
                        inputs.value = random_tensor({extent.keys, extent.width}, random);
                    }
                    if (!has_turn(around + turned + size, share))
                        continue;
                    std::shared_ptr<const Plan> made;
                    try {
                        made = planned(each, inputs);
                    } catch (const Error& error) {
                        EXPECT_FALSE(error.detail().expected.empty()) << error.what();
                        continue;
                    }
                    ++plans;
                    attempt(made);
                    if (testing::Test::HasFailure()) {  // a SCOPED_TRACE would write it for all that pass,
                                                        // too
                        ADD_FAILURE() << to_json(each).dump() << " on " << to_string(inputs.query.shape())
                                      << " and " << to_string(inputs.key_tokens().shape());
                        return plans;
                    }
                }
            }
        }
        return plans;
    }
};

TEST_P(EveryComponent, EqualsItsOracle) {
    const auto equals = [&](const std::shared_ptr<const Plan>& plan) {
        const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
        const Numbers expected{oracle.weights, oracle.output};
        for (const double number : expected.output)
            ASSERT_TRUE(std::isfinite(number));
        EXPECT_TRUE(near(run<double>(plan), expected, double_tolerance(plan->spec, expected.weights)));
        EXPECT_TRUE(near(run<float>(plan), expected, 1e-5));
    };
    EXPECT_GT(for_every_plan(equals, 3), is_long() ? 20 : 5) << "it refuses nearly everything";
}

// A finite mask value forbids nothing (docs/spec.md): with 0 it is as if there were no mask, whatever else a
// component takes from pairs that may meet.
TEST_P(EveryComponent, TakesFromEveryPairThatAFiniteMaskLeaves) {
    for_every_plan([&](const std::shared_ptr<const Plan>& plan) {
        AttentionSpec finite = plan->spec, open = plan->spec;
        finite.mask_value = 0;
        open.mask = {};
        std::shared_ptr<const Plan> with_mask, without;
        try {
            with_mask = planned(finite, plan->inputs, plan->seed);
            without = planned(open, plan->inputs, plan->seed);
        } catch (const Error&) {  // algorithms know no finite mask, and some patterns refuse to be none
            return;
        }
        const Numbers expected = run<double>(without);
        EXPECT_TRUE(near(run<double>(with_mask), expected, double_tolerance(plan->spec, expected.weights)));
    });
}

TEST_P(EveryComponent, IsNotChangedByBeingTraced) {
    for_every_plan([&](const std::shared_ptr<const Plan>& plan) {
        const Numbers untraced = run<double>(plan);
        const Trace trace = record(plan);
        EXPECT_EQ(stage(trace, "weights"), untraced.weights);
        EXPECT_EQ(stage(trace, "output"), untraced.output);
        Executor<double> without_weights(plan, Executor<double>::Weights::discard);
        without_weights.run();
        EXPECT_TRUE(std::ranges::equal(without_weights.output(), untraced.output));
    });
}

/// The program of a plan as a layer that learns has it, with a step in which all token vectors and parameters
/// change at once.
class Layer {
public:
    Layer(const Program& program, RandomEngine& random)
        : graph_(program.given(), program.parts()), output_(graph_.step_of("output")), values_(graph_) {
        for (const GivenTensor& tensor : program.given()) {
            const bool changes = tensor.kind != GivenTensor::Kind::constant;
            const auto size = static_cast<Index>(tensor.numbers.size());
            given_.push_back({graph_.step_of(tensor.name),
                              tensor.numbers,
                              {},
                              changes ? random_tensor({size}, random) : Tensor({size}),
                              changes ? random_tensor({size}, random) : Tensor({size})});
        }
        weights_ = random_tensor({graph_.steps()[output_].extent.size()}, random);
    }

    /// The output for the numbers of the program, `length` steps and `noise` away from them.
    std::span<const double> run(double length, double noise) {
        for (Given& given : given_) {
            given.at = given.numbers;
            for (Index i = 0; i < given.step.size(); ++i)
                given.at[static_cast<std::size_t>(i)] += length * given.step[i] + noise * given.noise[i];
            values_.set(given.graph_step, given.at);
        }
        values_.run();
        return values_.of(output_);
    }
    /// The weighted sum of the output.
    double sum(double length, double noise) {
        const std::span<const double> output = run(length, noise);
        return std::inner_product(output.begin(), output.end(), weights_.data(), 0.0);
    }
    /// How that sum grows with a step.
    double slope(double noise) {
        run(0, noise);
        Differentiation differentiation(graph_);
        differentiation.run(values_, output_, weights_.values());
        double slope = 0;
        for (const Given& given : given_) {
            const std::span<const double> gradient = differentiation.of(given.graph_step);
            slope += std::inner_product(gradient.begin(), gradient.end(), given.step.data(), 0.0);
        }
        return slope;
    }

private:
    struct Given {
        std::size_t graph_step;
        std::vector<double> numbers, at;
        Tensor step, noise;  ///< zeros for a constant
    };
    Graph graph_;
    std::size_t output_;
    GraphValues values_;
    std::vector<Given> given_;
    Tensor weights_;
};

/// Its gradient is what a small step makes of the output, whatever it is put into: beside the numbers of the
/// plan, where a parameter that begins at 0 is at no kink.
TEST_P(EveryComponent, IsDifferentiated) {
    constexpr double noise = 0.1;
    RandomEngine random(31);
    const auto differentiate = [&](const std::shared_ptr<const Plan>& plan) {
        Layer layer(trace_program(*plan), random);
        const Numbers expected = run<double>(plan);
        const std::span<const double> output = layer.run(0, 0);
        EXPECT_TRUE(near({expected.weights, {output.begin(), output.end()}}, expected,
                         double_tolerance(plan->spec, expected.weights)));
        const double slope = layer.slope(noise), size = 1 + std::abs(layer.sum(0, noise));
        double nearest = std::numeric_limits<double>::infinity();
        for (const double length : {1e-6, 1e-7, 1e-5}) {  // one may lead over a leap
            const double difference = (layer.sum(length, noise) - layer.sum(-length, noise)) / (2 * length);
            nearest = std::min(nearest, std::abs(difference - slope) / (size + std::abs(slope)));
            if (nearest < 1e-7)
                break;
        }
        EXPECT_LT(nearest, 1e-6) << "slope " << slope;
    };
    for_every_plan(differentiate);
}

/// What a reader refuses in a trace never comes out of a run.
TEST_P(EveryComponent, LeavesATraceThatCanBe) {
    for_every_plan([&](const std::shared_ptr<const Plan>& plan) {
        const Trace trace = record(plan);
        EXPECT_NO_THROW(stages_from_header(parse_json(trace_header(trace).dump())));
        EXPECT_NO_THROW(require_extents_that_fit(trace));
        EXPECT_NO_THROW(require_numbers_that_can_be(trace));
    });
}

TEST_P(EveryComponent, RunsAgainWithTheSameNumbers) {
    for_every_plan([&](const std::shared_ptr<const Plan>& plan) {
        Executor<double> executor(plan);
        executor.run();
        const std::vector<double> first(executor.output().begin(), executor.output().end());
        executor.run();
        EXPECT_TRUE(std::ranges::equal(executor.output(), first));
    });
}

TEST_P(EveryComponent, TakesTheBaseOfPublishedModels) {
    constexpr double of_pixtral = 1e9;
    for (const Option& option : GetParam().options)
        if (option.name == "base") {
            EXPECT_GE(option.maximum, of_pixtral);
        }
}

TEST_P(EveryComponent, SaysWhatItIs) {
    for (const Option& option : GetParam().options) {
        EXPECT_FALSE(option.label.empty()) << option.name;
        EXPECT_FALSE(option.help.empty()) << option.name;
        EXPECT_NO_THROW(complete_options(GetParam().options, {{option.name, option.standard}}, "", ""));
    }
}

// What a component does to the formula is defined in its own file: lines, cells and gradients of a trace
// would pass over what is not.

TEST(Definitions, OfPositionsSayAllThatTheyDo) {
    for (const PositionComponent& each : position_components()) {
        const bool adds_term = each.define_token_term != nullptr, turns = each.define_turn != nullptr;
        const bool has_scores = each.define_scores != nullptr, has_bias = each.define_bias != nullptr;
        const bool adds_tokens = each.define_term_of_tokens != nullptr;
        EXPECT_TRUE(adds_term || adds_tokens || turns || has_scores || has_bias) << each.word;
        EXPECT_FALSE(adds_term && adds_tokens) << each.word;
        EXPECT_EQ(adds_term, each.token_term != nullptr) << each.word;
        EXPECT_EQ(turns, each.turns_vectors) << each.word;
        EXPECT_EQ(has_scores, each.acts_on_scores) << each.word;
        EXPECT_EQ(has_bias, each.has_bias) << each.word;
    }
}

TEST(Definitions, OfSelectionsSayWhatIsKept) {
    for (const SelectionComponent& each : selection_components())
        EXPECT_TRUE(each.define != nullptr) << each.word;
}

TEST(Definitions, OfAlgorithmsAreTheirOwnOrThatOfTheParts) {
    for (const AlgorithmComponent& each : algorithm_components()) {
        const bool has_contexts = each.define != nullptr;
        const bool has_weights = each.define_weights != nullptr, has_output = each.define_output != nullptr;
        // These compute in another order what the parts of the spec say.
        const bool only_reorders =
            each.type == AlgorithmType::online_softmax || each.type == AlgorithmType::kv_cache;
        EXPECT_EQ(has_contexts, !each.is_composed && !only_reorders) << each.word;
        const bool changes_contexts = each.define_context != nullptr;
        EXPECT_EQ(has_weights || changes_contexts || has_output, each.is_composed) << each.word;
        EXPECT_EQ(has_weights, each.changes_weights) << each.word;
    }
}

INSTANTIATE_TEST_SUITE_P(Components, EveryComponent, testing::ValuesIn(rows()),
                         [](const auto& row) { return row.param.name; });

}  // namespace

}  // namespace headlight::components_test
