#include "core/graph/formula_spellings.h"

#include "core/graph/formula_functions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace headlight {
namespace {

constexpr std::array<std::string_view, 11> libraries = {"np", "numpy",      "jnp",    "scipy",   "torch", "F",
                                                        "nn", "functional", "linalg", "special", "math"};

struct Said {
    std::string_view elsewhere, here;
};
constexpr std::string_view of_extents =
    "no change of extents: they follow from what a value is; x.T, split_heads(x, heads) and join_heads(x) "
    "turn, divide and join";
constexpr std::string_view of_places =
    "where(j <= i, a, b), with i for the place of the query and j for that of the key";
constexpr std::string_view of_upper_places =
    "where(j > i, a, b) above the diagonal, where(j <= i, a, b) up to it, with i for the place of the query "
    "and j for that of the key";
constexpr std::string_view of_constants = "zeros(rows, columns), ones(rows, columns), or the number alone";
constexpr std::string_view of_sides =
    "q[:, None] for the row of the query and k[None, :] for that of the key, within sum(...); x.T turns";
constexpr std::string_view of_nothing_drawn =
    "a parameter, such as W[n, m], whose numbers are drawn before the run: no line draws any";
constexpr std::string_view of_what_is_left_out =
    "the value alone: leave this out, numbers are of one type and place";
constexpr std::string_view of_sides_joined = "concat([a, b]), side by side";
constexpr std::string_view of_joined_below = "concat([a, b], axis=-2), one below the other";
constexpr std::string_view of_layer_norm =
    "layer_norm(x) or rms_norm(x) alone, of all columns of each row; weights are written out, "
    "layer_norm(x) * g[d] + b[d]";
constexpr std::string_view of_nothing_dropped = "the value alone: nothing is dropped here";
constexpr std::string_view of_matrices =
    "x @ W[d, 16], such as q @ W[d, d]: a parameter is named with its extents where it is first used";
constexpr std::string_view of_pairs = "a product with \"@\" (\"id,jd->ij\" is a @ b.T, \"ij,jd->id\" is a @ "
                                      "b), or sum(a[:, None] * b[None, :]) "
                                      "of each pair of rows";
constexpr std::string_view of_masks = "where(allowed, scores, -inf) with the mask that stands around the "
                                      "formula, or where(j <= i, scores, -inf)";
constexpr std::string_view of_both_distances =
    "abs(i - j) of places, or of all queries and keys sqrt(sum((q[:, None] - k[None, :]) ** 2))";
constexpr std::string_view of_distances = of_both_distances.substr(of_both_distances.find("sqrt"));
constexpr std::string_view of_cosines = "normalize(q) @ normalize(k).T, the cosines of all pairs";
constexpr std::string_view of_likeness =
    "q @ k.T, the products of all pairs, or normalize(q) @ normalize(k).T, their cosines";
constexpr std::string_view of_own_functions =
    "no function of its own: what it does is written where it is used, as elu(q) + 1 for \"phi(q)\"";
constexpr std::string_view of_bells = "exp(-x ** 2 / 2), or of all queries and keys "
                                      "exp(-sum((q[:, None] - k[None, :]) ** 2) / 2)";
constexpr std::string_view of_many_heads =
    "what one head does, softmax(q @ k.T / sqrt(d)) @ v: how many heads there are stands around the formula";
constexpr std::string_view of_largest = "where(rank(x) == 0, 1, 0), which is 1 at the largest of each row";
constexpr std::string_view of_windows = "where(abs(i - j) < 3, scores, -inf), before their softmax";
constexpr std::string_view of_same_places = "where(i == j, 1, 0)";
constexpr std::string_view of_earlier_rows =
    "concat([zeros(1, d), x[:-1]], axis=-2), where each row is the one before it";
constexpr std::string_view of_squashing = "sigmoid(x) of each number, or softmax(x) of each row";
constexpr std::string_view of_weighted_pairs =
    "sum(w[d] * tanh(q[:, None] + k[None, :])), where the weights are a row";

/// Functions of other libraries that nobody calls a parameter: rsqrt[d] is none either.
constexpr std::array said_of_functions_alone = {
    Said{"rsqrt", "1 / sqrt(x)"},
    Said{"reciprocal", "1 / x"},
    Said{"square", "x ** 2"},
    Said{"ln", "log(x), the natural logarithm"},
    Said{"log2", "log(x) / log(2)"},
    Said{"log10", "log(x) / log(10)"},
    Said{"exp2", "2 ** x"},
    Said{"expm1", "exp(x) - 1"},
    Said{"tan", "sin(x) / cos(x)"},
    Said{"sinh", "(exp(x) - exp(-x)) / 2"},
    Said{"cosh", "(exp(x) + exp(-x)) / 2"},
    Said{"atan", "arctan(x)"},
    Said{"asin", "arctan(x / sqrt(1 - x ** 2))"},
    Said{"arcsin", "arctan(x / sqrt(1 - x ** 2))"},
    Said{"acos", "pi / 2 - arctan(x / sqrt(1 - x ** 2))"},
    Said{"arccos", "pi / 2 - arctan(x / sqrt(1 - x ** 2))"},
    Said{"erfc", "1 - erf(x)"},
    Said{"sgn", "sign(x)"},
    Said{"fabs", "abs(x)"},
    Said{"absolute", "abs(x)"},
    Said{"round", "floor(x + 0.5)"},
    Said{"ceil", "-floor(-x)"},
    Said{"int", "floor(x), or sign(x) * floor(abs(x)) of numbers below 0"},
    Said{"trunc", "sign(x) * floor(abs(x))"},
    Said{"remainder", "a % b"},
    Said{"leaky_relu", "maximum(x, 0.01 * x)"},
    Said{"relu6", "clip(x, 0, 6)"},
    Said{"hardtanh", "clip(x, -1, 1)"},
    Said{"swish", "silu(x)"},
    Said{"mish", "x * tanh(softplus(x))"},
    Said{"softsign", "x / (1 + abs(x))"},
    Said{"softmin", "softmax(-x)"},
    Said{"hstack", of_sides_joined},
    Said{"column_stack", of_sides_joined},
    Said{"vstack", of_joined_below},
    Said{"row_stack", of_joined_below},
    Said{"stack", "concat([a, b]), side by side, or concat([a, b], axis=-2), one below the other"},
    Said{"randn", of_nothing_drawn},
    Said{"rand", of_nothing_drawn},
    Said{"randint", of_nothing_drawn},
    Said{"bernoulli", of_nothing_drawn},
    Said{"multinomial", of_nothing_drawn},
    Said{"linspace", "arange(0, 5) / 4, of the numbers from 0 to 1"},
};

constexpr std::array said_of_functions = {
    Said{"topk", "where(rank(x) < 2, x, -inf), which keeps the two largest of each row"},
    Said{"top_k", "where(rank(x) < 2, x, -inf), which keeps the two largest of each row"},
    Said{"kthvalue", "descending(x), each row sorted, or rank(x)"},
    Said{"sort", "descending(x), each row sorted, or rank(x)"},
    Said{"argsort", "rank(x), how many of a row are larger"},
    Said{"argmax", of_largest},
    Said{"one_hot", of_largest},
    Said{"hardmax", of_largest},
    Said{"gumbel_softmax", of_nothing_drawn},
    Said{"kronecker", of_same_places},
    Said{"delta", of_same_places},
    Said{"roll", of_earlier_rows},
    Said{"shift", of_earlier_rows},
    Said{"entmax", "sparsemax(x), whose shares are 0 too; the mechanism \"entmax\" is for itself"},
    Said{"logit", "log(x / (1 - x))"},
    Said{"window", of_windows},
    Said{"local", of_windows},
    Said{"if", "where(condition, a, b)"},
    Said{"einsum", of_pairs},
    Said{"tensordot", of_pairs},
    Said{"outer", "a.T @ b, of two rows"},
    Said{"cdist", of_distances},
    Said{"pairwise_distance", of_distances},
    Said{"dist", of_both_distances},
    Said{"distance", of_both_distances},
    Said{"sim", of_likeness},
    Said{"similarity", of_likeness},
    Said{"phi", of_own_functions},
    Said{"psi", of_own_functions},
    Said{"kernel", of_own_functions},
    Said{"f", of_own_functions},
    Said{"sigma", of_squashing},
    Said{"gaussian", of_bells},
    Said{"rbf", of_bells},
    Said{"multihead", of_many_heads},
    Said{"multi_head", of_many_heads},
    Said{"MultiHead", of_many_heads},
    Said{"MultiheadAttention", of_many_heads},
    Said{"identity", "eye(n), which is 1 on the diagonal"},
    Said{"cosine_similarity", of_cosines},
    Said{"cosine", of_cosines},
    Said{"cos_sim", of_cosines},
    Said{"var", "mean((x - mean(x)) ** 2) as in NumPy, or of rows of d numbers sum((x - mean(x)) ** 2) / (d "
                "- 1) as in PyTorch"},
    Said{"std", "sqrt(mean((x - mean(x)) ** 2)) as in NumPy, or of rows of d numbers sqrt(sum((x - mean(x)) "
                "** 2) / (d - 1)) as in PyTorch"},
    Said{"prod", "cumprod(x)[:, -1:], the product of each row"},
    Said{"diff", "x[1:] - x[:-1]"},
    Said{"normal", of_nothing_drawn},
    Said{"uniform", of_nothing_drawn},
    Said{"random", of_nothing_drawn},
    Said{"any", "max(where(x, 1, 0)) > 0"},
    Said{"all", "min(where(x, 1, 0)) > 0"},
    Said{"logical_or", "a or b"},
    Said{"logical_not", "not a"},
    Said{"mul", "a * b"},
    Said{"multiply", "a * b"},
    Said{"add", "a + b"},
    Said{"sub", "a - b"},
    Said{"subtract", "a - b"},
    Said{"div", "a / b"},
    Said{"divide", "a / b"},
    Said{"neg", "-x"},
    Said{"power", "a ** b"},
    Said{"gather", "pick(x, rows, columns)"},
    Said{"index_select", "pick(x, rows, columns)"},
    Said{"detach", "the value alone: leave this out, every value has its gradient"},
    Said{"to", of_what_is_left_out},
    Said{"half", of_what_is_left_out},
    Said{"bfloat16", of_what_is_left_out},
    Said{"type_as", of_what_is_left_out},
    Said{"astype", of_what_is_left_out},
    Said{"log_softmax", "x - logsumexp(x)"},
    Said{"scaled_dot_product_attention", "softmax(q @ k.T / sqrt(d)) @ v"},
    Said{"inverse", "inv(x), of a square matrix"},
    Said{"rope", "q and k as they are: the position around the formula turns them (position.type=rope)"},
    Said{"rotate_half", "concat([-x[:, d // 2:], x[:, :d // 2]]), or the position around the formula "
                        "(position.type=rope), which turns q and k"},
    Said{"rotary", "q and k as they are: the position around the formula turns them (position.type=rope)"},
    Said{"attention", "softmax(q @ k.T / sqrt(d)) @ v"},
    Said{"temperature", "softmax(x / 2), what the temperature divides; only axis has a \"=\""},
    Said{"mask", of_masks},
    Said{"masked", of_masks},
    Said{"mask_fill", of_masks},
    Said{"causal", of_masks},
    Said{"causal_mask", of_masks},
    Said{"masked_softmax", "softmax(where(allowed, scores, -inf))"},
    Said{"triu", of_upper_places},
    Said{"tril", of_places},
    Said{"tri", of_places},
    Said{"zeros_like", of_constants},
    Said{"ones_like", of_constants},
    Said{"full", of_constants},
    Said{"full_like", of_constants},
    Said{"tensor", of_constants},
    Said{"array", of_constants},
    Said{"float", "the number alone, such as 2 or -inf"},
    Said{"dtype", "no type of numbers: the least of one, as finfo has it, is -inf"},
    Said{"finfo", "-inf for the least of all numbers"},
    Said{"clamp", "clip(x, low, high), maximum(x, low) or minimum(x, high)"},
    Said{"clamp_max", "minimum(x, high)"},
    Said{"indices", of_largest},
    Said{"values", "max(x, axis=-1) alone, or x.max(dim=-1)[0]: no places come with the largest"},
    Said{"dropout", of_nothing_dropped},
    Said{"Dropout", of_nothing_dropped},
    Said{"Linear", of_matrices},
    Said{"linear", of_matrices},
    Said{"Parameter", of_matrices},
    Said{"LayerNorm", of_layer_norm},
    Said{"RMSNorm", of_layer_norm},
    Said{"view", of_extents},
    Said{"reshape", of_extents},
    Said{"permute", of_extents},
    Said{"swapaxes", of_extents},
    Said{"unsqueeze", of_sides},
    Said{"squeeze", of_extents},
    Said{"expand", of_extents},
    Said{"expand_dims", of_sides},
    Said{"flatten", of_extents},
    Said{"contiguous", of_extents},
    Said{"chunk", of_extents},
    Said{"rearrange", of_extents},
    Said{"size", "n, m or d: the tokens of the queries, of the keys, and the width of a head"},
    Said{"shape", "n, m or d: the tokens of the queries, of the keys, and the width of a head"},
    Said{"len", "n, m or d: the tokens of the queries, of the keys, and the width of a head"},
};

/// What stands before a "=" in a call.
constexpr std::string_view of_lengths_alone =
    "\"axis =\" or \"dim =\" alone: normalize(x) and norm(x) are of the length of each row, which is p = 2; "
    "x / sum(abs(x)) is p = 1";
constexpr std::string_view of_small_numbers =
    "\"axis =\" or \"dim =\" alone: 1e-6 is what layer_norm(x) and rms_norm(x) add, and others add nothing";
constexpr std::string_view of_scales =
    "\"axis =\" or \"dim =\" alone: what scales scores stands with them, softmax(x / sqrt(d))";
constexpr std::array said_of_keywords = {
    Said{"scale", of_scales},
    Said{"beta", of_scales},
    Said{"dtype", of_what_is_left_out},
    Said{"device", of_what_is_left_out},
    Said{"tau", of_scales},
    Said{"p", of_lengths_alone},
    Said{"ord", of_lengths_alone},
    Said{"eps", of_small_numbers},
    Said{"epsilon", of_small_numbers},
    Said{"reverse", "\"axis =\" or \"dim =\" alone: sums from the end are sum(x) - cumsum(x) + x"},
    Said{"approximate", "gelu(x) alone, which is by tanh; PyTorch's own is x * (1 + erf(x / sqrt(2))) / 2"},
    Said{"normalized_shape", of_layer_norm},
};

constexpr std::string_view of_environments =
    "lines \"name = value\" alone, without \"\\begin\", \"\\end\" and what they name";
constexpr std::string_view of_signs_alone = "\"*\" number by number, or \"@\" of matrices";
constexpr std::string_view of_transposes = "x.T, for a transpose";
constexpr std::string_view of_names_alone = "the name alone, such as softmax, without \"\\\"";
constexpr std::string_view of_sums = "sum(x), along each row";
constexpr std::array said_of_tex = {
    Said{"frac", "(a) / (b), for \"\\frac{a}{b}\""},
    Said{"dfrac", "(a) / (b), for \"\\dfrac{a}{b}\""},
    Said{"tfrac", "(a) / (b), for \"\\tfrac{a}{b}\""},
    Said{"sqrt", "sqrt(x), for \"\\sqrt{x}\""},
    Said{"top", of_transposes},
    Said{"intercal", of_transposes},
    Said{"cdot", of_signs_alone},
    Said{"times", of_signs_alone},
    Said{"odot", "\"*\", number by number"},
    Said{"circ", "\"*\", number by number"},
    Said{"ast", "\"*\", number by number"},
    Said{"le", "\"<=\""},
    Said{"leq", "\"<=\""},
    Said{"ge", "\">=\""},
    Said{"geq", "\">=\""},
    Said{"ne", "\"!=\""},
    Said{"neq", "\"!=\""},
    Said{"infty", "inf"},
    Said{"sum", of_sums},
    Said{"left", "the bracket alone"},
    Said{"right", "the bracket alone"},
    Said{"operatorname", of_names_alone},
    Said{"text", of_names_alone},
    Said{"mathrm", of_names_alone},
    Said{"mathbf", of_names_alone},
    Said{"lambda", "a name such as lambda_, without \"\\\""},
    Said{"begin", of_environments},
    Said{"end", of_environments},
};

constexpr std::string_view of_indexed_sums =
    "\"@\", which adds up over j, as in softmax(q @ k.T) @ v; sum(x) adds up each row";
constexpr std::string_view of_projections =
    "q, k and v, which the projections around the formula have made of x and y; a matrix of one's own has "
    "another name and extents, x @ A[d_x, d]";
constexpr std::string_view of_output_projections =
    "a parameter with its extents behind the context, in a line \"output = concatenation @ W_o[heads * d_v, "
    "d_x]\"; without such a line the projection around the formula does it";
constexpr std::array said_of_names = {
    Said{"W_o", of_output_projections},
    Said{"W_O", of_output_projections},
    Said{"Wo", of_output_projections},
    Said{"WO", of_output_projections},
    Said{"W_q", of_projections},
    Said{"W_k", of_projections},
    Said{"W_v", of_projections},
    Said{"W_Q", of_projections},
    Said{"W_K", of_projections},
    Said{"W_V", of_projections},
    Said{"Wq", of_projections},
    Said{"Wk", of_projections},
    Said{"Wv", of_projections},
    Said{"WQ", of_projections},
    Said{"WK", of_projections},
    Said{"WV", of_projections},
    Said{"mask", of_masks},
    Said{"masks", of_masks},
    Said{"attn_mask", of_masks},
    Said{"attention_mask", of_masks},
    Said{"causal", of_masks},
    Said{"causal_mask", of_masks},
    Said{"padding_mask", of_masks},
    Said{"scores", "a line above that says it, such as \"scores = q @ k.T / sqrt(d)\""},
    Said{"weights", "a line above that says it, such as \"weights = softmax(q @ k.T / sqrt(d))\""},
    Said{"context", "a line above that says it, such as \"context = weights @ v\""},
    Said{"e", "exp(x), for \"e ** x\", or a line above that says what e is, \"e = q @ k.T\" or "
              "\"e = 2.718281828459045\""},
    Said{"I", "eye(n), which is 1 on the diagonal"},
    Said{"True", "1; a condition that always holds is j <= m"},
    Said{"False", "0; a condition that never holds is j > m"},
    Said{"None", "a value: None stands in an index alone, as in q[:, None]"},
    Said{"sum_i", of_indexed_sums},
    Said{"sum_j", of_indexed_sums},
    Said{"sum_t", of_indexed_sums},
    Said{"lambda", "no function of its own: what it does is written where it is used; a number may be called "
                   "lambda_"},
};

constexpr std::array said_of_words_between = {
    Said{"if", "where(condition, a, b) for \"a if condition else b\""},
    Said{"for",
         "no loop: a line is of all tokens and heads at once, with i, j and head for their numbers, and "
         "scan(...) goes from token to token"},
    Said{"is", "\"==\" to compare"},
    Said{"in", "0 <= i - j < 3 for \"i - j in [0, 1, 2]\", or i - j == 0 or i - j == 4 for some numbers"},
};

constexpr std::string_view of_lines = "lines \"name = ...\" alone; \"repeat 3:\" repeats those that are "
                                      "indented below it, and scan(...) goes from "
                                      "token to token";
constexpr std::array said_of_lines = {
    Said{"import", "no import: functions are there, and np. or torch. may stand before them"},
    Said{"from", "no import: functions are there, and np. or torch. may stand before them"},
    Said{"def", "lines \"name = ...\" alone: a formula is the body of a function"},
    Said{"class", "lines \"name = ...\" alone: a formula is the body of a function"},
    Said{"return", "\"context = ...\", which is what a formula gives back"},
    Said{"for", of_lines},
    Said{"while", of_lines},
    Said{"with", of_lines},
    Said{"if", "where(condition, a, b), in a line \"name = ...\""},
    Said{"print", "lines \"name = ...\" alone: each is a stage, which is shown"},
    Said{"assert", "lines \"name = ...\" alone"},
};

std::string_view found_in(std::span<const Said> list, std::string_view word) {
    const auto found = std::ranges::find(list, word, &Said::elsewhere);
    return found == list.end() ? std::string_view() : found->here;
}

/// A whole number that is written as one, -2 too.
std::optional<int> whole(const FormulaNode& node) {
    const bool is_minus = node.kind == FormulaNode::Kind::sign && node.text == "-" && node.parts.size() == 1;
    const FormulaNode& digits = is_minus ? node.parts[0] : node;
    if (digits.kind != FormulaNode::Kind::number || digits.number > 9 ||
        digits.number != static_cast<int>(digits.number))
        return {};
    return is_minus ? -static_cast<int>(digits.number) : static_cast<int>(digits.number);
}

/// A matrix has no axes but the last two, whichever come before them in a batch.
bool turns_last_axes(const FormulaNode& call) {
    const auto one = whole(call.parts[1]), other = whole(call.parts[2]);
    if (!one || !other)
        return false;
    const auto [low, high] = std::minmax(*one, *other);
    return high == low + 1 && (low >= 0 || high == -1);
}

bool is_by_place(const FormulaNode& call) {
    return std::ranges::all_of(call.keywords, [](const std::string& word) { return word.empty(); });
}

/// By its place, sum(x, -1) and sum(x, -1, keepdim=True), the axis of a function that has one.
void name_axis(FormulaNode& call) {
    if (call.parts.size() >= 2 && std::ranges::count(call.keywords, std::string()) == 2 &&
        call.keywords[0].empty() && call.keywords[1].empty() && whole(call.parts[1]))
        call.keywords[1] = "axis";
}

/// What changes the type of numbers, or where they are kept, changes none of them.
bool changes_no_number(std::string_view method) {
    constexpr std::array<std::string_view, 6> methods = {"float",      "double", "clone",
                                                         "contiguous", "cpu",    "cuda"};
    return changes_type(method) || std::ranges::find(methods, method) != methods.end();
}

FormulaNode zero_node(const FormulaPlace& place) {
    FormulaNode number;
    number.kind = FormulaNode::Kind::number;
    number.place = place;
    number.text = "0";
    return number;
}

/// zeros((n, m)) has its extents in a list.
void unpack_extents(FormulaNode& call) {
    FormulaNode extents = std::move(call.parts.front());
    call.parts.erase(call.parts.begin());
    call.parts.insert(call.parts.begin(), extents.parts.begin(), extents.parts.end());
    call.keywords.insert(call.keywords.begin(), extents.parts.size(), std::string());
    call.keywords.erase(call.keywords.begin() + static_cast<std::ptrdiff_t>(extents.parts.size()));
}

/// Libraries put one below the other where no axis is said.
FormulaNode own_concat(FormulaNode call) {
    call.text = "concat";
    name_axis(call);
    if (call.parts.size() == 1) {
        call.parts.push_back(zero_node(call.place));
        call.keywords.emplace_back("axis");
    }
    return call;
}

FormulaNode as(FormulaNode::Kind kind, std::string text, FormulaNode call) {
    call.kind = kind;
    call.text = std::move(text);
    if (kind != FormulaNode::Kind::call)
        call.keywords.clear();
    return call;
}

}  // namespace

bool is_library(std::string_view name) { return std::ranges::find(libraries, name) != libraries.end(); }

bool joins_values(std::string_view function) {
    return function == "cat" || function == "concatenate" || function == "concat";
}

bool changes_type(std::string_view method) {
    return method == "to" || method == "type" || method == "astype";
}

bool is_type_of_numbers(std::string_view word) {
    constexpr std::array<std::string_view, 9> types = {"dtype",   "device",  "float",    "double", "float16",
                                                       "float32", "float64", "bfloat16", "half"};
    return std::ranges::find(types, word) != types.end();
}

FormulaNode own_call(FormulaNode call, CalledOf of) {
    using Kind = FormulaNode::Kind;
    const std::string& word = call.text;
    const auto is_one_of = [&](auto... names) { return ((word == names) || ...); };
    if (!call.keywords.empty() && call.keywords[0] == "input" && word != "scan")
        call.keywords[0].clear();  // what PyTorch calls the value
    const bool has_extents = is_one_of("zeros", "ones") && !call.parts.empty() && call.keywords[0].empty() &&
                             call.parts[0].kind == Kind::list;
    if (has_extents)
        unpack_extents(call);
    if (is_one_of("cat", "concatenate") || (is_one_of("concat") && of == CalledOf::library))
        return own_concat(std::move(call));
    const FunctionOfValues* function = function_of_values(word);
    const bool may_be_of_two = is_one_of("max", "min") && of == CalledOf::nothing;
    const bool has_axis = (function && function->has_axis) || is_one_of("concat");
    const bool is_of_which_norm =  // the second value, elsewhere
        is_one_of("normalize") || (is_one_of("norm") && of != CalledOf::nothing);
    if (has_axis && !may_be_of_two && !is_of_which_norm)
        name_axis(call);
    if (!is_by_place(call))
        return call;
    const std::size_t count = call.parts.size();
    if (count == 1 && of == CalledOf::value && changes_no_number(word)) {
        FormulaNode value = std::move(call.parts[0]);
        return value;
    }
    if (count == 2 && of == CalledOf::value && is_one_of("type_as")) {
        FormulaNode value = std::move(call.parts[0]);
        return value;
    }
    if (count == 1 && of == CalledOf::value && is_one_of("bool")) {
        call.parts.push_back(zero_node(call.place));
        return as(Kind::sign, "!=", std::move(call));
    }
    if (count == 1 && of != CalledOf::value && is_one_of("arange")) {
        call.parts.insert(call.parts.begin(), zero_node(call.place));
        call.keywords.emplace_back();
        return call;
    }
    if (count == 1 && is_one_of("t", "mT"))
        return as(Kind::transpose, "", std::move(call));
    if (count == 3 && is_one_of("transpose") && turns_last_axes(call)) {
        call.parts.resize(1);
        return as(Kind::transpose, "", std::move(call));
    }
    if (count == 2 && is_one_of("matmul", "bmm", "mm", "dot"))
        return as(Kind::sign, "@", std::move(call));
    if (count == 2 && is_one_of("pow"))
        return as(Kind::sign, "**", std::move(call));
    if (count == 3 && is_one_of("masked_fill")) {
        std::rotate(call.parts.begin(), call.parts.begin() + 1, call.parts.end());  // mask, number, x
        return as(Kind::call, "where", std::move(call));
    }
    if (count == 3 && is_one_of("clamp"))
        return as(Kind::call, "clip", std::move(call));
    return call;
}

std::string_view function_said_here(std::string_view name) { return found_in(said_of_functions_alone, name); }
std::string_view said_here(std::string_view function) {
    const std::string_view here = function_said_here(function);
    return here.empty() ? found_in(said_of_functions, function) : here;
}
std::string_view keyword_said_here(std::string_view keyword) {
    const std::string_view here = found_in(said_of_keywords, keyword);
    return here.empty() ? said_here(keyword) : here;
}
std::string_view name_said_here(std::string_view name) { return found_in(said_of_names, name); }
std::string_view between_said_here(std::string_view word) { return found_in(said_of_words_between, word); }
std::string tex_said_here(const std::string& command) {
    const std::string_view here = found_in(said_of_tex, command);
    return here.empty() ? command + ", without \"\\\"" : std::string(here);
}
QuotedInfinity quoted_infinity(std::string_view text) {
    constexpr std::size_t longest = 20;
    text = text.substr(0, longest);
    const std::size_t end = text.empty() ? text.npos : text.find(text.front(), 1);
    if (end == text.npos || (text.front() != '\'' && text.front() != '"'))
        return {};
    std::string word;
    for (const char c : text.substr(1, end - 1))
        if (c != ' ')
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const bool is_negative = word.starts_with('-');
    if (is_negative || word.starts_with('+'))
        word.erase(0, 1);
    return word == "inf" || word == "infinity" ? QuotedInfinity{end + 1, is_negative} : QuotedInfinity();
}
std::string_view distances_said_here() { return of_distances; }
std::string_view weighted_pairs_said_here() { return of_weighted_pairs; }
std::string_view line_said_here(std::string_view first_word) { return found_in(said_of_lines, first_word); }
bool is_of_python(std::string_view word) {
    return !line_said_here(word).empty() || !between_said_here(word).empty() || word == "else" ||
           word == "lambda";
}

}  // namespace headlight
