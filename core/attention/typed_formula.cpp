#include "core/attention/typed_formula.h"

#include "core/attention/formula_output.h"
#include "core/attention/formula_stages.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <functional>
#include <mutex>
#include <set>

namespace headlight {
namespace {

const std::array formula_names = {
    FormulaWord{"x", "the token vectors of the queries, [n, d_x]"},
    FormulaWord{"y", "the token vectors of the keys, [m, d_y]"},
    FormulaWord{"q", "the queries of a head, [n, d]"},
    FormulaWord{"k", "the keys of a head, [m, d]"},
    FormulaWord{"v", "the values of a head, [m, d_v]"},
    FormulaWord{"i", "the place of the query, from 1, [n, 1]"},
    FormulaWord{"j", "the place of the key, from 1, [1, m]"},
    FormulaWord{"head", "the number of the head, from 1"},
    FormulaWord{"allowed", "whether the mask lets the pair meet, [n, m]"},
    FormulaWord{"n", "how many queries there are"},
    FormulaWord{"m", "how many keys there are"},
    FormulaWord{"d", "the width of a head's queries"},
    FormulaWord{"d_v", "the width of a head's values"},
    FormulaWord{"d_x", "the width of the token vectors of the queries"},
    FormulaWord{"d_y", "the width of the token vectors of the keys"},
    FormulaWord{"heads", "how many heads there are"},
    FormulaWord{"query", "the queries before positions turn them"},
    FormulaWord{"key", "the keys before positions turn them, of the heads that have keys"},
    FormulaWord{"value", "the values, of the heads that have values"},
    FormulaWord{"concatenation",
                "the contexts of all heads side by side, [n, heads d_v], for lines behind \"context\""},
    FormulaWord{"inf", "more than any number"},
    FormulaWord{"pi", "3.14159..."},
};

std::string typed_text(const AttentionSpec& spec) {
    const auto text = spec.algorithm.options.find("text");
    return text == spec.algorithm.options.end() ? std::string() : std::get<std::string>(text->second);
}

std::vector<std::string> names_before_brackets(std::string_view text) {
    const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::set<std::string> names;
    for (std::size_t end = text.find('['); end != std::string_view::npos; end = text.find('[', end + 1)) {
        std::size_t first = end;
        while (first > 0 && is_of_name(text[first - 1]))
            --first;
        names.emplace(text.substr(first, end - first));
    }
    std::erase_if(names, [](const std::string& name) { return name.empty() || is_formula_word(name); });
    return {names.begin(), names.end()};
}

}  // namespace

std::shared_ptr<const TypedFormula> typed_formula(const std::string& text) {
    constexpr std::size_t most_kept = 16;
    static std::mutex mutex;
    static std::deque<std::pair<std::string, std::shared_ptr<const TypedFormula>>> last;
    {
        const std::lock_guard lock(mutex);
        for (const auto& [known, formula] : last)
            if (known == text)
                return formula;
    }
    const std::vector<FormulaLine> lines = parse_formula(text);
    auto formula = std::make_shared<const TypedFormula>(TypedFormula{lines, formula_stages(lines)});
    const std::lock_guard lock(mutex);
    last.emplace_front(text, formula);
    if (last.size() > most_kept)
        last.pop_back();
    return formula;
}

std::shared_ptr<const TypedFormula> typed_formula(const AttentionSpec& spec) {
    if (spec.algorithm.type != AlgorithmType::formula)
        return nullptr;
    return typed_formula(typed_text(spec));
}

std::vector<FormulaWord> formula_words() { return {formula_names.begin(), formula_names.end()}; }

bool is_formula_word(const std::string& name) {
    return std::ranges::count(formula_names, name, &FormulaWord::name) > 0;
}

std::vector<std::string> formula_parameter_names(const AttentionSpec& spec) {
    std::set<std::string> names, lines;
    const std::function<void(const FormulaNode&)> collect = [&](const FormulaNode& node) {
        const bool is_index = node.kind == FormulaNode::Kind::index;
        const std::string name = is_index ? node.parts[0].text : std::string();
        if (is_index && !name.empty() && !lines.contains(name) && !is_formula_word(name))
            names.insert(name);
        std::ranges::for_each(node.parts, collect);
    };
    try {
        if (const auto formula = typed_formula(spec))
            for (const FormulaLine& line : formula->lines) {
                collect(line.value);
                for (const FormulaLine& each : line.body)
                    collect(each.value);
                lines.insert(line.name);
            }
    } catch (const Error&) {  // half typed: whoever plans it says why
        return names_before_brackets(typed_text(spec));
    }
    return {names.begin(), names.end()};
}

bool formula_says_output(const AttentionSpec& spec) {
    try {
        const auto formula = typed_formula(spec);
        return formula && says_output(formula->lines);
    } catch (const Error&) {  // half typed: whoever plans it says why
        return false;
    }
}

}  // namespace headlight
