#include "core/attention/line_in_symbols.h"

#include "core/attention/arithmetic_text.h"
#include "core/graph/operation.h"
#include "core/graph/pattern.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace headlight {
namespace {

/// Characters that are read at a glance before the numbers begin.
constexpr std::size_t most_characters = 48;

struct Symbols {
    std::string text;  ///< empty: there is no short way to write it
    PrintBinding holds = PrintBinding::whole;
};

Symbols symbols_of(const Expression& x);

std::string inside(const Expression& x, PrintBinding at_least) {
    const Symbols part = symbols_of(x);
    return part.text.empty() || part.holds >= at_least ? part.text : "(" + part.text + ")";
}

/// `parts` in a row, or nothing where one of them is nothing.
Symbols joined(PrintBinding holds, std::initializer_list<std::string> parts) {
    Symbols symbols{{}, holds};
    for (const std::string& part : parts) {
        if (part.empty())
            return {};
        symbols.text += part;
    }
    return symbols;
}

bool is_number(const Expression& x, double number) {
    return x->operation == Operation::number && x->number == number;
}

std::string in_place(const Expression& x, std::string_view wanted) {
    if (wanted == "added" && x->operation == Operation::number && x->number < 0)
        return " − " + format_number(-x->number);
    if (wanted == "added" || wanted == "subtracted") {
        const std::string term = inside(x, PrintBinding::term);
        return term.empty() ? term : (wanted == "added" ? " + " : " − ") + term;
    }
    if (wanted == "exponent") {
        const std::string exponent = inside(x, PrintBinding::whole);
        return exponent.empty() ? exponent : is_number(x, 2) ? "²" : "^" + exponent;
    }
    return inside(x, binding_of(wanted));
}

/// `pattern` with operands in its places, or nothing where one of them is nothing.
Symbols filled(const PrintPattern& pattern, const std::vector<Expression>& operands) {
    if (std::string_view(pattern.text) == "{0}")
        return symbols_of(operands[0]);
    Symbols symbols{{}, pattern.binding};
    bool is_short = true;
    walk_pattern(
        pattern.text, [&](std::string_view words) { symbols.text += words; },
        [&](const PatternPlace& place) {
            const std::string part = in_place(operands.at(place.operand.value()), place.word);
            is_short = is_short && !part.empty();
            symbols.text += part;
        });
    return is_short ? symbols : Symbols();
}

Symbols called(std::string_view name, const std::vector<Expression>& operands) {
    Symbols symbols{std::string(name) + "("};
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const std::string part = inside(operands[i], PrintBinding::sum);
        if (part.empty())
            return {};
        symbols.text += (i > 0 ? ", " : "") + part;
    }
    symbols.text += ")";
    return symbols;
}

/// "W_q", "v_p": a letter with an index, as papers write it.
bool is_symbol(std::string_view name) { return name.find('_') == 1; }

Symbols named(const std::string& name) { return {is_symbol(name) ? name : in_words(name)}; }

/// "query₂" where one whole row of a named tensor is taken, as a scan does of its tokens.
Symbols row_of_tensor(const ExpressionNode& pick) {
    const Expression& of = pick.operands[0];
    const Places &row = pick.row_places, &columns = pick.column_places;
    if (of->operation != Operation::tensor || row.rows != 1 || row.columns != 1 || columns.rows != 1 ||
        columns.columns != of.extent().columns)
        return {};
    for (Index at = 0; at < columns.columns; ++at)
        if (columns(0, at) != at)
            return {};
    return named(of.extent().rows == 1 ? of->tensor : of->tensor + '_' + std::to_string(row(0, 0) + 1));
}

Symbols symbols_of(const Expression& x) {
    if (const auto& form = x->short_form)
        return joined(std::string_view(form->before).starts_with("−") ? PrintBinding::sum
                                                                      : PrintBinding::whole,
                      {form->before, inside(form->of, PrintBinding::sum), form->after});
    const auto& operands = x->operands;
    if (x->operation == Operation::number)
        return {format_number(x->number), x->number < 0 ? PrintBinding::sum : PrintBinding::whole};
    if (x->operation == Operation::tensor)
        return named(x->tensor);
    if (x->operation == Operation::pick)
        return row_of_tensor(*x);
    if (x->operation == Operation::choose) {  // the formula, where the other side is a number for the rest
        const bool first = operands[1]->operation == Operation::number,
                   second = operands[2]->operation == Operation::number;
        return first == second ? Symbols{} : symbols_of(operands[first ? 2 : 1]);
    }
    const OperationDescription& description = description_of(x->operation);
    if (!description.symbol.empty())
        return called(description.symbol, operands);
    const PrintSpelling& print = description.print;
    if (print.commutes && is_number(operands[0], print.neutral))
        return symbols_of(operands[1]);
    if (operands.size() == 2 && is_number(operands[1], print.neutral))
        return symbols_of(operands[0]);
    const PrintPattern& pattern = print.symbols.text ? print.symbols : print.pattern;
    return pattern.text ? filled(pattern, operands) : Symbols();
}

}  // namespace

std::string in_words(std::string name) {
    constexpr std::string_view digits = "0123456789";
    const char* const lowered[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
    std::string index;
    const std::size_t sign = name.find_last_not_of(digits);
    if (sign != std::string::npos && sign > 0 && sign + 1 < name.size() && name[sign] == '_') {
        for (const char digit : name.substr(sign + 1))
            index += lowered[digit - '0'];
        name.resize(sign);
    }
    std::ranges::replace(name, '_', ' ');
    return name + index;
}

std::string in_symbols(const Expression& x) {
    const std::string text = symbols_of(x).text;
    const bool is_name = text.find_first_of("(/|·×+−√Σ") == std::string::npos;
    const auto characters =
        static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
    return is_name || characters > most_characters ? std::string() : text;
}

}  // namespace headlight
