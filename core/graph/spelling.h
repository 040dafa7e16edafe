#pragma once

#include <limits>
#include <span>
#include <string_view>

namespace headlight {

struct ExpressionNode;
struct Place;

// How an operation is written: for people, in Python, in cells, in formulas that a person types. Writers walk
// what is declared here and know no operation by its name, but where they ask what it is made of.
//
// Words may have places in braces. A place begins with the number of an operand, behind which stands how
// tightly it must hold there or what is read of it ("{0:whole}"); without a number it is something else of
// the operation ("{column}"). "{0}" alone is what the operand is.

/// How tightly the parts of a line hold together that a person reads; a part that holds less gets brackets.
enum class PrintBinding { sum, term, whole };

struct PrintPattern {
    const char* text = nullptr;
    PrintBinding binding = PrintBinding::whole;
};

/// Numbers one after another: "max(0.2, 0.5, [3 more: 0.4], 0.1)".
struct PrintedList {
    const char* before = "";
    const char* each = "{0}";  ///< "{0:base}²"
    const char* joint = ", ";
    const char* after = "";  ///< with the place {count}
    PrintBinding binding = PrintBinding::whole, of_one = PrintBinding::whole;
    /// What numbers in the middle of a long list come to.
    double (*between)(std::span<const double> numbers) = nullptr;
    /// A number that is not written where others stand: of pairs that do not meet.
    double left_out = std::numeric_limits<double>::quiet_NaN();
    bool has_factors = false;  ///< numbers that are products are written with both factors
};

/// How people write an operation, in the signs of print: before the numbers of a cell with names, then with
/// these. Operands are wanted as {0:sum}, {0:term}, {0:whole}; as a {0:base}, in brackets where it is
/// negative; as an {1:exponent}, ² or ^3; {1:added} and {1:subtracted} have the sign before them.
struct PrintSpelling {
    enum class Form {
        undeclared,
        pattern,    ///< √0.25
        list,       ///< the numbers that it goes along; of a row up to the own one
        factors,    ///< 0.2 × 0.5 + 0.3 × 0.1, as OperationDescription::factors says
        said,       ///< in words, with the places {row} and {column}, counted from 1
        number,     ///< its number alone
        structure,  ///< as its operands are, which the writer walks
    };
    Form form = Form::undeclared;
    PrintPattern pattern = {};  ///< pattern, said
    PrintPattern symbols = {};  ///< with names; null: the pattern; "": there is no short way to write it
    PrintedList list = {};
    /// A second operand of this number changes nothing, and is not written where it is constant.
    double neutral = std::numeric_limits<double>::quiet_NaN();
    bool commutes = false;  ///< nor a first one
    bool is_sign = false;   ///< a number with it is a number
};

/// How tightly the parts of a line of Python hold together; a part that holds less gets parentheses.
enum class PythonBinding { comparison, sum, term, sign, powers, atom };

/// The words in which a line of a program is written.
enum class LineWords {
    numpy,
    torch,
    formula,  ///< what people type, and build_formula() reads
};

struct PythonPattern {
    const char* text = nullptr;
    PythonBinding binding = PythonBinding::atom;
};

/// How an operation is written in Python. Operands are wanted by their binding, {0:term}, or as {1:real}, a
/// number with a point. {list}: all of them. {np}: "np.", "torch." or nothing; {axis}: "axis" or "dim";
/// {keeps}: ", keepdims=True". Of what the operation is beside its operands: {count}, {heads}, {taken_heads},
/// {picked_places}, {row_slice}, {column_slice}, {row_list}, {column_list}; {shape}, {matrices}, {rows},
/// {columns}: the result's extents.
struct PythonSpelling {
    enum class Form {
        undeclared,
        call,       ///< np.exp(x), of any number of operands
        row_call,   ///< np.cumsum(x, axis=-1)
        sign,       ///< x + y
        reduction,  ///< x.sum(axis=-1, keepdims=True)
        pattern,
        structure,  ///< a number or a name
    };
    Form form = Form::undeclared;
    const char* numpy = "";
    const char* torch = nullptr;  ///< null: as in NumPy
    /// call, pattern: lines that define `numpy`, which NumPy itself has not; they may use `math`.
    const char* numpy_definition = nullptr;
    PythonBinding binding = PythonBinding::atom;
    PythonBinding left = PythonBinding::atom, right = PythonBinding::atom;  ///< sign: what operands must hold
    PythonPattern pattern = {};
    PythonPattern torch_pattern = {};  ///< null: as in NumPy
    /// In formulas; null: as OperationDescription::function calls it, or as in NumPy without its name.
    PythonPattern formula = {};
    /// Words that depend on what the operands are; null, or without text: the others.
    PythonPattern (*own)(const ExpressionNode& node, LineWords words) = nullptr;
};

/// How tightly the parts of a formula in a cell hold together.
enum class CellBinding { compared, added, multiplied, whole };

/// A function that formulas may call.
struct FormulaFunction {
    std::string_view name;     ///< "softmax"
    std::string_view form;     ///< "softmax(x)"
    std::string_view meaning;  ///< "exp(x) over its sum, row by row"
};

struct CellPattern {
    const char* text = nullptr;
    CellBinding binding = CellBinding::whole;
};

/// How an operation is written in a cell. Operands of elements are wanted by their binding, {0:added}; a
/// reduction's as {0:along}, what it goes along. Others read where an operand lies: {0:row}, {0:column}, its
/// row and its column of the cell; {1:row_of_column}, the row that the cell's column counts; {0:before}, its
/// row up to the cell before; {0:cell}, {0:matrix}; {0:pairs}, the features of a query and a key. {row} and
/// {column} are the cell's, counted from 1.
struct CellSpelling {
    enum class Form {
        undeclared,
        call,       ///< EXP(x), of any number of operands
        sign,       ///< x+y
        reduction,  ///< SUM(B2:E2)
        running,    ///< SUM(B2:D2), up to the own cell
        factors,    ///< B2*C3+B3*C4, as OperationDescription::factors says
        pattern,
        structure,  ///< a number, another cell
    };
    Form form = Form::undeclared;
    const char* word = "";
    CellBinding binding = CellBinding::whole, right = CellBinding::whole;  ///< sign
    CellPattern pattern = {};
    CellPattern array = {};  ///< elements: where each may be many numbers; null: the pattern
    /// Words that depend on operands or on the place; null: the pattern.
    CellPattern (*own)(const ExpressionNode& node, const Place& at) = nullptr;
};

}  // namespace headlight
