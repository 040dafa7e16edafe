#pragma once

#include "core/graph/formula_builder.h"
#include "core/graph/row_formulas.h"

namespace headlight {

/// A call with its operands.
struct FunctionCall {
    std::vector<Expression> operands;
    AlongAxis along = AlongAxis::columns;  ///< axis=-1, the default, or axis=-2
    LetPart let;
};

/// A function of values alone, declared once.
struct FunctionOfValues {
    FormulaFunction words;
    std::size_t least = 1, most = 1;  ///< operands
    bool has_axis = false;
    /// Which operands are true or false in place of numbers, bit by bit.
    unsigned truths = 0;
    /// Null: it is that operation.
    Expression (*build)(const FunctionCall& call) = nullptr;
    Operation operation = Operation::number;

    Expression result(const FunctionCall& call) const {
        if (build)
            return build(call);
        if (call.along == AlongAxis::rows)
            return transposed(applied(operation, {transposed(call.operands.front())}));
        return applied(operation, call.operands);
    }
};

/// Null where there is none of the name.
const FunctionOfValues* function_of_values(std::string_view name);
std::span<const FunctionOfValues> functions_of_values();

}  // namespace headlight
