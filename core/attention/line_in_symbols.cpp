#include "core/attention/line_in_symbols.h"

#include "core/attention/arithmetic_text.h"
#include "core/graph/operation.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace headlight {
namespace {

/// Characters that are read at a glance before the numbers begin.
constexpr std::size_t most_characters = 48;

struct Symbols {
    std::string text;  ///< empty: there is no short way to write it
    Holds holds = Holds::whole;
};

Symbols symbols_of(const Expression& x);

std::string inside(const Expression& x, Holds at_least) {
    const Symbols part = symbols_of(x);
    return part.text.empty() || part.holds >= at_least ? part.text : "(" + part.text + ")";
}

/// `parts` in a row, or nothing where one of them is nothing.
Symbols joined(Holds holds, std::initializer_list<std::string> parts) {
    Symbols symbols{{}, holds};
    for (const std::string& part : parts) {
        if (part.empty())
            return {};
        symbols.text += part;
    }
    return symbols;
}

Symbols call(const std::string& name, const Expression& x) {
    return joined(Holds::whole, {name + "(", inside(x, Holds::sum), ")"});
}

bool is_number(const Expression& x, double number) {
    return x->operation == Operation::number && x->number == number;
}

Symbols of_elements(const Expression& x) {
    const auto& operands = x->operands;
    const auto part = [&](std::size_t i, Holds at_least) { return inside(operands[i], at_least); };
    if (const std::string_view symbol = description_of(x->operation).symbol; !symbol.empty())
        return call(std::string(symbol), operands[0]);
    switch (x->operation) {
    case Operation::negate:
        return joined(Holds::sum, {"−", part(0, Holds::term)});
    case Operation::logarithm_of_more:
        return joined(Holds::whole, {"ln(1 + ", part(0, Holds::sum), ")"});
    case Operation::root:
        return joined(Holds::whole, {"√", part(0, Holds::whole)});
    case Operation::absolute:
        return joined(Holds::whole, {"|", part(0, Holds::sum), "|"});
    case Operation::floor:
        return joined(Holds::whole, {"⌊", part(0, Holds::sum), "⌋"});
    case Operation::add:
        if (operands[1]->operation == Operation::number && operands[1]->number < 0)
            return joined(Holds::sum, {part(0, Holds::sum), " − ", format_number(-operands[1]->number)});
        return joined(Holds::sum, {part(0, Holds::sum), " + ", part(1, Holds::term)});
    case Operation::subtract:
        return joined(Holds::sum, {part(0, Holds::sum), " − ", part(1, Holds::term)});
    case Operation::multiply:
        for (const std::size_t i : {0, 1})
            if (is_number(operands[i], 1))
                return symbols_of(operands[1 - i]);
        return joined(Holds::term, {part(0, Holds::term), " × ", part(1, Holds::term)});
    case Operation::divide:
        return is_number(operands[1], 1)
                   ? symbols_of(operands[0])
                   : joined(Holds::term, {part(0, Holds::term), " / ", part(1, Holds::whole)});
    case Operation::power:
        if (is_number(operands[1], 1))
            return symbols_of(operands[0]);
        return is_number(operands[1], 2)
                   ? joined(Holds::term, {part(0, Holds::whole), "²"})
                   : joined(Holds::term, {part(0, Holds::whole), "^", part(1, Holds::whole)});
    case Operation::minimum:
    case Operation::maximum:
        return joined(Holds::whole, {x->operation == Operation::minimum ? "min(" : "max(",
                                     part(0, Holds::sum), ", ", part(1, Holds::sum), ")"});
    case Operation::choose: {  // the formula, where the other side is a number for the rest
        const bool first = operands[1]->operation == Operation::number,
                   second = operands[2]->operation == Operation::number;
        return first == second ? Symbols{} : symbols_of(operands[first ? 2 : 1]);
    }
    default:
        return {};
    }
}

/// "W_q", "v_p": a letter with an index, as papers write it.
bool is_symbol(std::string_view name) { return name.find('_') == 1; }

Symbols symbols_of(const Expression& x) {
    if (const auto& form = x->short_form)
        return joined(std::string_view(form->before).starts_with("−") ? Holds::sum : Holds::whole,
                      {form->before, inside(form->of, Holds::sum), form->after});
    const auto& operands = x->operands;
    switch (x->operation) {
    case Operation::number:
        return {format_number(x->number), x->number < 0 ? Holds::sum : Holds::whole};
    case Operation::tensor:
        return {is_symbol(x->tensor) ? x->tensor : in_words(x->tensor)};
    case Operation::sum_of_columns:
    case Operation::sum_of_rows:
    case Operation::sum_of_pairs:
        return joined(Holds::term, {"Σ ", inside(operands[0], Holds::term)});
    case Operation::maximum_of_columns:
    case Operation::maximum_of_rows:
        return call("max", operands[0]);
    case Operation::product:
    case Operation::product_transposed:
    case Operation::mix_heads:
        return joined(Holds::term,
                      {inside(operands[0], Holds::term), " · ", inside(operands[1], Holds::term)});
    case Operation::transposed:
        return joined(Holds::whole, {inside(operands[0], Holds::whole), "ᵀ"});
    case Operation::left_row:
    case Operation::right_row:
    case Operation::split_heads:
    case Operation::split_rows:
    case Operation::join_heads:
    case Operation::take_heads:
        return symbols_of(operands[0]);
    default:
        return description_of(x->operation).family == OperationFamily::elements ? of_elements(x) : Symbols{};
    }
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
