#include "core/graph/formula_functions.h"

#include "core/graph/operation.h"

#include <algorithm>
#include <array>
#include <vector>

namespace headlight {
namespace {

Expression x_of(const FunctionCall& call) { return call.operands.front(); }

/// `function` along the columns, or along the rows.
template <class Function>
Expression along(const FunctionCall& call, const Function& function) {
    const Expression x = x_of(call);
    return call.along == AlongAxis::rows ? transposed(function(transposed(x))) : function(x);
}

Expression count_along(const FunctionCall& call) {
    const Extent& extent = x_of(call).extent();
    return static_cast<double>(call.along == AlongAxis::rows ? extent.rows : extent.columns);
}
Expression mean_along(const FunctionCall& call, const Expression& x) {
    return sum_along(call.along, x) / count_along(call);
}

Expression softmax(const FunctionCall& call) { return softmax_along(call.along, x_of(call), call.let); }

Expression logsumexp(const FunctionCall& call) {
    const Expression largest = call.let("maximum", maximum_along(call.along, x_of(call)));
    const Expression reach = finite_maximum(largest);
    return reach + log_of(sum_along(call.along, exp_of(x_of(call) - reach)));
}

/// Martins & Astudillo 2016: the threshold that leaves a sum of 1, from the sorted row. Numbers of minus
/// infinity have a share of 0, and so do rows of nothing else.
Expression sparsemax(const FunctionCall& call) {
    return along(call, [&](const Expression& x) {
        const Expression largest = call.let("maximum", maximum_of_columns(x));
        const Expression is_open = is_above(largest, minus_infinity());
        // Below the largest by 1 or more there is no share, so that sums of what is sorted stay finite.
        const Expression near = call.let("near", larger_of(x - choose(is_open, largest, 0), -2));
        const Expression sorted = call.let("sorted", descending(near));
        const Expression sums = call.let("sums", cumulative_sum(sorted));
        const Expression counts = call.let("counts", cumulative_sum(choose(is_equal(sorted, sorted), 1, 0)));
        const Expression is_in = is_above(1 + counts * sorted, sums);
        const Expression count = call.let("support", sum_of_columns(as_number(is_in)));
        const Expression sum = sum_of_columns(choose(is_in, sorted, 0));
        const Expression threshold = call.let("threshold", (sum - 1) / count);
        return choose(is_open, larger_of(near - threshold, 0), 0);
    });
}

/// No square overflows, and a row of zeros stays.
Expression direction(const FunctionCall& call) {
    return along(call, [&](const Expression& x) {
        const Expression near = call.let("over_largest", over_largest(x));
        return near / not_zero(root_of(sum_of_columns(near * near)));
    });
}
constexpr double norm_epsilon = 1e-6;

Expression layer_norm(const FunctionCall& call) {
    const Expression centred = call.let("centred", x_of(call) - mean_along(call, x_of(call)));
    return centred / root_of(mean_along(call, centred * centred) + norm_epsilon);
}

template <Expression (*function)(const Expression&)>
Expression of_one(const FunctionCall& call) {
    return function(x_of(call));
}
template <Expression (*function)(const Expression&, const Expression&)>
Expression of_two(const FunctionCall& call) {
    return function(call.operands[0], call.operands[1]);
}
template <Expression (*function)(const Expression&)>
Expression along_axis(const FunctionCall& call) {
    return along(call, function);
}

constexpr std::array functions = {
    FunctionOfValues{{"exp", "exp(x)", "the exponential"}, 1, 1, false, 0, of_one<exp_of>},
    FunctionOfValues{{"log", "log(x)", "the natural logarithm"}, 1, 1, false, 0, of_one<log_of>},
    FunctionOfValues{
        {"log1p", "log1p(x)", "log(1 + x), also of a small x"}, 1, 1, false, 0, of_one<log_of_more>},
    FunctionOfValues{{"sqrt", "sqrt(x)", "the square root"}, 1, 1, false, 0, of_one<root_of>},
    FunctionOfValues{{"tanh", "tanh(x)", "the hyperbolic tangent"}, 1, 1, false, 0, of_one<tanh_of>},
    FunctionOfValues{{"sin", "sin(x)", "the sine"}, 1, 1, false, 0, of_one<sin_of>},
    FunctionOfValues{{"cos", "cos(x)", "the cosine"}, 1, 1, false, 0, of_one<cos_of>},
    FunctionOfValues{{"abs", "abs(x)", "x without its sign"}, 1, 1, false, 0, of_one<absolute_of>},
    FunctionOfValues{
        {"floor", "floor(x)", "the largest whole number up to x"}, 1, 1, false, 0, of_one<floor_of>},
    FunctionOfValues{{"sigmoid", "sigmoid(x)", "1 / (1 + exp(-x))"}, 1, 1, false, 0, of_one<sigmoid_of>},
    FunctionOfValues{{"softplus", "softplus(x)", "log(1 + exp(x))"}, 1, 1, false, 0, of_one<softplus_of>},
    FunctionOfValues{{"log_sigmoid", "log_sigmoid(x)", "log(sigmoid(x)), also where that may be 0"},
                     1,
                     1,
                     false,
                     0,
                     of_one<log_sigmoid_of>},
    FunctionOfValues{{"relu", "relu(x)", "maximum(x, 0)"}, 1, 1, false, 0, of_one<relu_of>},
    FunctionOfValues{{"silu", "silu(x)", "x * sigmoid(x)"},
                     1,
                     1,
                     false,
                     0,
                     [](const FunctionCall& call) { return x_of(call) * sigmoid_of(x_of(call)); }},
    FunctionOfValues{{"gelu", "gelu(x)", "x times about the share of a normal distribution below x"},
                     1,
                     1,
                     false,
                     0,
                     of_one<gelu_of>},
    FunctionOfValues{{"elu", "elu(x)", "x above 0, else exp(x) - 1"},
                     1,
                     1,
                     false,
                     0,
                     [](const FunctionCall& call) {
                         const Expression x = x_of(call);
                         return choose(is_above(x, 0), x, exp_of(smaller_of(x, 0)) - 1);
                     }},
    FunctionOfValues{{"sign", "sign(x)", "1 above 0, -1 below it, else 0"},
                     1,
                     1,
                     false,
                     0,
                     [](const FunctionCall& call) {
                         return choose(is_above(x_of(call), 0), 1, choose(is_above(0, x_of(call)), -1, 0));
                     }},
    FunctionOfValues{{"clip", "clip(x, low, high)", "x, no smaller than low and no larger than high"},
                     3,
                     3,
                     false,
                     0,
                     [](const FunctionCall& call) {
                         return smaller_of(larger_of(call.operands[0], call.operands[1]), call.operands[2]);
                     }},
    FunctionOfValues{{"minimum", "minimum(a, b)", "the smaller of two"}, 2, 2, false, 0, of_two<smaller_of>},
    FunctionOfValues{{"maximum", "maximum(a, b)", "the larger of two"}, 2, 2, false, 0, of_two<larger_of>},
    FunctionOfValues{{"logical_and", "logical_and(a, b)", "a and b"}, 2, 2, false, 3, of_two<both_of>},
    FunctionOfValues{{"where", "where(condition, a, b)", "a where the condition holds, else b"},
                     3,
                     3,
                     false,
                     1,
                     [](const FunctionCall& call) {
                         return choose(call.operands[0], call.operands[1], call.operands[2]);
                     }},
    FunctionOfValues{{"sum", "sum(x)", "of each row; axis=-2: of each column"},
                     1,
                     1,
                     true,
                     0,
                     [](const FunctionCall& call) { return sum_along(call.along, x_of(call)); }},
    FunctionOfValues{{"mean", "mean(x)", "of each row; axis=-2: of each column"},
                     1,
                     1,
                     true,
                     0,
                     [](const FunctionCall& call) { return mean_along(call, x_of(call)); }},
    FunctionOfValues{{"max", "max(x)", "the largest number of each row; axis=-2: of each column"},
                     1,
                     1,
                     true,
                     0,
                     [](const FunctionCall& call) { return maximum_along(call.along, x_of(call)); }},
    FunctionOfValues{{"min", "min(x)", "the smallest number of each row; axis=-2: of each column"},
                     1,
                     1,
                     true,
                     0,
                     [](const FunctionCall& call) { return -maximum_along(call.along, -x_of(call)); }},
    FunctionOfValues{{"cumsum", "cumsum(x)", "the sum up to each number of a row; axis=-2: of a column"},
                     1,
                     1,
                     true,
                     0,
                     along_axis<cumulative_sum>},
    FunctionOfValues{
        {"cumprod", "cumprod(x)", "the product up to each number of a row; axis=-2: of a column"},
        1,
        1,
        true,
        0,
        along_axis<cumulative_product>},
    FunctionOfValues{{"descending", "descending(x)", "each row sorted, the largest number first"},
                     1,
                     1,
                     true,
                     0,
                     along_axis<headlight::descending>},
    FunctionOfValues{
        {"rank", "rank(x)", "how many of a row are larger than each number, of equal ones those before it"},
        1,
        1,
        true,
        0,
        along_axis<rank_of>},
    FunctionOfValues{{"softmax", "softmax(x)", "exp(x) over its sum, row by row; axis=-2: column by column"},
                     1,
                     1,
                     true,
                     0,
                     softmax},
    FunctionOfValues{{"sparsemax", "sparsemax(x)", "the nearest shares to each row: small ones are 0"},
                     1,
                     1,
                     true,
                     0,
                     sparsemax},
    FunctionOfValues{{"normalize", "normalize(x)", "each row over its length"}, 1, 1, true, 0, direction},
    FunctionOfValues{
        {"norm", "norm(x)", "the length of each row"},
        1,
        1,
        true,
        0,
        [](const FunctionCall& call) { return root_of(sum_along(call.along, x_of(call) * x_of(call))); }},
    FunctionOfValues{
        {"logsumexp", "logsumexp(x)", "log(sum(exp(x))), also of large numbers"}, 1, 1, true, 0, logsumexp},
    FunctionOfValues{
        {"layer_norm", "layer_norm(x)",
         "each row without its mean, over its standard deviation; 1e-6 is added to the variance"},
        1,
        1,
        true,
        0,
        layer_norm},
    FunctionOfValues{
        {"rms_norm", "rms_norm(x)", "each row over its root mean square; 1e-6 is added to the square"},
        1,
        1,
        true,
        0,
        [](const FunctionCall& call) {
            return x_of(call) / root_of(mean_along(call, x_of(call) * x_of(call)) + norm_epsilon);
        }},
    FunctionOfValues{
        {"transpose", "transpose(x)", "x.T: rows become columns"}, 1, 1, false, 0, of_one<transposed>},
    FunctionOfValues{{"mix_heads", "mix_heads(P, x)", "row i of P mixes the heads of x into head i"},
                     2,
                     2,
                     false,
                     0,
                     of_two<headlight::mix_heads>},
    FunctionOfValues{{"join_heads", "join_heads(x)", "the heads side by side, [n, heads d]"},
                     1,
                     1,
                     false,
                     0,
                     of_one<headlight::join_heads>},
    FunctionOfValues{{"solution", "solution(found, residual)",
                      "a number that a search has found: its gradient is that of residual = 0"},
                     2,
                     2,
                     false,
                     0,
                     of_two<solution_of>},
};

}  // namespace

std::span<const FunctionOfValues> functions_of_values() {
    static const std::vector<FunctionOfValues> all = [] {
        std::vector<FunctionOfValues> list(functions.begin(), functions.end());
        for (const OperationDescription& each : operation_table())
            if (!each.function.name.empty())
                list.push_back({each.function, each.operands, each.operands, each.along == AlongAxis::columns,
                                0, nullptr, each.operation});
        return list;
    }();
    return all;
}

const FunctionOfValues* function_of_values(std::string_view name) {
    // What Python calls them elsewhere.
    if (name == "amax")
        name = "max";
    if (name == "clamp_min")
        name = "maximum";
    const std::span<const FunctionOfValues> all = functions_of_values();
    const auto found =
        std::ranges::find_if(all, [&](const FunctionOfValues& each) { return each.words.name == name; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace headlight
