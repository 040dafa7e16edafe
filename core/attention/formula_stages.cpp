#include "core/attention/formula_stages.h"

#include "core/attention/formula_output.h"
#include "core/attention/pipeline_stages.h"
#include "core/attention/typed_formula.h"
#include "core/graph/formula_spellings.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace headlight {
namespace {

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
            return met(node);
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

    void add(const FormulaLine& line) {
        const Counted counted = axes(line.value);
        if (counted.columns == Counts::one && is_distance_in_row(line.value))
            distances_in_rows_.insert(line.name);
        lines_.insert_or_assign(line.name, counted);
    }

    void require_rows_of_queries(const FormulaLine& line) const {
        const Counted x = named(line.name);
        if (line.name == "weights" && x.rows == Counts::keys && x.columns == Counts::queries)
            refuse_formula(line.place, "weights [n, m]: rows are queries, as in q @ k.T", "rows of keys");
    }

private:
    Counted named(const std::string& name) const {
        if (const auto line = lines_.find(name); line != lines_.end())
            return line->second;
        if (name == "x" || name == "q" || name == "query" || name == "concatenation")
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

    std::vector<Counted> axes_of_each(const std::vector<FormulaNode>& parts) const {
        std::vector<Counted> each;
        for (const FormulaNode& part : parts)
            each.push_back(axes(part));
        return each;
    }

    Counted met(const FormulaNode& node) const {
        const std::vector<Counted> parts = axes_of_each(node.parts);
        if (parts.size() == 2) {
            if (node.text == "+" || node.text == "-") {
                require_distances_of_pairs(node.parts[0], parts[0], parts[1]);
                require_distances_of_pairs(node.parts[1], parts[1], parts[0]);
            }
            if (node.text == "*") {
                require_slope(node.parts[0], node.parts[1], parts[1]);
                require_slope(node.parts[1], node.parts[0], parts[0]);
            }
            require_row_of_keys(node.parts[0], parts[0], node.parts[1], parts[1]);
            require_row_of_keys(node.parts[1], parts[1], node.parts[0], parts[0]);
        }
        return together(parts);
    }

    /// A column of keys meets rows of queries where there are as many of both, as in a text that looks at
    /// itself, and then each query has the number of the wrong key.
    static void require_row_of_keys(const FormulaNode& one, const Counted& of_one, const FormulaNode& other,
                                    const Counted& of_other) {
        const bool is_column = of_one.rows == Counts::keys && of_one.columns == Counts::one;
        const auto has = [](const FormulaNode& node, auto... names) { return (node.find(names) || ...); };
        const bool is_of_pairs = of_other.columns == Counts::keys;
        const bool is_of_queries =
            of_other.columns == Counts::one && has(other, "q", "query") && has(one, "k", "key");
        if (is_column && of_other.rows == Counts::queries && (is_of_pairs || is_of_queries))
            refuse_formula(one.place,
                           "a number for each key in a row, [1, m]: a column with \".T\" behind it",
                           is_of_pairs ? "a column [m, 1] beside pairs [n, m]"
                                       : "a column [m, 1] beside one of queries [n, 1]");
    }

    /// ALiBi's paper calls m what its distances are multiplied by; here it counts the keys.
    static void require_slope(const FormulaNode& one, const FormulaNode& other, const Counted& of_other) {
        const bool is_of_pairs = of_other.rows == Counts::queries && of_other.columns == Counts::keys;
        const bool is_distance = is_of_pairs && other.find("i") && other.find("j") && !other.find("q");
        if ((one.is_name("m") || one.is_name("n")) && is_distance)
            refuse_formula(
                one.place,
                "another name for what distances are multiplied by, in a line of its own, \"slope = "
                "1 / 4\"",
                '"' + one.text +
                    (one.text == "m" ? "\", how many keys there are" : "\", how many queries there are"));
    }

    /// How far each query is from the key of its own row is the same for every key that it meets: added to
    /// scores, it changes no softmax.
    void require_distances_of_pairs(const FormulaNode& one, const Counted& of_one,
                                    const Counted& of_other) const {
        const bool is_column = of_one.columns == Counts::one;
        const bool is_beside_pairs = of_other.rows == Counts::queries && of_other.columns == Counts::keys;
        if (is_column && is_beside_pairs && is_distance_in_row(one))
            refuse_formula(one.place,
                           "distances of all pairs, as in " + std::string(distances_said_here()) +
                               ", beside pairs [n, m]",
                           "a column [n, 1], of each query and the key of the same row");
    }

    /// norm(q - k), or a sum or mean along the rows of what is made of q - k, here or in a line that is
    /// named.
    bool is_distance_in_row(const FormulaNode& node) const {
        const bool reduces =
            node.kind == Kind::call && (node.text == "sum" || node.text == "mean" || node.text == "norm");
        return (node.kind == Kind::name && distances_in_rows_.contains(node.text)) ||
               (reduces && !has_none(node) && has_difference(node)) ||
               std::ranges::any_of(node.parts,
                                   [&](const FormulaNode& part) { return is_distance_in_row(part); });
    }

    static bool has_difference(const FormulaNode& node) {
        const auto is_between = [&](const char* first, const char* second) {
            return node.parts[0].is_name(first) && node.parts[1].is_name(second);
        };
        const bool is_difference = node.kind == Kind::sign && node.text == "-" && node.parts.size() == 2;
        return (is_difference && (is_between("q", "k") || is_between("k", "q"))) ||
               std::ranges::any_of(node.parts, has_difference);
    }

    Counted together(const std::vector<FormulaNode>& parts) const { return together(axes_of_each(parts)); }

    /// One meets any other, and what counts features may be as wide as there are tokens by chance alone.
    static Counted together(const std::vector<Counted>& parts) {
        Counted met{Counts::one, Counts::one};
        const auto is_of_tokens = [](Counts x) { return x == Counts::queries || x == Counts::keys; };
        const auto meet = [&](Counts& a, Counts b) {
            if (a == Counts::one || a == Counts::unknown || (a == Counts::features && is_of_tokens(b)))
                a = b;
        };
        for (const Counted& x : parts) {
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
        const bool reduces = node.text == "sum" || node.text == "mean" || node.text == "max" ||
                             node.text == "min" || node.text == "norm";
        if (node.text == "scan")
            return {Counts::queries, node.parts.empty() ? Counts::unknown : axes(node.parts.back()).columns};
        if (node.text == "concat" && !node.parts.empty())
            return together(node.parts[0].parts);
        if (node.text == "arange" || node.text == "zeros" || node.text == "ones" || node.text == "eye")
            return {Counts::features, Counts::features};
        if (reduces && has_none(node))
            return {Counts::queries, Counts::keys};
        if (!reduces || std::ranges::count(node.keywords, "") != 1)  // more than what is reduced
            return together(node.parts);
        const Counted x = axes(node.parts[0]);
        const auto axis = std::ranges::find_if(
            node.keywords, [](const std::string& word) { return word == "axis" || word == "dim"; });
        const auto along_rows = [](const FormulaNode& number) {
            return number.kind == Kind::sign ? number.parts[0].number == 2 : number.number == 0;
        };
        const bool is_of_rows =
            axis != node.keywords.end() &&
            along_rows(node.parts[static_cast<std::size_t>(axis - node.keywords.begin())]);
        return is_of_rows ? Counted{Counts::one, x.columns} : Counted{x.rows, Counts::one};
    }

    Counted indexed(const FormulaNode& node) const {
        const bool is_known = lines_.contains(node.parts[0].text) || is_formula_word(node.parts[0].text);
        if (node.parts[0].kind == Kind::name && !is_known)
            return declared(node);
        const Counted x = axes(node.parts[0]);
        const bool is_row = node.parts.size() == 2 && node.parts[1].kind != Kind::slice;
        return is_row ? Counted{Counts::one, x.columns} : x;
    }

    /// What a parameter counts, W[d, 16], b[16] or W[heads, d, 16].
    static Counted declared(const FormulaNode& node) {
        const auto count = [](const FormulaNode& extent) {
            return extent.is_name("n")                                 ? Counts::queries
                   : extent.is_name("m")                               ? Counts::keys
                   : extent.kind == Kind::number && extent.number == 1 ? Counts::one
                                                                       : Counts::features;
        };
        const std::size_t last = node.parts.size() - 1;
        if (last == 0)
            return {};
        Counted counted{last > 1 ? count(node.parts[last - 1]) : Counts::one, count(node.parts[last])};
        if (counted.rows == Counts::queries && counted.columns == Counts::queries)
            counted.columns = Counts::keys;  // [n, n] is a map of one sequence
        return counted;
    }

    std::map<std::string, Counted> lines_;
    std::set<std::string> distances_in_rows_;  ///< lines with a number for each row of q - k
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
    if (name == "concatenation")
        return name;
    const auto is_one_of = [&](auto... names) { return ((name == names) || ...); };
    return is_one_of("q", "query")   ? "query"
           : is_one_of("k", "key")   ? "key"
           : is_one_of("v", "value") ? "value"
                                     : "";
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
        if (const std::string of = stage_named(name, lines);
            !of.empty() && std::ranges::count(stage.operands, of, &StageOperand::stage) == 0)
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
    // Weights are of pairs, however wide the parameter is that they come from.
    stage.has_features = counted.columns == Counts::features && line.name != "weights";
    return stage;
}

}  // namespace

std::vector<DeclaredStage> formula_stages(std::span<const FormulaLine> lines) {
    std::vector<DeclaredStage> stages;
    LineReader reader;
    std::set<std::string> names;
    const std::size_t of_heads = says_output(lines) ? lines_up_to_context(lines) : lines.size();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const FormulaLine& line = lines[i];
        if (line.times)
            continue;
        stages.push_back(stage_of(line, reader.axes(line.value), names));
        stages.back().is_of_all_heads = i >= of_heads;
        reader.add(line);
        reader.require_rows_of_queries(line);
        names.insert(line.name);
    }
    const auto declare = [&](DeclaredStage stage) {
        if (!names.contains(stage.name))
            stages.push_back(std::move(stage));
    };
    declare(made_stage("weights", "Weights", {"what each query takes of each value"},
                       {.role = StageRole::weights}));
    declare(made_stage(
        "context", "Context",
        {"weights @ v", {{"weights"}, {.stage = "value", .operator_before = "×", .as_keys = true}}},
        {.colours_of = "value"}));
    if (says_output(lines))  // in lines that are repeated
        declare(made_stage("output", "Output", {"", {{"concatenation"}}}, {.is_of_all_heads = true}));
    return stages;
}

}  // namespace headlight
