#pragma once

#include <string_view>

namespace headlight {

/// How tightly the parts of a line of Python hold together; a part that holds less gets parentheses.
enum class PythonBinding { comparison, sum, term, sign, powers, atom };

/// How an operation is written in Python.
struct PythonSpelling {
    enum class Form {
        own,        ///< the writer has words for this operation alone
        call,       ///< np.exp(x), of any number of operands
        row_call,   ///< np.cumsum(x, axis=-1)
        sign,       ///< x + y
        reduction,  ///< x.sum(axis=-1, keepdims=True)
    };
    Form form = Form::own;
    const char* numpy = "";
    const char* torch = nullptr;  ///< null: as in NumPy
    /// call: lines that define `numpy`, which NumPy itself has not; they may use `math`.
    const char* numpy_definition = nullptr;
    PythonBinding binding = PythonBinding::atom;
    PythonBinding left = PythonBinding::atom, right = PythonBinding::atom;  ///< sign: what operands must hold
};

/// How tightly the parts of a formula in a cell hold together.
enum class CellBinding { compared, added, multiplied, whole };

/// A function that formulas may call.
struct FormulaFunction {
    std::string_view name;     ///< "softmax"
    std::string_view form;     ///< "softmax(x)"
    std::string_view meaning;  ///< "exp(x) over its sum, row by row"
};

/// How an operation is written in a cell.
struct CellSpelling {
    enum class Form {
        own,        ///< the writer has words for this operation alone
        call,       ///< EXP(x), of any number of operands
        sign,       ///< x+y
        reduction,  ///< SUM(B2:E2)
        running,    ///< SUM(B2:D2), up to the own cell
    };
    Form form = Form::own;
    const char* word = "";
    CellBinding binding = CellBinding::whole, right = CellBinding::whole;  ///< sign
};

}  // namespace headlight
