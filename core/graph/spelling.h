#pragma once

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
    PythonBinding binding = PythonBinding::atom;
    PythonBinding left = PythonBinding::atom, right = PythonBinding::atom;  ///< sign: what operands must hold
};

/// How tightly the parts of a formula in a cell hold together.
enum class CellBinding { compared, added, multiplied, whole };

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
