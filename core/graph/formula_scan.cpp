#include "core/graph/formula_expressions.h"

#include <algorithm>

namespace headlight {

namespace {

/// Steps that a scan may be written out as.
constexpr Index most_steps = 100'000;

Index parts_of(const FormulaNode& node) {
    Index count = 1;
    for (const FormulaNode& part : node.parts)
        count += parts_of(part);
    return count;
}

}  // namespace

Expression FormulaExpressions::scanned(const FormulaNode& node) {
    std::vector<std::size_t> states, values;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
        const std::string& state = node.keywords[i];
        const auto is_of_it = [&](std::size_t earlier) { return node.keywords[earlier] == state; };
        if (std::ranges::any_of(states, is_of_it))
            refuse_formula(node.parts[i].place,
                           "what " + excerpt(state) + " becomes, without its name and \"=\"",
                           '"' + excerpt(state) + " =\" again");
        (state.empty() ? values : states).push_back(i);
    }
    if (states.empty() || values.size() != states.size() + 1)
        refuse_formula(
            node.place,
            "scan(S = how it begins, what it becomes, what is read): as many states as values that "
            "they become, and one more",
            std::to_string(states.size()) + (states.size() == 1 ? " state and " : " states and ") +
                std::to_string(values.size()) + (values.size() == 1 ? " value" : " values"));
    if (!scanned_.empty())
        refuse_formula(node.place, "no scan within a scan", "one");
    if (names_.tokens == 0)
        refuse_formula(node.place, "one sequence, whose tokens a scan goes through",
                       "queries and keys of two");
    if (names_.tokens * parts_of(node) > most_steps)
        refuse_formula(node.place,
                       "at most " + std::to_string(most_steps / parts_of(node)) +
                           " tokens, for a scan is written out",
                       std::to_string(names_.tokens));
    std::vector<Expression> begun;
    for (const std::size_t state : states) {
        const std::string& name = node.keywords[state];
        if (is_known(name) || name == "t")
            refuse_formula(node.parts[state].place, "a new name for a state, other than t",
                           '"' + excerpt(name) + '"');
        begun.push_back(number(node.parts[state]));
    }
    for (std::size_t i = 0; i < states.size(); ++i)
        scanned_.insert_or_assign(node.keywords[states[i]], begun[i]);
    for (const std::size_t value : values)
        if (!node.parts[value].find("t"))
            require_token_named(node.parts[value]);
    std::vector<Expression> read;
    for (Index token = 0; token < names_.tokens; ++token) {
        numbers_.set("t", static_cast<double>(token));
        for (std::size_t i = 0; i < states.size(); ++i)
            scanned_.insert_or_assign(node.keywords[states[i]], state_after(node, node.keywords[states[i]],
                                                                            node.parts[values[i]], token));
        read.push_back(number(node.parts[values.back()]));
        if (read.back().extent().rows != 1 || !(read.back().extent() == read.front().extent()))
            refuse_formula(
                node.parts[values.back()].place,
                std::string("one row for each token, alike in heads and columns") +
                    (node.parts[values.back()].find("i") && read.back().extent().rows == names_.tokens
                         ? ": t + 1 is the place of the token, i those of all"
                         : ""),
                to_string(read.back().extent()) +
                    (read.back().extent().rows > 1 && read.back().extent().columns == 1
                         ? ", a column (q[t] @ S is a row)"
                         : ""));
    }
    numbers_.forget("t");
    scanned_.clear();
    return join_rows(std::move(read));
}

bool FormulaExpressions::is_of_all_tokens(const FormulaNode& node, const Expression& x) const {
    return !scanned_.empty() && names_.tokens > 1 && node.kind == FormulaNode::Kind::name &&
           !scanned_.contains(node.text) && !parameters_.contains(node.text) &&
           x.extent().rows == names_.tokens;
}

bool FormulaExpressions::is_known_of_all_tokens(const FormulaNode& node) const {
    const auto known = node.kind == FormulaNode::Kind::name ? names_.find(node.text) : std::nullopt;
    return known && is_of_all_tokens(node, *known);
}

void FormulaExpressions::require_row_of_token(const FormulaNode& product) const {
    const FormulaNode &first = product.parts[0], &second = product.parts[1];
    const auto is_of_all = [&](const FormulaNode& node) {
        return node.kind == FormulaNode::Kind::name && !scanned_.empty() &&
               is_of_all_tokens(node, named(node));
    };
    if (first.kind == FormulaNode::Kind::transpose && is_of_all(first.parts[0]) && is_of_all(second) &&
        (is_known_of_all_tokens(first.parts[0]) || is_known_of_all_tokens(second)))  // not rows by chance
        refuse_formula(product.place,
                       first.parts[0].text + "[t].T @ " + second.text + "[t], of the token that a scan is at",
                       first.parts[0].text + ".T @ " + second.text + ", of all tokens together");
}

void FormulaExpressions::require_matrix_added(const FormulaNode& sum, const Expression& a,
                                              const Expression& b) const {
    const auto is_state = [&](const FormulaNode& node, const Expression& x) {
        return x.extent().rows > 1 && x.extent().columns > 1 &&
               std::ranges::any_of(scanned_, [&](const auto& state) { return node.find(state.first); });
    };
    const auto row_of_token = [](const FormulaNode& node) {
        return node.kind == FormulaNode::Kind::index && node.parts[0].kind == FormulaNode::Kind::name
                   ? node.parts[0].text + "[t]"
                   : std::string();
    };
    for (const std::size_t i : {0U, 1U}) {
        const FormulaNode& product = sum.parts[i];
        const Extent& extent = (i == 0 ? a : b).extent();
        const bool is_number = product.kind == FormulaNode::Kind::sign && product.text == "@" &&
                               product.parts[1].kind == FormulaNode::Kind::transpose && extent.rows == 1 &&
                               extent.columns == 1;
        if (!is_number || !is_state(sum.parts[1 - i], i == 0 ? b : a))
            continue;
        const std::string first = row_of_token(product.parts[0]),
                          second = row_of_token(product.parts[1].parts[0]);
        const bool is_of_rows = !first.empty() && !second.empty();
        refuse_formula(product.place,
                       "a matrix to add to the state " + to_string((i == 0 ? b : a).extent()) + ": " +
                           (is_of_rows ? first + ".T @ " + second : "a.T @ b, of two rows,") + " is one",
                       (is_of_rows ? first + " @ " + second + ".T" : std::string("a @ b.T")) + ", a number");
    }
}

void FormulaExpressions::require_token_named(const FormulaNode& value) const {
    const FunctionOfValues* function =
        value.kind == FormulaNode::Kind::call ? function_of_values(value.text) : nullptr;
    if (value.kind == FormulaNode::Kind::index || (function && function->has_axis))
        return;  // one row, or all together
    if (is_known_of_all_tokens(value))
        refuse_formula(value.place, value.text + "[t], the row of the token that a scan is at",
                       '"' + value.text + "\" of all tokens");
    for (const FormulaNode& part : value.parts)
        require_token_named(part);
}

Expression FormulaExpressions::state_after(const FormulaNode& node, const std::string& name,
                                           const FormulaNode& value, Index token) {
    const Expression x = number(value);
    require_sums_done(value, x);
    if (is_plain_number(x) || x->operation == Operation::tensor)
        return x;
    return at(node.place, [&] { return program_.let(own_name(name + '_' + std::to_string(token + 1)), x); });
}

}  // namespace headlight
