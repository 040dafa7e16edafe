// Small graphs of a tape's operations, drawn at random, against central differences: operands that several
// operations share, cut, reshape or take over, and weights that are used more than once, in orders that
// nobody thought of.

#include "core/nn/attention.h"
#include "core/nn/operations.h"
#include "core/nn/recurrent.h"
#include "core/tensor/random.h"
#include "tests/support/differences.h"

namespace headlight::nn_graphs_test {

using namespace nn;
using namespace test;

namespace {

using Matrix = Variable<double>;

constexpr int operations = 12;

struct Weights {
    Index width;
    ParameterLayout layout{};
    Weight leaves[2] = {layout.add("leaf 0", 6, width), layout.add("leaf 1", 3, width)};
    Weight matrices[2] = {layout.add("W 0", width, width), layout.add("W 1", width, width)};
    Weight rows[2] = {layout.add("b 0", 1, width), layout.add("b 1", 1, width)};
    Cell cell = add_cell(layout, "cell", CellType::gru, width, width);
};

/// Matrices as wide as the weights. The same seed, the same graph.
class Graph {
public:
    Graph(Tape<double>& tape, const Weights& weights, std::uint64_t seed)
        : tape_(tape), weights_(weights), width_(weights.width), seed_(seed) {
        for (const Weight& leaf : weights.leaves)
            nodes_.push_back({tape.weight(leaf), -1});
        const Matrix constant = tape.constant(5, width_);
        for (Index i = 0; i < constant.size(); ++i)
            constant.value[i] = 0.1 * static_cast<double>(i) - 1;
        nodes_.push_back({constant, -1});
    }

    Matrix loss() {
        for (int i = 0; i < operations; ++i)
            grow();
        Matrix loss = weighted_sum(tape_, nodes_.back().matrix);
        for (const Node& node : nodes_)
            if (draw(4) == 0)
                loss = add(tape_, loss, weighted_sum(tape_, node.matrix));
        return loss;
    }

private:
    struct Node {
        Matrix matrix;
        int owner;  ///< of its gradient, which views share; negative: add_affine may not take it over
    };

    Index draw(Index below) {
        return static_cast<Index>(uniform(substream(seed_, draws_++)) * static_cast<double>(below));
    }
    Weight matrix() { return weights_.matrices[draw(2)]; }
    Weight row() { return weights_.rows[draw(2)]; }
    const Node& any() { return nodes_[static_cast<std::size_t>(draw(std::ssize(nodes_)))]; }
    void keep(Matrix made) { nodes_.push_back({made, owners_++}); }

    /// A view of the matrix where it has so many rows, else some of its rows again and again.
    Matrix with_rows(Matrix of, Index count) {
        if (count <= of.rows)
            return of.row_range(draw(of.rows - count + 1), count);
        std::vector<Index> rows(static_cast<std::size_t>(count), -1);
        for (Index& row : rows)
            row = draw(of.rows + 1) - 1;
        return take_rows<double>(tape_, of, rows);
    }

    void attend(Matrix query, bool at_once) {
        const Index batch = 1 + draw(2);
        const Pairing p{batch, 1 + draw(2), query.rows / batch, draw(4)};
        query = with_rows(query, p.queries * batch);
        const Matrix key = with_rows(any().matrix, p.keys * batch),
                     value = with_rows(draw(2) ? key : any().matrix, p.keys * batch);
        std::vector<Index> lengths(static_cast<std::size_t>(batch), p.keys);
        lengths.back() = draw(p.keys + 1);
        const Allowed allowed{lengths, draw(2) == 0};
        if (at_once)
            return keep(soft_attention(tape_, p, query, key, value, allowed, 0.4, 1.2));
        const Matrix scores =
            draw(2) ? dot_scores(tape_, p, query, key, 0.3)
                    : energy_scores(tape_, p, query, key,
                                    tape_.weight(row()).reshaped(p.heads, width_ / p.heads).row_range(0, 1),
                                    Activation::tanh);
        keep(mix_values(tape_, p, softmax(tape_, mask_scores(tape_, p, scores, allowed), 0.9), value));
    }

    /// What shares the gradient of `sum` is no operand from here on.
    void take_over(Node sum) {
        if (sum.owner < 0)
            return;
        Node x = any();
        if (x.owner == sum.owner)
            x.matrix = activate(tape_, x.matrix, Activation::sigmoid);
        x.matrix = with_rows(x.matrix, sum.matrix.rows);
        const Weight by = matrix();
        sum.matrix = add_affine(tape_, sum.matrix, x.matrix, by, row());
        std::erase_if(nodes_, [&](const Node& node) { return node.owner == sum.owner; });
        nodes_.push_back(sum);
    }

    void scan_steps(Matrix a, Matrix b) {
        const Index batch = 1 + draw(2), steps = 1 + draw(2);
        const Matrix gates =
            affine(tape_, with_rows(a, batch * steps), weights_.cell.input, weights_.cell.input_bias);
        const auto direction = draw(2) ? Direction::forward : Direction::backward;
        keep(scan<double>(tape_, weights_.cell, gates, {with_rows(b, batch), {}}, {}, direction).hidden);
    }

    void grow() {
        const Node first = any();
        const Matrix a = first.matrix, b = with_rows(any().matrix, a.rows);
        const std::function<void()> ways[] = {
            [&] { keep(product(tape_, a, matrix())); },
            [&] { keep(affine(tape_, a, weights_.matrices[0], row(), Activation::tanh)); },
            [&] { keep(add_product(tape_, a, b, matrix())); },
            [&] { keep(add(tape_, a, b)); },
            [&] { keep(multiply(tape_, activate(tape_, a, Activation::tanh), b)); },
            [&] { keep(add_row(tape_, a, tape_.weight(row()))); },
            [&] { keep(gelu(tape_, a)); },
            [&] { keep(scale(tape_, a.reshaped(2 * a.rows, width_ / 2), 0.7).reshaped(a.rows, width_)); },
            [&] { keep(layer_norm(tape_, add_row(tape_, a, tape_.weight(row())), row(), row())); },
            [&] { keep(column_range(tape_, join_columns(tape_, a, b), 1 + draw(3), width_)); },
            [&] {
                keep(join_rows<double>(tape_, std::vector{b, a.row_range(0, a.rows / 2)}));
            },
            [&] { keep(dropout(tape_, a, 0.3, substream(seed_, "dropout"))); },
            [&] {
                nodes_.push_back({a.row_range(0, draw(a.rows + 1)), first.owner});
            },
            [&] { scan_steps(a, b); },
            [&] { take_over(first); },
            [&] { take_over(nodes_.back()); },
            [&] { attend(a, false); },
            [&] { attend(a, true); },
        };
        ways[draw(std::ssize(ways))]();
    }

    Tape<double>& tape_;
    const Weights& weights_;
    Index width_;
    std::uint64_t seed_, draws_ = 0;
    std::vector<Node> nodes_;
    int owners_ = 0;
};

class Graphs : public testing::TestWithParam<Index> {};

TEST_P(Graphs, HaveTheGradientOfDifferences) {
    const Weights weights{GetParam()};
    const std::vector<double> numbers = weights.layout.initial_values<double>(1);
    std::vector<double> gradient(numbers.size());
    Tape<double> reused(numbers, gradient);
    for (std::uint64_t seed = 0; seed < 60 && !HasFailure(); ++seed) {
        SCOPED_TRACE("graph " + std::to_string(seed));
        const Loss loss = [&](Tape<double>& tape) { return Graph(tape, weights, seed).loss(); };
        expect_gradients(numbers, loss);
        // What a tape keeps from graph to graph shows in none of them.
        std::ranges::fill(gradient, 0);
        reused.clear();
        reused.backward(loss(reused));
        EXPECT_EQ(gradient, gradient_at(numbers, loss));
    }
}

/// Gradients whose rows are whole vectors are multiplied where they lie, others are packed.
INSTANTIATE_TEST_SUITE_P(Widths, Graphs, testing::Values(4, 8), testing::PrintToStringParamName());

}  // namespace

}  // namespace headlight::nn_graphs_test
