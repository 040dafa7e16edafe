// The grammar of formulas by the numbers that they give on small matrices.

#include "core/tensor/error.h"
#include "tests/support/formula_programs.h"

namespace headlight::formula_syntax_test {

using namespace formula_programs;

namespace {

class Formula : public testing::TestWithParam<Row> {};

TEST_P(Formula, HasTheseNumbers) {
    try {
        expect_result(z_of(GetParam().formula), formula_result(GetParam().expected));
    } catch (const Error& error) {
        FAIL() << error.what() << '\n' << GetParam().formula;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Precedence, Formula,
    testing::Values(
        Row{"product before sum", "z = 2 + 3 * 4", "[[14]]"},
        Row{"division goes from the left", "z = 24 / 4 / 2", "[[3]]"},
        Row{"difference goes from the left", "z = 10 - 4 - 3", "[[3]]"},
        Row{"brackets first", "z = (2 + 3) * 4", "[[20]]"}, Row{"minus after power", "z = -2 ** 2", "[[-4]]"},
        Row{"minus within brackets", "z = (-2) ** 2", "[[4]]"},
        Row{"minus in an exponent", "z = 2 ** -1", "[[0.5]]"},
        Row{"powers go from the right", "z = 2 ** 3 ** 2", "[[512]]"},
        Row{"circumflex is a power", "z = 2 ^ 3", "[[8]]"},
        Row{"power before product", "z = 2 * 3 ** 2", "[[18]]"},
        Row{"two minus signs", "z = 3 - -2", "[[5]]"}, Row{"three minus signs", "z = ---2", "[[-2]]"},
        Row{"plus sign", "z = +2 - +1", "[[1]]"},
        Row{"minus of a product of matrices", "z = -a @ c", "[[-22, -28], [-49, -64]]"},
        Row{"product of matrices beside one of numbers", "z = 2 * a @ c", "[[44, 56], [98, 128]]"},
        Row{"power before product of matrices", "z = a ** 2 @ c", "[[58, 72], [271, 348]]"},
        Row{"quotient of a product of matrices", "z = a @ c / 2", "[[11, 14], [24.5, 32]]"},
        Row{"whole division", "z = 7 // 2", "[[3]]"},
        Row{"whole division below zero", "z = -7 // 2", "[[-4]]"}, Row{"remainder", "z = 7 % 3", "[[1]]"},
        Row{"remainder below zero", "z = -7 % 3", "[[2]]"},
        Row{"remainders of a matrix", "z = b % 2", "[[0, 1, 0.5], [1, 0, 1]]"},
        Row{"whole division of a matrix", "z = b // 2", "[[1, -1, 0], [-2, 2, 0]]"},
        Row{"numbers of every form", "z = 1e3 + .5 + 2. + 25e-2 + 1E1", "[[1012.75]]"},
        Row{"constants", "z = pi * 2", "[[6.283185307179586]]"}));

INSTANTIATE_TEST_SUITE_P(
    ExtentsThatMeet, Formula,
    testing::Values(
        Row{"row meets matrix", "z = a + u", "[[2, 0, 6], [5, 3, 9]]"},
        Row{"column meets matrix", "z = a * w", "[[2, 4, 6], [20, 25, 30]]"},
        Row{"column meets row", "z = w - u", "[[1, 4, -1], [4, 7, 2]]"},
        Row{"matrix meets heads", "z = h + s", "[[[3, 3], [4, 7]], [[7, 7], [8, 11]]]"},
        Row{"heads times matrix", "z = h @ s", "[[[4, 7], [10, 15]], [[16, 23], [22, 31]]]"},
        Row{"matrix times heads", "z = s @ h", "[[[5, 8], [10, 14]], [[17, 20], [26, 30]]]"},
        Row{"heads times heads, transposed", "z = h @ h.T", "[[[5, 11], [11, 25]], [[61, 83], [83, 113]]]"},
        Row{"heads as numbers", "z = h * head_number", "[[[1, 2], [3, 4]], [[10, 12], [14, 16]]]"}));

INSTANTIATE_TEST_SUITE_P(
    Truths, Formula,
    testing::Values(Row{"truth in the place of a number", "z = a > 2", "[[0, 0, 1], [1, 1, 1]]"},
                    Row{"truths added up", "z = sum(a >= 3)", "[[1], [3]]"},
                    Row{"chain", "z = 1 < a <= 4", "[[0, 1, 1], [1, 0, 0]]"},
                    Row{"chain of three", "z = 1 < 2 < a < 6", "[[0, 0, 1], [1, 1, 0]]"},
                    Row{"chain of a sum", "z = 0 <= i - j < 2", "[[1, 0, 0], [1, 1, 0], [0, 1, 1]]"},
                    Row{"brackets end a chain", "z = (a < b) == (u > 0)", "[[1, 1, 0], [0, 1, 0]]"},
                    Row{"and before or", "z = a > 5 or a > 1 and a < 3", "[[0, 1, 0], [0, 0, 1]]"},
                    Row{"not after a comparison", "z = not a > 2", "[[1, 1, 0], [0, 0, 0]]"},
                    Row{"not before and", "z = not a > 2 and a > 1", "[[0, 1, 0], [0, 0, 0]]"},
                    Row{"not twice", "z = not not a > 2", "[[0, 0, 1], [1, 1, 1]]"},
                    Row{"signs for and and or", "z = (a > 1) & (a < 3) | (a > 5)", "[[0, 1, 0], [0, 0, 1]]"},
                    Row{"equal", "z = a == 3", "[[0, 0, 1], [0, 0, 0]]"},
                    Row{"not equal", "z = a != 3", "[[1, 1, 0], [1, 1, 1]]"},
                    Row{"truth in arithmetic", "z = 2 * (a > 2) + 1", "[[1, 1, 3], [3, 3, 3]]"},
                    Row{"written truths", "t1 = [[True, False, True]]\nz = where(t1, a, 0)",
                        "[[1, 0, 3], [4, 0, 6]]"}));

INSTANTIATE_TEST_SUITE_P(
    Lines, Formula,
    testing::Values(Row{"continued in a bracket", "z = (1 +\n  2) * 3", "[[9]]"},
                    Row{"continued in a call", "z = maximum(\n    a,\n    b\n)", "[[2, 2, 3], [4, 5, 6]]"},
                    Row{"continued in an index", "z = a[\n0:1,\n1:\n]", "[[2, 3]]"},
                    Row{"continued list", "z = [[1, 2],\n     [3, 4]]", "[[1, 2], [3, 4]]"},
                    Row{"comment behind", "z = 2 # of two\n", "[[2]]"},
                    Row{"comment with signs", "# ) ] = \"' é\nz = 2 # z = 3", "[[2]]"},
                    Row{"comment in a bracket", "z = (1 + # one (\n 2)", "[[3]]"},
                    Row{"empty lines", "\n\n  \nz = 2\n\n\n", "[[2]]"},
                    Row{"no end of the last line", "y1 = 2\nz = y1 + 1", "[[3]]"},
                    Row{"ends of lines of Windows", "y1 = 2\r\nz = y1 + 1\r\n", "[[3]]"},
                    Row{"byte order mark", "\uFEFFz = 2", "[[2]]"},
                    Row{"spaces that keep words together", "z\u00A0=\u00A02\u00A0+ 1", "[[3]]"},
                    Row{"tabs", "z\t=\t2\t+\t1", "[[3]]"},
                    Row{"no spaces", "z=2*a+1", "[[3, 5, 7], [9, 11, 13]]"},
                    Row{"a name for a number", "slope = 1 / 4\nz = a * slope",
                        "[[0.25, 0.5, 0.75], [1, 1.25, 1.5]]"},
                    Row{"a name of letters, digits and lines", "_x_1Y = 2\nz = _x_1Y", "[[2]]"},
                    Row{"a name like a word of another kind", "sum_ = 2\nnot_ = 3\nz = sum_ + not_", "[[5]]"},
                    Row{"a name of a function", "softmax = 3\nz = softmax", "[[3]]"},
                    Row{"repeat as a name is a word, repeats is none", "repeats = 2\nz = repeats", "[[2]]"}));

INSTANTIATE_TEST_SUITE_P(
    Repeats, Formula,
    testing::Values(Row{"repeated line", "z = a\nrepeat 3:\n    z = z * 2", "[[8, 16, 24], [32, 40, 48]]"},
                    Row{"repeated lines", "y1 = a\nrepeat 2:\n  x1 = y1 + 1\n  y1 = x1 * 2\nz = y1 - x1",
                        "[[5, 7, 9], [11, 13, 15]]"},
                    Row{"repeated by a number with a name", "z = a\ntwice = 2\nrepeat twice:\n    z = z + u",
                        "[[3, -2, 9], [6, 1, 12]]"},
                    Row{"repeated by an extent", "z = a\nrepeat n:\n    z = z + 1", "[[4, 5, 6], [7, 8, 9]]"},
                    Row{"repeated with tabs and empty lines",
                        "z = a\nrepeat 2:\n\n\tz = z + 1\n\n\tz = z * 2\n", "[[10, 14, 18], [22, 26, 30]]"},
                    Row{"repeated once", "z = a\nrepeat 1:\n    z = z * 2", "[[2, 4, 6], [8, 10, 12]]"},
                    Row{"repeated lines that begin there", "repeat 2:\n    y1 = a + 1\nz = y1",
                        "[[2, 3, 4], [5, 6, 7]]"}));

INSTANTIATE_TEST_SUITE_P(
    Methods, Formula,
    testing::Values(
        Row{"numpy", "z = np.exp(u) + np.sum(a, axis=-1)",
            "[[8.718281828459045, 6.135335283236612, 26.085536923187668], [17.718281828459045, "
            "15.135335283236612, 35.08553692318767]]"},
        Row{"torch", "z = torch.tanh(u)", "[[0.7615941559557649, -0.9640275800758169, 0.9950547536867305]]"},
        Row{"numpy in full", "z = numpy.abs(u)", "[[1, 2, 3]]"},
        Row{"norm of a library's part", "z = np.linalg.norm(w, axis=-1)", "[[2], [5]]"},
        Row{"inverse of a library's part", "z = torch.linalg.inv(s) @ s", "[[1, 0], [0, 1]]"},
        Row{"function of a library's part", "z = scipy.special.softmax(where(a > 4, 0, -inf))",
            "[[0, 0, 0], [0, 0.5, 0.5]]"},
        Row{"the name of a value", "z = softmax(input=where(a > 4, 0, -inf), dim=-1)",
            "[[0, 0, 0], [0, 0.5, 0.5]]"},
        Row{"types of numbers", "z = a.float() + b.clone().double()", "[[3, 1, 3.5], [1, 9, 7]]"},
        Row{"types of other numbers",
            "z = F.softmax(where(a > 4, 0, -inf), dim=-1, dtype=torch.float32).to(a.dtype).type_as(u) + "
            "(a > 5).astype(np.float32)",
            "[[0, 0, 0], [0, 0.5, 1.5]]"},
        Row{"type of a part", "z = a[:, :2].sum(dim=-1, keepdim=True).to(a.dtype)", "[[3], [9]]"},
        Row{"truths of numbers", "z = (a - 1).bool() + (a > 2).bool()", "[[0, 1, 2], [2, 2, 2]]"},
        Row{"numbers of numpy", "z = np.pi + a",
            "[[4.141592653589793, 5.141592653589793, 6.141592653589793], [7.141592653589793, "
            "8.141592653589793, 9.141592653589793]]"},
        Row{"methods", "z = a.sum(axis=-1)", "[[6], [15]]"},
        Row{"methods one after another", "z = u.exp().sum().log()", "[[3.1328452337275756]]"},
        Row{"method of a bracket", "z = (a - b).abs()", "[[1, 3, 2.5], [7, 1, 5]]"},
        Row{"method of a transpose", "z = a.T.sum()", "[[5], [7], [9]]"},
        Row{"method with a number", "z = a.clip(2, 4)", "[[2, 2, 3], [4, 4, 4]]"},
        Row{"keepdims", "z = np.sum(a, axis=-1, keepdims=True) + torch.sum(a, dim=-1, keepdim=True)",
            "[[12], [30]]"},
        Row{"amax and clamp_min", "z = a.amax(dim=-1) + u.clamp_min(0)", "[[4, 3, 6], [7, 6, 9]]"},
        Row{"libraries of PyTorch", "z = F.relu(u) + torch.nn.functional.relu(-u) + math.sqrt(4)",
            "[[3, 4, 5]]"},
        Row{"own name of a library", "F = a\nz = F.sum(-1)", "[[6], [15]]"},
        Row{"an axis by its place", "z = a.sum(-1) + torch.sum(u, 1)", "[[8], [17]]"},
        Row{"the largest along an axis", "z = a.max(-1) - torch.amax(u, -1)", "[[0], [3]]"},
        Row{"the largest along an axis of a library", "z = torch.max(u, -1) + np.min(a, 0)", "[[4, 5, 6]]"},
        Row{"the largest without their places",
            "z = a.max(dim=-1, keepdim=True).values - a.min(dim=-1)[0] + torch.max(u, -1).values",
            "[[5], [5]]"},
        Row{"an axis by its place that is kept", "z = a.sum(-1, keepdim=True) + np.max(u, 1, keepdims=True)",
            "[[9], [18]]"},
        Row{"the larger of two of a library", "z = torch.max(a, b)", "[[2, 2, 3], [4, 5, 6]]"},
        Row{"own state of a library's name", "z = scan(F = zeros(1, 2), F + k[t], F.sum(-1))",
            "[[1], [4], [6]]"},
        Row{"one below the other", "z = torch.cat([u, u]) + np.concatenate([u, u], 0)",
            "[[2, -4, 6], [2, -4, 6]]"},
        Row{"side by side in round brackets",
            "z = torch.cat((u, u), dim=-1) + np.concatenate((u, u), axis=-1)", "[[2, -4, 6, 2, -4, 6]]"},
        Row{"extents in brackets",
            "z = np.zeros((2, 2)) + torch.ones([2, 2]) + ones((2, 2), dtype=np.float32)", "[[2, 2], [2, 2]]"},
        Row{"brackets around an extent", "z = zeros((1 + 1) * 1, 2) + ones((2), 2)", "[[1, 1], [1, 1]]"},
        Row{"side by side", "z = torch.cat([u, u], dim=-1) + concat([u, u], -1)", "[[2, -4, 6, 2, -4, 6]]"},
        Row{"transposes of PyTorch", "z = a.transpose(-2, -1) + a.t() + a.mT - a.transpose(1, 0)",
            "[[2, 8], [4, 10], [6, 12]]"},
        Row{"products of PyTorch", "z = torch.matmul(a, a.T) - torch.mm(a, np.dot(a.T, a) * 0 @ a.T)",
            "[[14, 32], [32, 77]]"},
        Row{"masks of PyTorch", "z = a.masked_fill(a > 4, 0) + torch.pow(u, 2) + u.clamp(0, 1)",
            "[[3, 6, 13], [6, 4, 10]]"},
        Row{"max of two", "z = max(a, b) - min(a, b)", "[[1, 3, 2.5], [7, 1, 5]]"},
        Row{"max of a row", "z = max(a) - min(a)", "[[2], [2]]"}));

TEST(FormulaParser, TakesAParameterForNoLibrary) {
    const FormulaNode sum = parse_formula("z = a @ F[3, 2] + F.sum(-1)").front().value.parts[1];
    ASSERT_EQ(sum.parts.size(), 2u);
    EXPECT_TRUE(sum.parts[0].is_name("F"));
}

TEST(FormulaParser, TakesAnOwnNameForNoFunctionOfALibrary) {
    const FormulaNode called = parse_formula("mm = 3\nz = mm(a, a)").back().value;
    EXPECT_EQ(called.kind, FormulaNode::Kind::call);
    EXPECT_EQ(parse_formula("z = mm(a, a)").back().value.kind, FormulaNode::Kind::sign);
}

INSTANTIATE_TEST_SUITE_P(
    SignsOfPapers, Formula,
    testing::Values(Row{"minus of papers", "z = 3 − 1", "[[2]]"},
                    Row{"comparisons of papers", "z = (a ≤ 2) + (a ≥ 5) + (a ≠ 3)", "[[2, 2, 0], [1, 2, 2]]"},
                    Row{"products of papers", "z = a ∘ b + a ⊙ b + a × b", "[[6, -6, 4.5], [-36, 60, 18]]"},
                    Row{"division of papers", "z = a ÷ 2", "[[0.5, 1, 1.5], [2, 2.5, 3]]"},
                    Row{"transposes of papers", "z = aᵀ + a⊤", "[[2, 8], [4, 10], [6, 12]]"},
                    Row{"infinity of papers", "z = minimum(a, ∞) + maximum(a, −∞)",
                        "[[2, 4, 6], [8, 10, 12]]"},
                    Row{"powers of papers", "z = 2 * a² - a ∗ a³ / a²", "[[1, 4, 9], [16, 25, 36]]"},
                    Row{"a dash for a minus", "z = a – 1", "[[0, 1, 2], [3, 4, 5]]"},
                    Row{"conditions of papers", "z = (a > 1) ∧ ¬(a ≥ 4) ∨ (a > 5)", "[[0, 1, 1], [0, 0, 1]]"},
                    Row{"pi of papers", "z = 2 * π", "[[6.283185307179586]]"}));

INSTANTIATE_TEST_SUITE_P(
    Axes, Formula,
    testing::Values(Row{"along rows", "z = sum(a)", "[[6], [15]]"},
                    Row{"along columns", "z = sum(a, axis=-2)", "[[5, 7, 9]]"},
                    Row{"axis 0", "z = sum(a, axis=0)", "[[5, 7, 9]]"},
                    Row{"axis 1", "z = sum(a, axis=1)", "[[6], [15]]"},
                    Row{"axis named before", "along = -2\nz = sum(a, axis=along)", "[[5, 7, 9]]"},
                    Row{"axis of heads", "z = sum(h, axis=-2)", "[[[4, 6]], [[12, 14]]]"},
                    Row{"cumulative along columns", "z = cumsum(a, axis=-2)", "[[1, 2, 3], [5, 7, 9]]"},
                    Row{"softmax along columns", "z = softmax(u.T, axis=-2)",
                        "[[0.11849965453500957], [0.00589975040190278], [0.8756005950630876]]"}));

INSTANTIATE_TEST_SUITE_P(
    Indices, Formula,
    testing::Values(Row{"rows", "z = c[1:3]", "[[3, 4], [5, 6]]"},
                    Row{"rows and columns", "z = a[0:2, 1:3]", "[[2, 3], [5, 6]]"},
                    Row{"columns", "z = a[:, :2]", "[[1, 2], [4, 5]]"},
                    Row{"from the end", "z = a[:, -2:]", "[[2, 3], [5, 6]]"},
                    Row{"to the end", "z = a[:, :-1]", "[[1, 2], [4, 5]]"},
                    Row{"halves", "z = h[:, :d // 2] + h[:, d // 2:]", "[[[3], [7]], [[11], [15]]]"},
                    Row{"one row", "z = c[2]", "[[5, 6]]"}, Row{"one number", "z = c[2, 1]", "[[6]]"},
                    Row{"rows of each head", "z = h[1]", "[[[3, 4]], [[7, 8]]]"},
                    Row{"list of columns", "z = a[:, [2, 0, 2]]", "[[3, 1, 3], [6, 4, 6]]"},
                    Row{"list of rows", "z = c[[2, 0], :]", "[[5, 6], [1, 2]]"},
                    Row{"dots", "z = h[..., 0:1, 1:]", "[[[2]], [[6]]]"},
                    Row{"index of a bracket", "z = (a + b)[1]", "[[1, 9, 7]]"},
                    Row{"index of an index", "z = a[:, 1:][:, 1:]", "[[3], [6]]"}));

INSTANTIATE_TEST_SUITE_P(
    Pairs, Formula,
    testing::Values(
        Row{"pairs", "z = sum(a[:, None] * b[None, :])", "[[1.5, 8], [6, 14]]"},
        Row{"pairs of distances", "z = sum(abs(a[:, None] - b[None, :]))", "[[6.5, 8], [13.5, 13]]"},
        Row{"pairs with a vector", "z = sum(u * tanh(a[:, None] + b[None, :]))",
            "[[2.4664001346087967, 0.03398489583979325], [2.0013155502268742, 1.7615892277075174]]"},
        Row{"pairs with dots", "z = sum(a[:, None, :] * b[None, :, :])", "[[1.5, 8], [6, 14]]"},
        Row{"pairs of heads", "z = sum((h[:, None] - s[None, :]) ** 2)",
            "[[[2, 1], [10, 5]], [[34, 25], [74, 61]]]"},
        Row{"pairs of truths", "z = sum(a[:, None] > b[None, :])", "[[2, 2], [3, 3]]"},
        Row{"pairs, the key first", "z = sum(b[None, :] - a[:, None])", "[[-4.5, -4], [-13.5, -13]]"},
        Row{"mean of pairs as a sum", "z = sum(a[:, None] * b[None, :]) / 3",
            "[[0.5, 2.6666666666666665], [2, 4.666666666666667]]"}));

INSTANTIATE_TEST_SUITE_P(
    PickedPlaces, Formula,
    testing::Values(Row{"pick rows and columns", "z = pick(c, [2, 0], [1, 0])", "[[6, 5], [2, 1]]"},
                    Row{"pick one", "z = pick(c, 2, 1)", "[[6]]"},
                    Row{"pick places", "z = pick(c, [[2, 0], [1, 1]], [[0, 1], [1, 0]])", "[[5, 2], [4, 3]]"},
                    Row{"pick by places of i and j", "z = pick([[10, 20, 30]], 0, abs(i - j))",
                        "[[10, 20, 30], [20, 10, 20], [30, 20, 10]]"},
                    Row{"pick columns by i", "z = pick(a, [0, 1], j - 1)", "[[1, 2, 3], [4, 5, 6]]"},
                    Row{"pick by a line that follows from places",
                        "r = minimum(abs(i - j), 1)\nz = pick(u, 0, r)",
                        "[[1, -2, -2], [-2, 1, -2], [-2, -2, 1]]"},
                    Row{"pick of each head", "z = pick(h, 0, [1, 0])", "[[[2, 1]], [[6, 5]]]"}));

INSTANTIATE_TEST_SUITE_P(
    Constants, Formula,
    testing::Values(Row{"arange", "z = arange(2, 5)", "[[2, 3, 4]]"},
                    Row{"arange from 0", "z = arange(3) + np.arange(n, dtype=float)", "[[0, 2, 4]]"},
                    Row{"zeros, ones and eye", "z = zeros(2, 2) + ones(2, 2) + eye(2)", "[[2, 1], [1, 2]]"},
                    Row{"zeros of extents", "z = zeros(n, d) + 1", "[[1, 1], [1, 1], [1, 1]]"},
                    Row{"row", "z = [1, -2, 0.5]", "[[1, -2, 0.5]]"},
                    Row{"matrix", "z = [[1, 2], [3, 4]]", "[[1, 2], [3, 4]]"},
                    Row{"matrix for each head", "z = [[[1, 2]], [[3, 4]]]", "[[[1, 2]], [[3, 4]]]"},
                    Row{"numbers that are reckoned", "z = [d + 1, 2 ** 3, sqrt(4), -n]", "[[3, 8, 2, -3]]"},
                    Row{"infinite numbers", "z = minimum([inf, 1], 7) + maximum([[-inf, 2]], 0)",
                        "[[7, 3]]"}));

INSTANTIATE_TEST_SUITE_P(
    Functions, Formula,
    testing::Values(
        Row{"transpose of a number", "z = d.T * a", "[[2, 4, 6], [8, 10, 12]]"},
        Row{"transpose twice", "z = a.T.T", "[[1, 2, 3], [4, 5, 6]]"},
        Row{"product with what is transposed twice", "z = a @ a.T.T.T", "[[14, 32], [32, 77]]"},
        Row{"where of numbers", "z = where(a > 2, a, -1)", "[[-1, -1, 3], [4, 5, 6]]"},
        Row{"minus infinity of Python", "z = softmax(where(a > 4, 0, float('-inf')))",
            "[[0, 0, 0], [0, 0.5, 0.5]]"},
        Row{"minus infinity in other letters", "z = softmax(where(a > 4, 0, float( \"-Infinity\" )))",
            "[[0, 0, 0], [0, 0.5, 0.5]]"},
        Row{"minus infinity", "z = softmax(where(a > 4, 0, -inf))", "[[0, 0, 0], [0, 0.5, 0.5]]"},
        Row{"sparsemax of nothing", "z = sparsemax(where(a > 4, 0, -inf))", "[[0, 0, 0], [0, 0.5, 0.5]]"},
        Row{"log of a sum of nothing", "z = maximum(logsumexp(where(a > 4, 0, -inf)), -9)",
            "[[-9], [0.6931471805599453]]"},
        Row{"inverse", "z = inv(s) @ s", "[[1, 0], [0, 1]]"},
        Row{"beside one another", "z = concat([a, b])", "[[1, 2, 3, 2, -1, 0.5], [4, 5, 6, -3, 4, 1]]"},
        Row{"below one another", "z = concat([a, b, u], axis=-2)",
            "[[1, 2, 3], [4, 5, 6], [2, -1, 0.5], [-3, 4, 1], [1, -2, 3]]"},
        Row{"heads side by side", "z = join_heads(h)", "[[1, 2, 5, 6], [3, 4, 7, 8]]"},
        Row{"split heads", "z = split_heads([[1, 2, 3, 4]], 2)", "[[[1, 2]], [[3, 4]]]"},
        Row{"split rows", "z = split_rows([[1, 2], [3, 4]], 2)", "[[[1, 2]], [[3, 4]]]"},
        Row{"take heads", "z = take_heads(h, [1, 1])", "[[[5, 6], [7, 8]], [[5, 6], [7, 8]]]"},
        Row{"mixed heads", "z = mix_heads([[1, 1], [0, 2]], h)",
            "[[[6, 8], [10, 12]], [[10, 12], [14, 16]]]"},
        Row{"logical_and", "z = logical_and(a > 1, a < 4)", "[[0, 1, 1], [0, 0, 0]]"},
        Row{"clip", "z = clip(b, -1, 2)", "[[2, -1, 0.5], [-1, 2, 1]]"},
        Row{"minimum and maximum", "z = minimum(a, b) + 10 * maximum(a, b)",
            "[[21, 19, 30.5], [37, 54, 61]]"},
        Row{"transpose as a function", "z = transpose(a)", "[[1, 4], [2, 5], [3, 6]]"},
        Row{"solution is what was found", "z = solution(a, a - 1)", "[[1, 2, 3], [4, 5, 6]]"}));

INSTANTIATE_TEST_SUITE_P(
    Scans, Formula,
    testing::Values(
        Row{"scan adds up", "z = scan(S = 0, S + c[t], S)", "[[1, 2], [4, 6], [9, 12]]"},
        Row{"scan reads after it has changed", "z = scan(S = zeros(1, d), c[t], S)",
            "[[1, 2], [3, 4], [5, 6]]"},
        Row{"rows before the first are zeros", "z = scan(S = zeros(1, d), S + c[t], S + 10 * c[t - 1])",
            "[[1, 2], [14, 26], [39, 52]]"},
        Row{"two rows before", "z = scan(S = zeros(1, d), S, c[t - 2])", "[[0, 0], [0, 0], [1, 2]]"},
        Row{"scan of two states", "z = scan(S = 0, T = 0, S + c[t], T + S, T)", "[[1, 2], [5, 8], [14, 20]]"},
        Row{"states one after the other", "z = scan(T = zeros(1, d), S = zeros(1, d), T + S, S + c[t], T)",
            "[[0, 0], [1, 2], [5, 8]]"},
        Row{"scan of outer products", "z = scan(S = zeros(d, d), S + c[t].T @ c[t], c[t] @ S)",
            "[[5, 10], [86, 122], [439, 556]]"},
        Row{"scan of a decay", "z = scan(S = ones(1, d), S / 2 + c[t], S)",
            "[[1.5, 2.5], [3.75, 5.25], [6.875, 8.625]]"},
        Row{"scan of heads", "z = scan(S = zeros(1, 1), S * head_number + sum(c[t]), S)",
            "[[[3], [10], [21]], [[3], [13], [37]]]"},
        Row{"scan of slices up to the token", "z = scan(S = 0, c[t], sum(c[:t + 1], axis=-2))",
            "[[1, 2], [4, 6], [9, 12]]"},
        Row{"scan in a larger value", "z = 1 + scan(S = 0, S + c[t], S) * 2",
            "[[3, 5], [9, 13], [19, 25]]"}));

/// What cannot be said has a refusal with a place; nothing else than these numbers comes out of it.
class RightOrRefused : public testing::TestWithParam<Row> {};

TEST_P(RightOrRefused, AndNeverOtherNumbers) {
    try {
        expect_result(z_of(GetParam().formula), formula_result(GetParam().expected));
    } catch (const Error& error) {
        EXPECT_EQ(error.detail().what, "formula") << error.what();
        EXPECT_TRUE(error.detail().where.starts_with("line ")) << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Places, RightOrRefused,
    testing::Values(
        Row{"a number that each turn gives again", "n1 = 1\nrepeat 3:\n    n1 = n1 * 2\nz = a * n1",
            "[[8, 16, 24], [32, 40, 48]]"},
        Row{"a number that turns of its own have",
            "n1 = 1\nz = a\nrepeat 2:\n    z = z * n1\n    n1 = n1 + 1", "[[2, 4, 6], [8, 10, 12]]"},
        Row{"places that turns have changed", "r = i - 1\nrepeat 2:\n    r = r * 0\nz = pick(c, r, 0)",
            "[[1], [1], [1]]"},
        Row{"places that one turn has changed", "r = i - 1\nrepeat 1:\n    r = r * 0\nz = pick(c, r, 0)",
            "[[1], [1], [1]]"},
        Row{"numbers under a name that turns give again", "z = a\nrepeat 2:\n    z = [1, 2, 3]",
            "[[1, 2, 3]]"},
        Row{"the last row", "z = c[-1]", "[[5, 6]]"},
        Row{"columns behind dots", "z = h[..., 1:]", "[[[2], [4]], [[6], [8]]]"},
        Row{"a matrix beside the diagonal", "z = eye(2, k=1)", "[[0, 1], [0, 0]]"},
        Row{"an axis that there is not", "z = pick(c, 0, 0, axis=7)", "[[1]]"},
        Row{"a row that stays", "z = sum(a, keepdims=unheard_of)", "[[6], [15]]"},
        Row{"the token by itself", "z = scan(S = 0, S + c[t], S / (t + 1))", "[[1, 2], [2, 3], [3, 4]]"}));

TEST(Formula, LinesMayAllBeginFurtherRight) {
    expect_result(value_of(program_of("\n  y1 = 2\n\n# at the left\n  z = a * y1\n"), "z"),
                  formula_result("[[2, 4, 6], [8, 10, 12]]"));
}

/// A line that is a number is a name for it: an extent, a place, how often. It is no tensor.
TEST(Formula, NumbersThatAreReckonedHaveNamesToo) {
    for (const char* number : {"1", "4 - 3", "n // d", "sqrt(1)", "2 ** 0", "d / 2", "n % d", "floor(1.5)"}) {
        SCOPED_TRACE(number);
        const std::string line = "one = " + std::string(number) + '\n';
        try {
            EXPECT_FALSE(program_of(line).has("one"));
            expect_result(z_of(line + "z = a[:, one:] + zeros(one, d)"), formula_result("[[2, 3], [5, 6]]"));
            expect_result(z_of(line + "z = a\nrepeat one:\n    z = z * 2"),
                          formula_result("[[2, 4, 6], [8, 10, 12]]"));
            expect_result(z_of(line + "z = sum(a, axis=one)"), formula_result("[[6], [15]]"));
        } catch (const Error& error) {
            ADD_FAILURE() << error.what();
        }
    }
}

TEST(Formula, SyntaxKnowsItsPlaces) {
    const auto lines =
        parse_formula("x1 = 2\n\nrepeat 3:\n    y1 = x1 * (2 + x1)  # a comment\n    z = y1\n");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].name, "x1");
    EXPECT_EQ(lines[0].text, "2");
    EXPECT_FALSE(lines[0].times);
    EXPECT_EQ(to_string(lines[1].place), "line 3, column 1");
    ASSERT_TRUE(lines[1].times);
    EXPECT_EQ(lines[1].times->number, 3);
    ASSERT_EQ(lines[1].body.size(), 2u);
    EXPECT_EQ(lines[1].body[0].text, "x1 * (2 + x1)");
    EXPECT_EQ(to_string(lines[1].body[0].value.place), "line 4, column 13");
    EXPECT_EQ(to_string(lines[1].body[1].place), "line 5, column 5");
}

TEST(Formula, IsAsLongAsAPersonWrites) {
    const std::string comment = "z = 1 #" + std::string(most_formula_bytes - 7, 'x');
    EXPECT_EQ(parse_formula(comment).size(), 1u);
    EXPECT_THROW(parse_formula(comment + 'x'), Error);
    const auto in_brackets = [](const char* open, int count, const char* close) {
        std::string text = "z = ";
        for (int i = 0; i < count; ++i)
            text += open;
        text += '1';
        for (int i = 0; i < count; ++i)
            text += close;
        return text;
    };
    EXPECT_EQ(parse_formula(in_brackets("(", 90, ")")).size(), 1u);
    for (const char* open : {"(", "[", "exp(", "-", "not ", "+", "x[", "2 ** "}) {
        EXPECT_THROW(parse_formula(in_brackets(open, 10'000, "")), Error) << open;
        EXPECT_THROW(parse_formula(in_brackets(open, 300, "")), Error) << open;
    }
    for (const char* more : {" + 1", ".T", "[0]", "**2"}) {
        std::string text = "z = a";
        for (int i = 0; i < 6000; ++i)
            text += more;
        EXPECT_THROW(parse_formula(text), Error) << more;
    }
}

}  // namespace

}  // namespace headlight::formula_syntax_test
