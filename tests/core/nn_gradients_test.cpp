// Every operation of core/nn against central differences, in double.

#include "core/nn/attention.h"
#include "core/nn/operations.h"
#include "core/nn/recurrent.h"
#include "core/tensor/random.h"
#include "core/tensor/sanitizers.h"
#include "tests/support/differences.h"

#include <array>

namespace headlight::nn_gradients_test {

using namespace nn;
using namespace test;

namespace {

using Matrix = Variable<double>;
using DoubleTape = Tape<double>;

/// Operands by their extents, and what is done with them. The loss is the weighted_sum of the result.
struct Case {
    std::string name;
    std::vector<std::pair<Index, Index>> operands;
    std::function<Matrix(DoubleTape&, const std::vector<Weight>&)> apply;
};
void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

std::vector<Case> cases() {
    std::vector<Case> all;
    const auto add_case = [&](std::string name, std::vector<std::pair<Index, Index>> operands, auto apply) {
        all.push_back({std::move(name), std::move(operands), apply});
    };
    const auto unary = [&](const char* name, auto operation) {
        add_case(name, {{3, 5}}, [operation](DoubleTape& tape, const std::vector<Weight>& w) {
            return operation(tape, tape.weight(w[0]));
        });
    };
    const auto binary = [&](const char* name, std::pair<Index, Index> second, auto operation) {
        add_case(name, {{3, 5}, second}, [operation](DoubleTape& tape, const std::vector<Weight>& w) {
            return operation(tape, tape.weight(w[0]), tape.weight(w[1]));
        });
    };

    add_case("product", {{3, 5}, {5, 4}}, [](DoubleTape& tape, const std::vector<Weight>& w) {
        return product(tape, tape.weight(w[0]), w[1]);
    });
    add_case("product_used_twice", {{3, 4}, {4, 4}}, [](DoubleTape& tape, const std::vector<Weight>& w) {
        return product(tape, product(tape, tape.weight(w[0]), w[1]), w[1]);
    });
    add_case("product_with_rows_of_a_matrix", {{3, 2}, {5, 4}},
             [](DoubleTape& tape, const std::vector<Weight>& w) {
                 return product(tape, tape.weight(w[0]), w[1].row_range(2, 2));
             });
    add_case("affine", {{3, 5}, {5, 19}, {1, 19}}, [](DoubleTape& tape, const std::vector<Weight>& w) {
        return affine(tape, tape.weight(w[0]), w[1], w[2]);
    });
    add_case("add_product", {{3, 4}, {3, 5}, {5, 4}}, [](DoubleTape& tape, const std::vector<Weight>& w) {
        return add_product(tape, tape.weight(w[0]), tape.weight(w[1]), w[2]);
    });
    add_case("add_affine", {{3, 4}, {3, 5}, {5, 4}, {1, 4}},
             [](DoubleTape& tape, const std::vector<Weight>& w) {
                 const Matrix sum = scale(tape, tape.weight(w[0]), 1.3);
                 return add_affine(tape, sum, tape.weight(w[1]), w[2], w[3]);
             });
    add_case("add_affine_twice_to_what_was_read", {{3, 4}, {4, 4}, {1, 4}},
             [](DoubleTape& tape, const std::vector<Weight>& w) {
                 Matrix sum = scale(tape, tape.weight(w[0]), 1.3);
                 for (int i = 0; i < 2; ++i)
                     sum = add_affine(tape, sum, activate(tape, sum, Activation::tanh), w[1], w[2]);
                 return sum;
             });
    binary("add", {3, 5}, [](auto& tape, Matrix a, Matrix b) { return add(tape, a, b); });
    binary("multiply", {3, 5}, [](auto& tape, Matrix a, Matrix b) { return multiply(tape, a, b); });
    binary("add_row", {1, 5}, [](auto& tape, Matrix a, Matrix b) { return add_row(tape, a, b); });
    binary("join_columns", {3, 2}, [](auto& tape, Matrix a, Matrix b) { return join_columns(tape, a, b); });
    binary("join_several_columns", {3, 2}, [](auto& tape, Matrix a, Matrix b) {
        return join_columns<double>(tape, std::array{a, b, a});
    });
    binary("join_rows", {2, 5}, [](auto& tape, Matrix a, Matrix b) {
        return join_rows<double>(tape, std::vector{a, b, a});
    });
    unary("scale", [](auto& tape, Matrix a) { return scale(tape, a, -1.5); });
    unary("gelu", [](auto& tape, Matrix a) { return gelu(tape, a); });
    unary("dropout", [](auto& tape, Matrix a) { return dropout(tape, a, 0.4, 11); });
    unary("column_range", [](auto& tape, Matrix a) { return column_range(tape, a, 1, 3); });
    unary("take_rows", [](auto& tape, Matrix a) {
        return take_rows(tape, a, std::vector<Index>{2, 0, -1, 2});
    });
    for (const auto& [name, activation] :
         {std::pair{"tanh", Activation::tanh}, {"sigmoid", Activation::sigmoid}, {"relu", Activation::relu}})
        unary(name,
              [activation = activation](auto& tape, Matrix a) { return activate(tape, a, activation); });
    add_case("layer_norm", {{3, 5}, {1, 5}, {1, 5}}, [](DoubleTape& tape, const std::vector<Weight>& w) {
        return layer_norm(tape, tape.weight(w[0]), w[1], w[2]);
    });
    unary("cross_entropy", [](auto& tape, Matrix a) {
        return cross_entropy<double>(tape, a, std::vector<Index>{4, -1, 0}, 2.0,
                                     std::vector<double>{1, 1, 0.5});
    });

    for (const auto& [name, type] :
         {std::pair{"rnn", CellType::rnn}, {"gru", CellType::gru}, {"lstm", CellType::lstm}})
        for (const Direction direction : {Direction::forward, Direction::backward})
            for (const bool ragged : {false, true}) {
                std::string full =
                    std::string(name) + (direction == Direction::forward ? "_forward" : "_backward");
                full += ragged ? "_of_several_lengths" : "";
                const Index g = gates_of(type) * 3;
                add_case(full, {{8, g}, {3, g}, {1, g}, {2, 3}, {2, 3}},
                         [type = type, direction, ragged](DoubleTape& tape, const std::vector<Weight>& w) {
                             Cell cell;
                             cell.type = type;
                             cell.width = 3;
                             cell.hidden = w[1];
                             cell.hidden_bias = w[2];
                             const bool has_memory = type == CellType::lstm;
                             const State<double> first{tape.weight(w[3]),
                                                       has_memory ? tape.weight(w[4]) : Matrix{}};
                             const States<double> states =
                                 scan(tape, cell, tape.weight(w[0]), first,
                                      ragged ? std::vector<Index>{2, 4} : std::vector<Index>{}, direction);
                             return has_memory ? join_columns(tape, states.hidden, states.memory)
                                               : states.hidden;
                         });
            }

    struct Extent {
        std::string name;
        Pairing pairing;
    };
    for (const Extent& extent : {Extent{"one_query", {2, 1, 1, 4}}, Extent{"heads", {2, 2, 3, 4}},
                                 Extent{"one_head", {3, 1, 3, 3}}}) {
        const Pairing p = extent.pairing;
        const std::pair queries{p.queries * p.batch, p.heads * 3}, keys{p.keys * p.batch, p.heads * 3};
        add_case("dot_scores_" + extent.name, {queries, keys},
                 [p](DoubleTape& tape, const std::vector<Weight>& w) {
                     return dot_scores(tape, p, tape.weight(w[0]), tape.weight(w[1]), 0.7);
                 });
        for (const auto& [name, activation] : {std::pair{"tanh", Activation::tanh},
                                               {"relu", Activation::relu},
                                               {"sigmoid", Activation::sigmoid},
                                               {"identity", Activation::identity}})
            add_case("energy_scores_" + std::string(name) + "_" + extent.name, {queries, keys, {1, 3}},
                     [p, activation = activation](DoubleTape& tape, const std::vector<Weight>& w) {
                         return energy_scores(tape, p, tape.weight(w[0]), tape.weight(w[1]),
                                              tape.weight(w[2]), activation);
                     });
        add_case("mix_values_" + extent.name, {{p.map_rows(), p.keys}, keys},
                 [p](DoubleTape& tape, const std::vector<Weight>& w) {
                     return mix_values(tape, p, tape.weight(w[0]), tape.weight(w[1]));
                 });
        for (const bool causal : {false, true})
            add_case(std::string(causal ? "causal_soft_attention_" : "soft_attention_") + extent.name,
                     {queries, keys, {keys.first, p.heads * 2}},
                     [p, causal](DoubleTape& tape, const std::vector<Weight>& w) {
                         std::vector<Index> lengths(static_cast<std::size_t>(p.batch), p.keys);
                         lengths.back() = 2;
                         return soft_attention(tape, p, tape.weight(w[0]), tape.weight(w[1]),
                                               tape.weight(w[2]), {lengths, causal}, 0.7, 0.8);
                     });
        for (const bool causal : {false, true})
            add_case(std::string(causal ? "causal_softmax_" : "softmax_") + extent.name,
                     {{p.map_rows(), p.keys}}, [p, causal](DoubleTape& tape, const std::vector<Weight>& w) {
                         std::vector<Index> lengths(static_cast<std::size_t>(p.batch), 2);
                         lengths.back() = 0;  // of whose keys none counts
                         const Matrix masked = mask_scores(tape, p, tape.weight(w[0]), {lengths, causal});
                         return softmax(tape, masked, 0.8);
                     });
    }
    add_case("soft_attention_of_overlapping_rows", {{8, 6}},
             [](DoubleTape& tape, const std::vector<Weight>& w) {
                 // A row apart: the keys of a sequence are queries of the other one.
                 const Matrix query = scale(tape, tape.weight(w[0]), 1.1), key = query.row_range(1, 6);
                 return soft_attention(tape, {2, 2, 4, 3}, query, key, key, {}, 0.7);
             });
    return all;
}

class EveryOperation : public testing::TestWithParam<Case> {};

TEST_P(EveryOperation, HasTheGradientOfDifferences) {
    const Case& each = GetParam();
    ParameterLayout layout;
    std::vector<Weight> operands;
    for (const auto& [rows, columns] : each.operands)
        operands.push_back(layout.add("operand " + std::to_string(operands.size()), rows, columns));
    std::vector<double> weights(static_cast<std::size_t>(layout.size()));
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = 3 * uniform(substream(3, i)) - 1.5;
    expect_gradient(layout, weights,
                    [&](DoubleTape& tape) { return weighted_sum(tape, each.apply(tape, operands)); });
}

INSTANTIATE_TEST_SUITE_P(Operations, EveryOperation, testing::ValuesIn(cases()),
                         [](const auto& row) { return row.param.name; });

TEST(Tape, TrainingAllocatesNothingAfterTheFirstBatch) {
#ifdef HEADLIGHT_ADDRESS_SANITIZER
    GTEST_SKIP() << "each piece has a chunk of its own, so that the sanitizer sees its end";
#endif
    ParameterLayout layout;
    const Weight matrix = layout.add("W", 300, 300);
    const std::vector<float> weights = layout.initial_values<float>(1);
    std::vector<float> gradient(weights.size());
    Tape<float> tape(weights, gradient);
    const auto once = [&] {
        tape.clear();
        Variable<float> x = tape.weight(matrix);
        for (int i = 0; i < 8; ++i)
            x = product(tape, x, matrix);
        tape.backward(sum(tape, x));
        return x.value;
    };
    once();
    const float* second = once();
    EXPECT_EQ(once(), second);
}

TEST(Tape, GradientsAddUp) {
    ParameterLayout layout;
    const Weight row = layout.add("row", 1, 3);
    const std::vector<double> weights{1, 2, 3};
    std::vector<double> gradient{10, 10, 10};
    Tape<double> tape(weights, gradient);
    const Matrix x = tape.weight(row);
    tape.backward(sum(tape, multiply(tape, x, x)));
    EXPECT_EQ(gradient, (std::vector<double>{12, 14, 16}));
}

/// A fused operation computes the very numbers of those that it is made of: whoever looks on, or drops out,
/// gets these instead.
class FusedOperation : public testing::Test {
protected:
    using Apply = std::function<Variable<float>(Tape<float>&)>;

    struct Outcome {
        std::vector<float> values, gradients;
        bool operator==(const Outcome&) const = default;
    };
    Outcome outcome(const Apply& apply) const {
        const std::vector<float> weights = layout.initial_values<float>(5);
        Outcome got;
        got.gradients.resize(weights.size());
        Tape<float> tape(weights, got.gradients);
        const Variable<float> y = apply(tape);
        tape.backward(sum(tape, multiply(tape, y, y)));
        got.values.assign(y.values().begin(), y.values().end());
        return got;
    }

    ParameterLayout layout;
};

TEST_F(FusedOperation, SoftAttentionIsItsParts) {
    for (const Pairing p : {Pairing{.batch = 3, .heads = 2, .queries = 5, .keys = 7},
                            Pairing{.batch = 2, .heads = 4, .queries = 1, .keys = 20},
                            Pairing{.batch = 1, .heads = 1, .queries = 13, .keys = 33}})
        for (const bool causal : {false, true}) {
            layout = {};
            const Weight query = layout.add("q", p.queries * p.batch, p.heads * 8);
            const Weight key = layout.add("k", p.keys * p.batch, p.heads * 8);
            const Weight value = layout.add("v", p.keys * p.batch, p.heads * 6);
            std::vector<Index> lengths(static_cast<std::size_t>(p.batch), p.keys);
            lengths.back() = 4;
            lengths.front() = p.batch > 1 ? 0 : p.keys;  // no key counts
            const Allowed allowed{lengths, causal};
            EXPECT_EQ(outcome([&](Tape<float>& tape) {
                          return soft_attention(tape, p, tape.weight(query), tape.weight(key),
                                                tape.weight(value), allowed, 0.3F, 1.7F);
                      }),
                      outcome([&](Tape<float>& tape) {
                          const auto scores = dot_scores(tape, p, tape.weight(query), tape.weight(key), 0.3F);
                          const auto weights = softmax(tape, mask_scores(tape, p, scores, allowed), 1.7F);
                          return mix_values(tape, p, weights, tape.weight(value));
                      }));
        }
}

TEST_F(FusedOperation, AddAffineIsItsParts) {
    const Weight start = layout.add("sum", 9, 70), x = layout.add("x", 9, 33),
                 matrix = layout.add("W", 33, 70), bias = layout.add("b", 1, 70);
    EXPECT_EQ(outcome([&](Tape<float>& tape) {
                  return add_affine(tape, scale(tape, tape.weight(start), 2.0F), tape.weight(x), matrix,
                                    bias);
              }),
              outcome([&](Tape<float>& tape) {
                  return add(tape, scale(tape, tape.weight(start), 2.0F),
                             affine(tape, tape.weight(x), matrix, bias));
              }));
}

}  // namespace

}  // namespace headlight::nn_gradients_test
