#include "core/attention/typed_formula.h"

#include "core/attention/composer.h"
#include "core/attention/pipeline_stages.h"
#include "core/graph/read_off.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <array>
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

[[noreturn]] void refuse(const TypedFormula& formula, const std::string& name, const std::string& expected,
                         const std::string& got) {
    const auto line = std::ranges::find(formula.lines, name, &FormulaLine::name);
    throw Error({"formula", line == formula.lines.end() ? name : to_string(line->place), expected, got});
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

/// Runs the lines as they stand, and returns the contexts.
Expression define(const Plan& plan, const TypedFormula& formula, const FormulaNames& names, Program& program,
                  const Expression& value) {
    build_formula(formula.lines, names, program);
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
            throw Error({"formula", error.detail().where.empty() ? "context" : error.detail().where,
                         "a line \"weights = ...\", the map [n, m] to look at, for it cannot be read off: " +
                             error.detail().expected,
                         error.detail().got});
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

// Stages, as far as lines say what their axes count.

enum class Counts { unknown, one, queries, keys, features };
struct Counted {
    Counts rows = Counts::unknown, columns = Counts::unknown;
};

class LineReader {
public:
    using Kind = FormulaNode::Kind;

    Counted axes(const FormulaNode& node) const {
        switch (node.kind) {
        case Kind::number:
            return {Counts::one, Counts::one};
        case Kind::name:
            return named(node.text);
        case Kind::transpose: {
            const Counted x = axes(node.parts[0]);
            return {x.columns, x.rows};
        }
        case Kind::sign:
            if (node.text == "@")
                return {axes(node.parts[0]).rows, axes(node.parts[1]).columns};
            return together(node.parts);
        case Kind::call:
            return called(node);
        case Kind::index:
            return indexed(node);
        case Kind::list:
            return {Counts::features, Counts::features};
        default:
            return {};
        }
    }

    void add(const FormulaLine& line) { lines_.insert_or_assign(line.name, axes(line.value)); }

private:
    Counted named(const std::string& name) const {
        if (const auto line = lines_.find(name); line != lines_.end())
            return line->second;
        if (name == "x" || name == "q" || name == "query")
            return {Counts::queries, Counts::features};
        if (name == "y" || name == "k" || name == "v" || name == "key" || name == "value")
            return {Counts::keys, Counts::features};
        if (name == "i")
            return {Counts::queries, Counts::one};
        if (name == "j")
            return {Counts::one, Counts::keys};
        if (name == "allowed")
            return {Counts::queries, Counts::keys};
        return {Counts::one, Counts::one};
    }

    Counted together(const std::vector<FormulaNode>& parts) const {
        Counted met{Counts::one, Counts::one};
        const auto meet = [](Counts& a, Counts b) {
            if (a == Counts::one || a == Counts::unknown)
                a = b;
        };
        for (const FormulaNode& part : parts) {
            const Counted x = axes(part);
            meet(met.rows, x.rows);
            meet(met.columns, x.columns);
        }
        return met;
    }

    static bool has_none(const FormulaNode& node) {
        return (node.kind == Kind::nothing && node.text == "None") ||
               std::ranges::any_of(node.parts, has_none);
    }

    Counted called(const FormulaNode& node) const {
        const bool reduces =
            node.text == "sum" || node.text == "mean" || node.text == "max" || node.text == "min";
        if (node.text == "scan")
            return {Counts::queries, node.parts.empty() ? Counts::unknown : axes(node.parts.back()).columns};
        if (node.text == "concat" && !node.parts.empty())
            return together(node.parts[0].parts);
        if (node.text == "arange" || node.text == "zeros" || node.text == "ones" || node.text == "eye")
            return {Counts::features, Counts::features};
        if (reduces && has_none(node))
            return {Counts::queries, Counts::keys};
        if (!reduces ||
            node.parts.size() != 1 + static_cast<std::size_t>(std::ranges::count(node.keywords, "axis")))
            return together(node.parts);
        const Counted x = axes(node.parts[0]);
        const auto axis = std::ranges::find(node.keywords, "axis");
        const bool is_of_rows =
            axis != node.keywords.end() &&
            node.parts[static_cast<std::size_t>(axis - node.keywords.begin())].kind == Kind::sign &&
            node.parts[static_cast<std::size_t>(axis - node.keywords.begin())].parts[0].number == 2;
        return is_of_rows ? Counted{Counts::one, x.columns} : Counted{x.rows, Counts::one};
    }

    Counted indexed(const FormulaNode& node) const {
        const bool is_known = lines_.contains(node.parts[0].text) ||
                              std::ranges::count(formula_names, node.parts[0].text, &FormulaWord::name) > 0;
        if (node.parts[0].kind == Kind::name && !is_known)
            return {Counts::features, Counts::features};  // a parameter
        const Counted x = axes(node.parts[0]);
        const bool is_row = node.parts.size() == 2 && node.parts[1].kind != Kind::slice;
        return is_row ? Counted{Counts::one, x.columns} : x;
    }

    std::map<std::string, Counted> lines_;
};

void collect_names(const FormulaNode& node, std::vector<std::string>& names) {
    if (node.kind == FormulaNode::Kind::name && std::ranges::count(names, node.text) == 0)
        names.push_back(node.text);
    for (const FormulaNode& part : node.parts)
        collect_names(part, names);
}

/// The stage that a name of a line is; empty where it is none.
std::string stage_named(const std::string& name, const std::set<std::string>& lines) {
    if (lines.contains(name))
        return name;
    if (name == "x" || name == "y")
        return "tokens";
    return name == "q" ? "query" : name == "k" ? "key" : name == "v" ? "value" : "";
}

DeclaredStage stage_of(const FormulaLine& line, const Counted& counted, const std::set<std::string>& lines) {
    const auto known = std::ranges::find(pipeline_stages(), line.name, &DeclaredStage::name);
    const bool is_known = known != pipeline_stages().end();
    DeclaredStage stage;
    stage.name = line.name;
    stage.title = is_known ? known->title : line.name;
    stage.subtitle = line.text;
    std::vector<std::string> names;
    collect_names(line.value, names);
    const bool is_product = line.value.kind == FormulaNode::Kind::sign && line.value.text == "@";
    for (const std::string& name : names)
        if (const std::string of = stage_named(name, lines); !of.empty())
            stage.operands.push_back({.stage = of,
                                      .operator_before = stage.operands.empty() ? ""
                                                         : is_product           ? "×"
                                                                                : "and",
                                      .as_keys = of == "key" || of == "value",
                                      .is_optional = true});
    const bool is_map = counted.rows == Counts::queries && counted.columns == Counts::keys;
    const bool is_softmax = line.value.kind == FormulaNode::Kind::call &&
                            (line.value.text == "softmax" || line.value.text == "sparsemax");
    if (is_map)
        stage.role = line.name == "weights" || is_softmax ? StageRole::weights : StageRole::scores;
    stage.is_share =
        is_softmax || (line.value.kind == FormulaNode::Kind::call && line.value.text == "sigmoid");
    stage.is_of_keys = counted.rows == Counts::keys;
    stage.is_of_features = counted.rows == Counts::features || counted.rows == Counts::one;
    stage.has_features = counted.columns == Counts::features;
    return stage;
}

TypedFormula read(const std::string& text) {
    TypedFormula formula{parse_formula(text), {}};
    LineReader reader;
    std::set<std::string> lines;
    for (const FormulaLine& line : formula.lines) {
        if (line.times)
            continue;
        formula.stages.push_back(stage_of(line, reader.axes(line.value), lines));
        reader.add(line);
        lines.insert(line.name);
    }
    const auto declare = [&](const char* name, DeclaredStage stage) {
        if (!lines.contains(name))
            formula.stages.push_back(std::move(stage));
    };
    declare("weights", {.name = "weights",
                        .title = "Weights",
                        .subtitle = "what each query takes of each value",
                        .role = StageRole::weights});
    declare("context",
            {.name = "context",
             .title = "Context",
             .subtitle = "weights @ v",
             .operands = {{"weights"}, {.stage = "value", .operator_before = "×", .as_keys = true}},
             .colours_of = "value"});
    return formula;
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
    auto formula = std::make_shared<const TypedFormula>(read(text));
    const std::lock_guard lock(mutex);
    last.emplace_front(text, formula);
    if (last.size() > most_kept)
        last.pop_back();
    return formula;
}

std::shared_ptr<const TypedFormula> typed_formula(const AttentionSpec& spec) {
    if (spec.algorithm.type != AlgorithmType::formula)
        return nullptr;
    const auto text = spec.algorithm.options.find("text");
    return typed_formula(text == spec.algorithm.options.end() ? std::string()
                                                              : std::get<std::string>(text->second));
}

std::vector<FormulaWord> formula_words() { return {formula_names.begin(), formula_names.end()}; }

std::vector<DeclaredParameter> formula_parameters(const Plan& plan) {
    Program program;
    const Expression none = 0;
    FormulaNames names =
        names_of(plan, program, {none, none, none, none, none, none, none, none}, [&] { return none; });
    const auto formula = typed_formula(plan.spec);
    // Of tensors the numbers are not asked for, only that they are known.
    return parameters_of(formula->lines, names);
}

void check_formula(const Plan& plan) {
    const auto formula = typed_formula(plan.spec);
    if (is_masked(plan.spec.mask) && !asks_for(formula->lines, "allowed"))
        throw Error({"formula", "mask",
                     "none, or a formula that asks for \"allowed\", as where(allowed, scores, -inf)",
                     "a mask that it would pass over"});
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
