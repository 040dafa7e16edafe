// The sum over the features of each query and each key, and what it is made of.
#include "core/graph/differentiate.h"
#include "core/graph/graph_kernels.h"
#include "core/graph/graph_values.h"
#include "core/graph/operation.h"
#include "core/graph/pair_runs.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace headlight {
namespace {

Extent side_shape(const ExpressionNode&, std::span<const Extent> operands) {
    return {operands[0].heads, 1, operands[0].columns};
}
TensorAxes query_axes(const ExpressionNode&, std::span<const TensorAxes> operands) {
    return {operands[0].rows, CountedAxis::unknown};
}
TensorAxes key_axes(const ExpressionNode&, std::span<const TensorAxes> operands) {
    return {CountedAxis::unknown, operands[0].rows};
}

/// Adds the extents of a summand: heads, rows of the queries, rows of the keys.
void add_pair_extents(const Expression& part, Extent& pairs) {
    const ExpressionNode& node = *part;
    const bool is_side = description_of(node.operation).family == OperationFamily::side;
    if (is_side || node.operation == Operation::tensor) {
        const Extent& whole = is_side ? node.operands.front().extent() : node.extent;
        pairs.heads = std::max(pairs.heads, whole.heads);
        if (node.operation == Operation::left_row)
            pairs.rows = whole.rows;
        if (node.operation == Operation::right_row)
            pairs.columns = whole.rows;
        return;
    }
    for (const Expression& each : node.operands)
        add_pair_extents(each, pairs);
}

Extent pairs_shape(const ExpressionNode& node, std::span<const Extent> /*operands*/) {
    Extent pairs;
    add_pair_extents(node.operands.front(), pairs);
    return pairs;
}

}  // namespace

/// What evaluates a summand, and differentiates it.
struct PairRun {
    explicit PairRun(const PairBody& body)
        : values(body.graph), differentiation(body.graph), rows(body.sides.size()) {}

    GraphValues values;
    Differentiation differentiation;
    std::vector<std::vector<double>> rows;  ///< the query's row of each operand that is the query's
};

/// To plan it takes longer than a short sequence's sum: what is small is kept for the next.
struct PairRuns {
    std::unique_ptr<PairRun> take(const PairBody& body) {
        std::unique_lock lock(mutex);
        if (idle)
            return std::move(idle);
        lock.unlock();
        return std::make_unique<PairRun>(body);
    }
    void give_back(const PairBody& body, std::unique_ptr<PairRun> run) {
        if (bytes_of_kept_run(body) == 0)
            return;
        const std::lock_guard lock(mutex);
        idle = std::move(run);
    }

    std::mutex mutex;
    std::unique_ptr<PairRun> idle;  ///< of several threads the last one's
};

std::shared_ptr<PairRuns> no_pair_runs() { return std::make_shared<PairRuns>(); }

double bytes_of_kept_run(const PairBody& body) {
    constexpr double most_bytes = 1 << 18;
    double bytes = 0;
    for (const GraphStep& step : body.graph.steps())  // its numbers, and their gradients
        bytes += 2 * sizeof(double) * static_cast<double>(step.extent.size());
    return bytes <= most_bytes ? bytes : 0;
}

namespace {

/// The summand of one query after another.
class PairSums {
public:
    explicit PairSums(const OperationCall& call)
        : call_(call), body_(*call.body), run_(body_.runs->take(body_)), values_(run_->values),
          rows_(run_->rows) {
        for (std::size_t i = 0; i < body_.sides.size(); ++i)
            if (body_.sides[i] != PairBody::Side::query)
                values_.set(body_.given[i], whole(call.operands[i]));
    }

    ~PairSums() { body_.runs->give_back(body_, std::move(run_)); }
    PairSums(const PairSums&) = delete;
    PairSums& operator=(const PairSums&) = delete;

    const GraphValues& values() const { return values_; }
    Differentiation& differentiation() const { return run_->differentiation; }
    Extent summand_extent() const { return body_.graph.steps()[body_.result].extent; }
    OperandNumbers summand() const { return {values_.of(body_.result).data(), summand_extent()}; }

    /// Sums over the first keys; behind them nobody reads anything.
    void run(Index query, Index keys) {
        Interruption::check();
        for (std::size_t i = 0; i < body_.sides.size(); ++i) {
            if (body_.sides[i] != PairBody::Side::query)
                continue;
            const OperandNumbers& x = call_.operands[i];
            rows_[i].clear();
            for (Index head = 0; head < x.extent.matrices(); ++head) {
                const double* row = x.numbers + x.at({head, query, 0});
                rows_[i].insert(rows_[i].end(), row, row + x.extent.columns);
            }
            values_.set(body_.given[i], rows_[i]);
        }
        values_.run_first_rows(keys);
    }

    /// One past the last key of which somebody reads the query's sum.
    Index keys_read(Index query) const {
        const OperandNumbers& where = call_.read_where;
        Index end = where.numbers ? 0 : call_.extent.columns;
        for (Index head = 0; where.numbers && head < where.extent.matrices(); ++head)
            for (Index key = call_.extent.columns; key > end; --key)
                if (where.numbers[where.at({head, query, key - 1})] != 0)
                    end = key;
        return end;
    }

    /// Adds the gradients of a query's row to those of the whole operand.
    static void add_gradient(Index query, const OperandNumbers& x, std::span<const double> from, double* to) {
        for (Index head = 0; head < x.extent.matrices(); ++head)
            for (Index column = 0; column < x.extent.columns; ++column)
                to[x.at({head, query, 0}) + column] +=
                    from[static_cast<std::size_t>(head * x.extent.columns + column)];
    }

private:
    static std::span<const double> whole(const OperandNumbers& x) {
        return {x.numbers, static_cast<std::size_t>(x.extent.size())};
    }

    const OperationCall& call_;
    const PairBody& body_;
    std::unique_ptr<PairRun> run_;
    GraphValues& values_;
    std::vector<std::vector<double>>& rows_;
};

void run_pairs(const OperationCall& call, double* result) {
    PairSums sums(call);
    const Index features = sums.summand_extent().columns;
    const auto& by = graph_arithmetic();
    for (Index query = 0; query < call.extent.rows; ++query) {
        const Index keys = sums.keys_read(query);
        if (keys > 0)
            sums.run(query, keys);
        const OperandNumbers summand = sums.summand();
        for (Index head = 0; head < call.extent.matrices(); ++head) {
            double* const row = result + (head * call.extent.rows + query) * call.extent.columns;
            for (Index key = 0; key < keys; ++key)
                row[key] = by.sum(summand.numbers + summand.at({head, key, 0}), features);
            std::fill(row + keys, row + call.extent.columns, 0.0);
        }
    }
}

/// Computes each query's summand again: to keep all of them would take n m d numbers.
void backward_pairs(const OperationCall& call, const double* /*result*/, const double* gradient,
                    std::span<double* const> gradients) {
    PairSums sums(call);
    Differentiation& body = sums.differentiation();
    for (const std::size_t given : call.body->given)
        body.clear(given);
    const Extent extent = sums.summand_extent();
    std::vector<double> slopes(static_cast<std::size_t>(extent.size()));
    for (Index query = 0; query < call.extent.rows; ++query) {
        const Index keys = sums.keys_read(query);
        if (keys == 0)
            continue;
        sums.run(query, keys);
        std::ranges::fill(slopes, 0.0);
        const OperandNumbers summand = sums.summand();
        for (Index head = 0; head < call.extent.matrices(); ++head)
            for (Index key = 0; key < keys; ++key) {
                double* terms = slopes.data() + summand.at({head, key, 0});
                for (Index feature = 0; feature < extent.columns; ++feature)
                    terms[feature] += gradient[(head * call.extent.rows + query) * call.extent.columns + key];
            }
        body.add(sums.values(), call.body->result, slopes);
        for (std::size_t i = 0; i < gradients.size(); ++i)
            if (gradients[i] && call.body->sides[i] == PairBody::Side::query) {
                sums.add_gradient(query, call.operands[i], body.of(call.body->given[i]), gradients[i]);
                body.clear(call.body->given[i]);
            }
    }
    for (std::size_t i = 0; i < gradients.size(); ++i)
        if (gradients[i] && call.body->sides[i] != PairBody::Side::query) {
            const auto from = body.of(call.body->given[i]);
            graph_arithmetic().add(from.data(), std::ssize(from), gradients[i]);
        }
}

}  // namespace

std::span<const OperationDescription> pair_operations() {
    static const std::array table{
        OperationDescription{
            .operation = Operation::sum_of_pairs,
            .name = "sum of pairs",
            .family = OperationFamily::reduction,
            .shape = pairs_shape,
            .axes = axes_of_operand,
            .run = run_pairs,
            .backward = backward_pairs,
            .python = {.form = PythonSpelling::Form::pattern,
                       .pattern = {"{0:atom}.sum({axis}=-1)"},
                       .formula = {"sum({0})"}},
            .cell = {.form = CellSpelling::Form::pattern, .pattern = {"SUMPRODUCT({0:pairs})"}},
            .print = {.form = PrintSpelling::Form::structure, .symbols = {"Σ {0:term}", PrintBinding::term}}},
        OperationDescription{.operation = Operation::left_row,
                             .name = "row of the query",
                             .family = OperationFamily::side,
                             .shape = side_shape,
                             .axes = query_axes,
                             .no_derivative = "it is a part of a sum of pairs, which passes gradients",
                             .python = {.form = PythonSpelling::Form::pattern,
                                        .pattern = {"{0:atom}[..., :, None, :]"},
                                        .formula = {"{0:atom}[:, None]"}},
                             .cell = {.form = CellSpelling::Form::structure},
                             .print = {.form = PrintSpelling::Form::structure, .symbols = {"{0}"}}},
        OperationDescription{.operation = Operation::right_row,
                             .name = "row of the key",
                             .family = OperationFamily::side,
                             .shape = side_shape,
                             .axes = key_axes,
                             .no_derivative = "it is a part of a sum of pairs, which passes gradients",
                             .python = {.form = PythonSpelling::Form::pattern,
                                        .pattern = {"{0:atom}[..., None, :, :]"},
                                        .formula = {"{0:atom}[None, :]"}},
                             .cell = {.form = CellSpelling::Form::structure},
                             .print = {.form = PrintSpelling::Form::structure, .symbols = {"{0}"}}},
    };
    return table;
}

}  // namespace headlight
