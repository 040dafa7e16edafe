#include "core/nn/graph_attention.h"

#include "core/attention/formula_causes.h"
#include "core/attention/trace_program.h"
#include "core/graph/graph_kernels.h"
#include "core/graph/graph_values.h"
#include "core/nn/graph_runs.h"
#include "core/nn/trained_numbers.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace headlight::nn {

namespace {

constexpr const char* learning = "learn with this attention";

/// Lengths that are tried when a site is made.
constexpr Index tried_tokens = 7;
/// What follows them where a query must not look ahead: blocks and windows of usual sizes end within.
constexpr Index tokens_ahead = 32;

/// A program of one number of queries and keys.
struct LengthProgram : KeptGraph {
    LengthProgram(std::shared_ptr<const Plan> its_plan, const Program& program)
        : KeptGraph(std::move(its_plan), program.given(), program.parts()), output(graph.step_of("output")) {
        for (const ProgramPart& part : program.parts())
            for (const ProgramLine& line : part.assignments)
                if (line.name == "weights")
                    weights = graph.step_of(line.name);
        if (weights && graph.steps()[*weights].extent.size() != plan->heads * plan->queries * plan->keys)
            weights.reset();
    }

    std::size_t output;
    std::optional<std::size_t> weights;  ///< [h, n, m]
};
using ProgramRun = GraphRun<LengthProgram>;

/// Throws Error unless gradients of what is to be learned reach the token vectors.
void require_gradient(const LengthProgram& program) {
    const std::size_t step = program.weights.value_or(program.output);
    for (const StoppedGradient& each : stopped_gradients(program.graph, step)) {
        const auto tensor = std::ranges::find(program.given, each.tensor, &GivenTensor::name);
        if (tensor->kind == GivenTensor::Kind::input && !each.reasons.empty())
            throw Error({learning, each.tensor,
                         std::string(program.weights ? "weights" : "an output") +
                             " that change smoothly with the token vectors",
                         each.reasons.front()});
    }
}

}  // namespace

/// Programs of all lengths, and runs that nobody uses.
class GraphAttention::Programs {
public:
    using Run = std::unique_ptr<ProgramRun>;

    Programs(const AttentionSpec& spec, const GraphSite& site) : spec_(spec), site_(site) {
        parameters_ = required_parameters(spec,
                                          {.query_width = site.width,
                                           .key_width = site.width_of_keys(),
                                           .value_width = site.width_of_keys(),
                                           .queries = site.queries,
                                           .keys = site.keys},
                                          {});
        const auto longest = plan_of(site.queries, site.keys);
        if (longest->heads * site.queries * site.keys > most_program_numbers)
            throw Error({learning, "",
                         "at most " + std::to_string(most_program_numbers) + " pairs of tokens and heads",
                         std::to_string(longest->heads * site.queries * site.keys)});
        output_width_ = longest->output_width;
    }

    bool is_self() const { return spec_.source.type == SourceType::self; }
    const AttentionSpec& spec() const { return spec_; }
    const GraphSite& site() const { return site_; }
    const std::vector<ParameterInfo>& parameters() const { return parameters_; }
    Index output_width() const { return output_width_; }

    std::vector<std::string> unlearned;

    Run take(Index queries, Index keys) {
        return runs_.take({queries, keys}, [&] {
            auto made = plan_of(queries, keys);
            const Program program = trace_program(*made);
            return std::make_shared<const LengthProgram>(std::move(made), program);
        });
    }
    void give_back(Run run) {
        const Plan& plan = *run->program->plan;
        runs_.give_back({plan.queries, plan.keys}, std::move(run));
    }

private:
    std::shared_ptr<const Plan> plan_of(Index queries, Index keys) const {
        Inputs inputs;
        inputs.query = Tensor({queries, site_.width});
        if (!is_self())
            inputs.key = Tensor({keys, site_.width_of_keys()});
        // As a trace draws for the one sequence that it shows.
        const PlanOptions options{.seed = substream(draws(), std::uint64_t(0)), .keeps = Keeps::output};
        try {
            auto made = std::make_shared<const Plan>(plan(spec_, inputs, options));
            if (output_width_ > 0 && made->output_width != output_width_)
                throw Error({learning, "output",
                             "outputs of " + std::to_string(output_width_) +
                                 " numbers, as many as those of the longest text have",
                             std::to_string(made->output_width)});
            return made;
        } catch (const Error& error) {
            throw error.within(std::to_string(queries) + (queries == 1 ? " token" : " tokens"));
        }
    }

    AttentionSpec spec_;
    GraphSite site_;
    std::vector<ParameterInfo> parameters_;  ///< of the longest sequences
    Index output_width_ = 0;
    GraphRuns<LengthProgram, 2> runs_;
};

namespace {

/// A call as its backward step keeps it.
template <class Real, class Programs>
struct GraphCall {
    Programs* programs;
    const NamedWeights* weights;
    Variable<Real> query, key, output;
    Index batch, queries, keys, first;
    const Index *query_lengths, *key_lengths;  ///< [b]

    bool is_self() const { return !key.value; }
    Index key_length(Index sequence) const {
        return is_self() ? query_lengths[sequence] : key_lengths[sequence];
    }

    /// Calls visit(number among those of the tensor, number among those of `all`) for the rows of a sequence.
    template <class Visit>
    void for_each_number(const Variable<Real>& all, Index sequence, Index rows, const Visit& visit) const {
        for (Index row = 0; row < rows; ++row)
            for (Index column = 0; column < all.columns; ++column)
                visit(row * all.columns + column, (row * batch + sequence) * all.columns + column);
    }

    /// Calls with(numbers of a given tensor, its step, token vectors) or with(..., parameter).
    template <class OfTokens, class OfParameter>
    void for_each_given(const LengthProgram& program, const OfTokens& tokens,
                        const OfParameter& parameter) const {
        for (std::size_t i = 0; i < program.given.size(); ++i) {
            const GivenTensor& tensor = program.given[i];
            if (tensor.kind == GivenTensor::Kind::input)
                tokens(i, tensor.name == "tokens" ? query : key);
            else if (tensor.kind == GivenTensor::Kind::parameter)
                parameter(i, (*weights)[tensor.name]);
        }
    }

    void set_weights(ProgramRun& run, Tape<Real>& tape) const {
        const LengthProgram& program = *run.program;
        for_each_given(
            program, [](std::size_t, const Variable<Real>&) {},
            [&](std::size_t i, const Weight& weight) {
                const Shape& shape = program.plan->parameter(program.given[i].name).shape();
                read_trained(tape, shape, weight, program.plan->heads, run.numbers[i]);
                run.has_set(i);
            });
    }
    void run(ProgramRun& run, Index sequence) const {
        const LengthProgram& program = *run.program;
        for_each_given(
            program,
            [&](std::size_t i, const Variable<Real>& all) {
                for_each_number(all, sequence, program.given[i].extent.rows, [&](Index to, Index from) {
                    run.numbers[i][static_cast<std::size_t>(to)] = static_cast<double>(all.value[from]);
                });
            },
            [](std::size_t, const Weight&) {});
        run.values.run();
    }

    /// Runs the sequences, those of one length after one another, whose weights are set once: each(run,
    /// sequence), and done(run) behind the last of a length. The two leave no gradients in the run, which the
    /// next call adds to; a run that throws is not given back.
    template <class Each, class Done>
    void run_all(Tape<Real>& tape, const Each& each, const Done& done) const {
        const GraphKernels chosen;
        const auto extents = [&](Index sequence) {
            return std::pair(query_lengths[sequence], key_length(sequence));
        };
        std::vector<Index> sequences;
        for (Index sequence = 0; sequence < batch; ++sequence)
            if (query_lengths[sequence] > first && key_length(sequence) > 0)
                sequences.push_back(sequence);
        std::ranges::stable_sort(sequences, {}, extents);
        for (auto next = sequences.begin(); next != sequences.end();) {
            const auto together = extents(*next);
            auto taken = programs->take(together.first, together.second);
            set_weights(*taken, tape);
            for (; next != sequences.end() && extents(*next) == together; ++next) {
                run(*taken, *next);
                each(*taken, *next);
            }
            done(*taken);
            programs->give_back(std::move(taken));
        }
    }

    /// Runs again: a run's numbers are many times those of its output, and would have to stay for every
    /// sequence of the batch.
    void run_backward(Tape<Real>& tape) const {
        const auto add_tokens = [&](ProgramRun& back, Index sequence) {
            const LengthProgram& program = *back.program;
            const Index length = query_lengths[sequence];
            std::vector<double> gradient(static_cast<std::size_t>(length * output.columns));
            const Real* of_output = output.gradient();
            for_each_number(output, sequence, length - first, [&](Index to, Index from) {
                gradient[static_cast<std::size_t>(first * output.columns + to)] =
                    static_cast<double>(of_output[from]);
            });
            back.differentiation.add(back.values, program.output, gradient);
            for_each_given(
                program,
                [&](std::size_t i, const Variable<Real>& all) {
                    const auto of = back.differentiation.of(program.steps[i]);
                    if (of.empty())
                        return;
                    if (all.has_gradient()) {
                        Real* sum = all.gradient();
                        for_each_number(all, sequence, program.given[i].extent.rows,
                                        [&](Index from, Index to) {
                                            sum[to] += static_cast<Real>(of[static_cast<std::size_t>(from)]);
                                        });
                    }
                    back.differentiation.clear(program.steps[i]);
                },
                [](std::size_t, const Weight&) {});
        };
        const auto add_weights = [&](ProgramRun& back) {
            const LengthProgram& program = *back.program;
            back.differentiation.pass_on_lasting(back.values);
            for_each_given(
                program, [](std::size_t, const Variable<Real>&) {},
                [&](std::size_t i, const Weight& weight) {
                    const auto of = back.differentiation.of(program.steps[i]);
                    if (of.empty())
                        return;
                    const Shape& shape = program.plan->parameter(program.given[i].name).shape();
                    add_to_trained(tape, shape, weight, program.plan->heads, of);
                    back.differentiation.clear(program.steps[i]);
                });
        };
        run_all(tape, add_tokens, add_weights);
    }
};

bool are_finite(std::span<const double> numbers) {
    return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

/// As infinite_first() says of a run; empty where what it was given is not finite already.
std::string infinite_line_of(const ProgramRun& run) {
    const Plan& plan = *run.program->plan;
    const auto formula = typed_formula(plan.spec);
    if (!formula)
        return {};
    const Program program = trace_program(plan);
    std::set<std::string> lines;
    for (const ProgramPart& part : program.parts())
        for (const ProgramLine& line : part.assignments)
            lines.insert(line.name);
    Graph graph(program.given(), program.parts());
    graph.keep_only({lines.begin(), lines.end()});
    GraphValues values(graph);
    for (std::size_t i = 0; i < run.program->given.size(); ++i) {
        const GivenTensor& tensor = run.program->given[i];
        const bool is_constant = LengthProgram::is_constant(tensor);
        if (!is_constant && !are_finite(run.numbers[i]))
            return {};
        values.set(tensor.name, is_constant ? tensor.numbers.all() : run.numbers[i]);
    }
    values.run();
    return infinite_first(*formula, [&](const std::string& line) {
        return lines.contains(line) ? values.of(line) : std::span<const double>();
    });
}

[[noreturn]] void refuse_nan(const AttentionSpec& spec, const InfiniteLine& line, Index query,
                             Index queries) {
    const auto formula = typed_formula(spec);
    const std::string causes = line.causes().empty() && formula ? infinite_in(*formula) : line.causes();
    throw Error({learning, "", "outputs that are numbers",
                 "NaN in output " + std::to_string(1 + query) + " of " + std::to_string(queries) +
                     (causes.empty() ? ", as of 0 / 0, of inf - inf, or of a root or logarithm of less than 0"
                                     : ", as by " + causes)});
}

/// A row of the output that other queries change: of a formula at the number that counts these, if it has it.
[[noreturn]] void refuse_dependence(const AttentionSpec& spec, const std::string& expected,
                                    const std::string& got) {
    const auto formula = typed_formula(spec);
    const FormulaNode* length = formula ? joined_length(*formula) : nullptr;
    throw Error({learning, length ? to_string(length->place) : std::string(), expected,
                 got + (length ? " (\"" + length->text + "\" counts all of them)" : "")});
}

/// Throws Error where the first rows of the output are others when queries follow, or, of queries that are
/// asked one at a time, where a row is another without the others: numbers are tried, since no operation says
/// by itself which rows it reads.
void require_separate(const GraphAttention& attention, const GraphSite& site) {
    const bool is_self = attention.spec().source.type == SourceType::self;
    const bool has_keys_of_its_sequence = !is_self && site.is_one_sequence;
    ParameterLayout layout;
    const NamedWeights weights = attention.add_parameters(layout, "");
    const InfiniteLine line;
    for (const std::uint64_t seed : {1, 2}) {
        const std::vector<double> numbers = layout.initial_values<double>(seed);
        Tape<double> tape(numbers);
        const auto drawn = [&](const char* name, Index rows, Index width) {
            const Variable<double> tokens = tape.constant(rows, width);
            for (Index i = 0; i < tokens.size(); ++i)
                tokens.value[i] =
                    4 * uniform(substream(substream(seed, name), static_cast<std::uint64_t>(i))) - 2;
            return tokens;
        };
        const Index most = std::min(tokens_ahead, site.queries);
        const Variable<double> query = drawn("query", most, site.width);
        const Variable<double> key =
            is_self ? Variable<double>()
                    : drawn("key", has_keys_of_its_sequence ? most : std::min(tried_tokens, site.keys),
                            site.width_of_keys());
        const auto output_of = [&](Index first, Index queries) {
            const Variable<double> known = has_keys_of_its_sequence ? key.row_range(0, queries) : key;
            return attention.attend<double>(tape, {1, query.row_range(first, queries), known, {}, {}, 0},
                                            weights);
        };
        const Variable<double> whole = output_of(0, most);
        // The first row that is another without the queries around these; nothing where none is.
        const auto difference = [&](Index first, Index queries) -> std::optional<Index> {
            const Variable<double> part = output_of(first, queries);
            const double* expected = whole.row(first);
            for (Index i = 0; i < part.size(); ++i) {
                if (std::isnan(part.value[i]) || std::isnan(expected[i]))
                    refuse_nan(attention.spec(), line, first + i / part.columns, most);
                if (!(std::abs(part.value[i] - expected[i]) <= 1e-9 * (1 + std::abs(expected[i]))))
                    return i / part.columns;
            }
            return {};
        };
        for (Index first = 0; site.has_lone_queries && first < most; first += first < 3 ? 1 : 5)
            if (difference(first, 1))
                refuse_dependence(
                    attention.spec(),
                    "queries that are asked one at a time: what each gets depends on no other query, "
                    "nor on its place",
                    "output " + std::to_string(1 + first) + " of " + std::to_string(most) +
                        ", which is another when it is asked alone");
        if (site.has_lone_queries)  // rows that need no other query are the same in any part
            continue;
        std::vector<Index> parts{most / 2 + 3};
        for (Index queries = 1; queries <= tried_tokens; ++queries)
            parts.push_back(queries);
        for (const Index queries : parts) {
            if (queries >= most)
                continue;
            if (const auto row = difference(0, queries))
                refuse_dependence(attention.spec(),
                                  "in a decoder, queries that do not depend on those after them",
                                  "output " + std::to_string(1 + *row) + " of " + std::to_string(queries) +
                                      ", which is another with " + std::to_string(most) + " tokens");
        }
    }
}

}  // namespace

GraphAttention::GraphAttention(const AttentionSpec& spec, const GraphSite& site)
    : programs_(std::make_unique<Programs>(spec, site)) {
    const bool has_a_key_for_each_query = programs_->is_self() || site.is_one_sequence;
    const Index most = std::min({tried_tokens, site.queries, site.keys});
    for (Index tokens = most; tokens > 0; --tokens) {
        auto run = site.has_lone_queries ? programs_->take(1, tokens)
                                         : programs_->take(tokens, has_a_key_for_each_query ? tokens : most);
        const LengthProgram& program = *run->program;
        if (tokens == most) {
            require_gradient(program);
            for (const StoppedGradient& each : stopped_gradients(program.graph, program.output))
                for (const std::string& reason : each.reasons)
                    programs_->unlearned.push_back(each.tensor + ": " + reason);
        }
        programs_->give_back(std::move(run));
    }
    if (site.has_separate_queries || site.has_lone_queries)
        require_separate(*this, site);
}

GraphAttention::~GraphAttention() = default;

const AttentionSpec& GraphAttention::spec() const { return programs_->spec(); }
const std::vector<ParameterInfo>& GraphAttention::parameters() const { return programs_->parameters(); }
Index GraphAttention::output_width() const { return programs_->output_width(); }
const std::vector<std::string>& GraphAttention::unlearned() const { return programs_->unlearned; }
std::uint64_t GraphAttention::draws() { return substream(0, "draws of a site"); }

NamedWeights GraphAttention::add_parameters(ParameterLayout& layout, const std::string& prefix,
                                            const NamedWeights& tied) const {
    NamedWeights weights;
    for (const ParameterInfo& info : parameters()) {
        if (tied.has(info.name))
            weights.set(info.name, tied[info.name]);
        else
            weights.add(layout, prefix, {info});
    }
    return weights;
}

template <class Real>
Variable<Real> GraphAttention::attend(Tape<Real>& tape, const GraphOperands<Real>& operands,
                                      const NamedWeights& weights, Variable<Real>* maps) const {
    GraphCall<Real, Programs> call;
    call.programs = programs_.get();
    call.weights = &weights;
    call.query = operands.query;
    call.key = operands.key;
    call.batch = operands.batch;
    call.queries = operands.query.rows / operands.batch;
    call.keys = programs_->is_self() ? call.queries : operands.key.rows / operands.batch;
    call.first = operands.first;
    const auto lengths = [&](std::span<const Index> given, Index all) {
        const std::vector<Index> same(static_cast<std::size_t>(call.batch), all);
        return tape.room_for_indices(given.empty() ? std::span<const Index>(same) : given);
    };
    call.query_lengths = lengths(operands.query_lengths, call.queries);
    call.key_lengths = lengths(operands.key_lengths, call.keys);
    const Index rows = call.queries - call.first;
    call.output = tape.variable(rows * call.batch, programs_->output_width());
    std::fill_n(call.output.value, call.output.size(), Real(0));
    if (maps)
        *maps = {};
    const auto keep = [&](const ProgramRun& run, Index sequence) {
        const Index length = call.query_lengths[sequence], keys = call.key_length(sequence);
        const LengthProgram& program = *run.program;
        const auto output = run.values.of(program.output);
        if (InfiniteLine* asked = InfiniteLine::asked_;
            asked && asked->causes_.empty() && !are_finite(output))
            asked->causes_ = infinite_line_of(run);
        call.for_each_number(call.output, sequence, length - call.first, [&](Index from, Index to) {
            call.output.value[to] =
                static_cast<Real>(output[static_cast<std::size_t>(call.first * call.output.columns + from)]);
        });
        if (maps && program.weights) {
            const Index heads = program.plan->heads;
            if (!maps->value) {
                *maps = tape.constant(call.batch * heads * rows, call.keys);
                std::fill_n(maps->value, maps->size(), Real(0));
            }
            const auto map = run.values.of(*program.weights);
            for (Index head = 0; head < heads; ++head)
                for (Index query = call.first; query < length; ++query)
                    for (Index key = 0; key < keys; ++key)
                        maps->row((sequence * heads + head) * rows + query - call.first)[key] =
                            static_cast<Real>(
                                map[static_cast<std::size_t>((head * length + query) * keys + key)]);
        }
    };
    call.run_all(tape, keep, [](const ProgramRun&) {});
    tape.on_backward([call](Tape<Real>& t) { call.run_backward(t); });
    return call.output;
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> GraphAttention::attend(Tape<Real>&, const GraphOperands<Real>&,                  \
                                                   const NamedWeights&, Variable<Real>*) const;
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
