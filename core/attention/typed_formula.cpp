#include "core/attention/typed_formula.h"

#include "core/attention/composer.h"
#include "core/attention/formula_stages.h"
#include "core/attention/known_stages.h"
#include "core/attention/program_run.h"
#include "core/graph/read_off.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <mutex>
#include <set>

namespace headlight {
namespace {

/// What a formula begins with: token vectors, and the vectors of each head.
struct FormulaVectors {
    Expression query_tokens, key_tokens;
    Expression query, key, value;  ///< as they meet, of each head
    Expression plain_query, plain_key,
        plain_value;  ///< before positions turn them, keys and values as shared
};

/// What comes after a formula.
const std::vector<std::string> names_behind = {"output", "gate", "gated_context", "concatenation"};

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
    FormulaWord{"inf", "more than any number"},
    FormulaWord{"pi", "3.14159..."},
};

std::optional<double> number_of(const Plan& plan, const std::string& name) {
    const auto whole = [](Index number) { return std::optional(static_cast<double>(number)); };
    if (name == "n")
        return whole(plan.queries);
    if (name == "m")
        return whole(plan.keys);
    if (name == "d")
        return whole(plan.head_query_width());
    if (name == "d_v")
        return whole(plan.head_value_width());
    if (name == "d_x")
        return whole(plan.tokens.query_width);
    if (name == "d_y")
        return whole(plan.tokens.key_width);
    return name == "heads" ? whole(plan.heads) : std::nullopt;
}

/// Numbers from 1 along an axis.
Expression counted_from_one(Program& program, const std::string& name, const Extent& extent,
                            const std::string& note) {
    return program.give({name,
                         GivenTensor::Kind::constant,
                         extent,
                         {extent.size(), [](Index i) { return static_cast<double>(i + 1); }},
                         note});
}

FormulaNames names_of(const Plan& plan, Program& program, const FormulaVectors& vectors,
                      std::function<Expression()> allowed) {
    FormulaNames names;
    names.heads = plan.heads > 1 ? plan.heads : 0;
    names.tokens = plan.queries == plan.keys ? plan.queries : 0;
    names.reserved = names_behind;
    for (const FormulaWord& word : formula_names)
        names.known.push_back(word.name);
    names.find = [&plan, &program, vectors, allowed = std::move(allowed),
                  heads = names.heads](const std::string& name) -> std::optional<Expression> {
        if (const auto number = number_of(plan, name))
            return Expression(*number);
        if (name == "x")
            return vectors.query_tokens;
        if (name == "y")
            return vectors.key_tokens;
        if (name == "q")
            return vectors.query;
        if (name == "query")
            return vectors.plain_query;
        if (name == "k")
            return vectors.key;
        if (name == "key")
            return vectors.plain_key;
        if (name == "v")
            return vectors.value;
        if (name == "value")
            return vectors.plain_value;
        if (name == "i")
            return counted_from_one(program, "i", {0, plan.queries, 1}, "places of the queries, from 1");
        if (name == "j")
            return counted_from_one(program, "j", {0, 1, plan.keys}, "places of the keys, from 1");
        if (name == "head")
            return heads == 0 ? Expression(1)
                              : counted_from_one(program, "head", {heads, 1, 1}, "numbers of the heads");
        if (name == "allowed")
            return allowed();
        return {};
    };
    return names;
}

Expression zeros(Program& program, const std::string& name, const Extent& extent, bool is_truth = false) {
    return program.give({name,
                         GivenTensor::Kind::constant,
                         extent,
                         {extent.size(), [](Index) { return 0.0; }},
                         {},
                         is_truth});
}

/// A parameter as it is stored, [heads r, c] of [heads, r, c], and as the formula sees it.
Shape stored(const std::vector<Index>& extents) {
    return extents.size() == 3 ? Shape{extents[0] * extents[1], extents[2]} : Shape(extents);
}
Expression as_declared(const Expression& parameter, const std::vector<Index>& extents) {
    return extents.size() == 3 && extents[0] > 1 ? split_rows(parameter, extents[0]) : parameter;
}

/// The tensor of a line, or nothing.
std::optional<Expression> line_of(const Program& program, const TypedFormula& formula,
                                  const std::string& name) {
    const bool has_line = std::ranges::any_of(formula.lines, [&](const FormulaLine& line) {
        return line.name == name || std::ranges::count(line.body, name, &FormulaLine::name) > 0;
    });
    return has_line && program.has(name) ? std::optional(program.tensor(name)) : std::nullopt;
}

/// Where the formula gives a name its value; of what a line adds under a name of its own, "context_maximum",
/// that line, and otherwise that of the context.
FormulaPlace place_of(std::span<const FormulaLine> lines, const std::string& name) {
    FormulaPlace found;
    std::size_t length = 0;
    const auto look = [&](const FormulaLine& line) {
        const bool is_of_it = name == line.name || name.starts_with(line.name + '_');
        if ((is_of_it && line.name.size() >= length) || (length == 0 && line.name == "context"))
            found = line.place;
        if (is_of_it)
            length = std::max(length, line.name.size());
    };
    for (const FormulaLine& line : lines) {
        look(line);
        std::ranges::for_each(line.body, look);
    }
    return found;
}

[[noreturn]] void refuse(const TypedFormula& formula, const std::string& name, const std::string& expected,
                         const std::string& got) {
    refuse_formula(place_of(formula.lines, name), expected, got);
}

void require_extent(const TypedFormula& formula, const std::string& name, const Expression& x,
                    const Extent& expected) {
    const Extent& extent = x.extent();
    const bool has_heads = extent.heads == expected.heads || extent.matrices() == 1;
    if (!has_heads || extent.rows != expected.rows || extent.columns != expected.columns)
        refuse(formula, name, name + ' ' + to_string(expected), to_string(extent));
    if (x->is_truth)
        refuse(formula, name, "numbers", "true or false");
}

/// A stage of a name that every reader knows has the axes that the name stands for.
void require_axes_of_known_stages(const Plan& plan, const TypedFormula& formula, const Program& program) {
    static const std::vector<Stage> all = known_stages();
    for (const FormulaLine& line : formula.lines) {
        const auto known = std::ranges::find(all, line.name, &Stage::name);
        if (line.times || known == all.end() || !program.has(line.name))
            continue;
        const Extent& extent = program.tensor(line.name).extent();
        const std::vector<Axis>& axes = known->axes;
        const bool is_of_heads = axes.size() >= 2 && axes.size() <= 3 && axes[0] == Axis::head;
        const Index rows = is_of_heads && axes[1] == Axis::key ? plan.keys : plan.queries;
        const bool has_columns = axes.size() == 2           ? extent.columns == 1
                                 : axes.back() == Axis::key ? extent.columns == plan.keys
                                                            : true;
        if (is_of_heads && extent.rows == rows && has_columns)
            continue;
        std::string words;
        for (const Axis axis : axes)
            words += (words.empty() ? "" : ", ") + std::string(to_string(axis));
        refuse_formula(line.place, "another name: \"" + line.name + "\" is a stage of the axes " + words,
                       to_string(extent));
    }
}

/// Runs the lines as they stand, and returns the contexts.
Expression define(const Plan& plan, const TypedFormula& formula, const FormulaNames& names, Program& program,
                  const Expression& value) {
    build_formula(formula.lines, names, program);
    require_axes_of_known_stages(plan, formula, program);
    const auto context = line_of(program, formula, "context");
    auto weights = line_of(program, formula, "weights");
    if (!context && !weights)
        throw Error({"formula", "", "a line \"context = ...\", or \"weights = ...\" from which it follows",
                     formula.lines.empty() ? "no line" : "neither"});
    if (weights)
        require_extent(formula, "weights", *weights, {names.heads, plan.queries, plan.keys});
    if (context)
        require_extent(formula, "context", *context, {names.heads, plan.queries, plan.head_value_width()});
    if (!weights) {
        try {
            weights = program.let("weights", read_off(program, *context, value->tensor, "_of_each"),
                                  "what each query takes of each value");
        } catch (const Error& error) {
            const std::string& at = error.detail().where;
            refuse(formula, at.empty() ? "context" : at,
                   "a line \"weights = ...\", the map [n, m] to look at, which cannot be read off here: that "
                   "needs " +
                       error.detail().expected,
                   error.detail().got);
        }
        require_extent(formula, "context", *weights, {names.heads, plan.queries, plan.keys});
    }
    Expression attended =
        context ? *context
                : program.let("context", product(*weights, value), "the values that each query gets");
    if (attended.extent().heads != names.heads)
        attended = attended + zeros(program, "nothing_for_heads", {names.heads, 1, 1});
    return attended;
}

bool asks_for(const FormulaNode& node, std::string_view name) {
    return node.is_name(name) ||
           std::ranges::any_of(node.parts, [&](const FormulaNode& part) { return asks_for(part, name); });
}
bool asks_for(const std::vector<FormulaLine>& lines, std::string_view name) {
    return std::ranges::any_of(lines, [&](const FormulaLine& line) {
        return asks_for(line.value, name) || asks_for(line.body, name);
    });
}

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

std::vector<DeclaredParameter> formula_parameters(const Plan& plan) {
    Program program;
    const Expression none = 0;
    FormulaNames names =
        names_of(plan, program, {none, none, none, none, none, none, none, none}, [&] { return none; });
    const auto formula = typed_formula(plan.spec);
    // The numbers of tensors are not asked for, only that these are known.
    return parameters_of(formula->lines, names);
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

void check_formula(const Plan& plan) {
    const auto formula = typed_formula(plan.spec);
    if (is_masked(plan.spec.mask) && !asks_for(formula->lines, "allowed"))
        throw Error({"formula", "mask",
                     "the mask \"none\", or a formula that asks for \"allowed\", as where(allowed, scores, "
                     "-inf)",
                     "a mask that the formula never asks for"});
    Program program;
    program.is_outline = true;
    const auto of_heads = [&](const char* name, Index count, Index rows, Index width) {
        return zeros(program, name, {plan.heads > 1 ? count : 0, rows, width});
    };
    const Index queries = plan.queries, keys = plan.keys, heads = plan.heads, shared = plan.kv_heads;
    const FormulaVectors vectors{
        zeros(program, "tokens", {0, queries, plan.tokens.query_width}),
        zeros(program, "key_tokens", {0, keys, plan.tokens.key_width}),
        of_heads("queries that meet", heads, queries, plan.head_query_width()),
        of_heads("keys that meet", shared == 1 ? 1 : heads, keys, plan.head_key_width()),
        of_heads("values of heads", shared == 1 ? 1 : heads, keys, plan.head_value_width()),
        of_heads("query", heads, queries, plan.head_query_width()),
        of_heads("key", shared, keys, plan.head_key_width()),
        of_heads("value", shared, keys, plan.head_value_width())};
    FormulaNames names = names_of(plan, program, vectors, [&] {
        return zeros(program, "allowed", {0, plan.queries, plan.keys}, true);
    });
    names.declare = [&](const std::string& name, const std::vector<Index>& extents) {
        const Shape shape = stored(extents);
        const Extent extent = shape.size() == 1 ? Extent{0, 1, shape[0]} : Extent{0, shape[0], shape[1]};
        return as_declared(zeros(program, name, extent), extents);
    };
    define(plan, *formula, names, program, vectors.value);
}

void require_rows_of_formula(const Plan& plan) {
    const auto formula = typed_formula(plan.spec);
    const auto whole = formula ? made_whole(plan) : std::nullopt;
    if (!whole)
        return;
    const bool is_of_all_heads = plan.heads > 1 && whole->extent.matrices() == 1;
    refuse(*formula, whole->line,
           "maps that are made row by row, as a text of " + std::to_string(plan.queries) +
               " tokens needs, or a shorter text",
           whole->line + ": " + to_string(whole->extent) + " as a whole" +
               (is_of_all_heads ? ", one map for all heads beside maps of each (a matrix for each head, as "
                                  "A[heads, d_x, m], makes it one of each)"
                                : ""));
}

Expression define_formula(Composer& composer) {
    const Plan& plan = composer.plan;
    const auto formula = typed_formula(plan.spec);
    FormulaNames names =
        names_of(plan, composer.program,
                 {composer.query_tokens, composer.key_tokens, composer.query, composer.key, composer.value,
                  composer.plain_query, composer.program.tensor("key"), composer.program.tensor("value")},
                 [&] { return composer.allowed(); });
    names.declare = [&](const std::string& name, const std::vector<Index>& extents) {
        return as_declared(composer.parameter(name), extents);
    };
    return define(plan, *formula, names, composer.program, composer.value);
}

}  // namespace headlight
