// What a typed formula is in the program of a plan: its names, its lines, and what is wrong with them.
#include "core/attention/assembly.h"
#include "core/attention/chance_extents.h"
#include "core/attention/formula_maps.h"
#include "core/attention/formula_output.h"
#include "core/attention/formula_refusals.h"
#include "core/attention/known_stages.h"
#include "core/attention/program_run.h"
#include "core/attention/typed_formula.h"
#include "core/graph/graph_cost.h"
#include "core/graph/read_off.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace headlight {
namespace {

/// What a formula begins with: token vectors, and the vectors of each head.
struct FormulaVectors {
    Expression query_tokens, key_tokens;
    Expression query, key, value;  ///< as they meet, of each head
    /// Before positions turn them, keys and values as shared.
    Expression plain_query, plain_key, plain_value;
};

/// What comes after a formula, or after its contexts; of the last four, what a model says of its words
/// (core/model/generation_trace.h) in the same trace.
const std::vector<std::string> names_behind = {"gate",
                                               "gated_context",
                                               "concatenation",
                                               "logits",
                                               "generation_probability",
                                               "vocabulary_distribution",
                                               "copied_distribution"};

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
    for (FormulaWord& word : formula_words())
        names.known.push_back(std::move(word.name));
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

/// `names`, and `concatenation` once there is one.
FormulaNames with_concatenation(FormulaNames names, const std::optional<Expression>& concatenation) {
    names.find = [&concatenation, find = std::move(names.find)](const std::string& name) {
        return name == "concatenation" ? concatenation : find(name);
    };
    return names;
}

Expression zeros(Program& program, const std::string& name, const Extent& extent) {
    return program.give(
        {name, GivenTensor::Kind::constant, extent, {extent.size(), [](Index) { return 0.0; }}, {}});
}

/// A parameter as it is stored, [heads r, c] of [heads, r, c], and as the formula sees it.
Shape stored(const std::vector<Index>& extents) {
    return extents.size() == 3 ? Shape{extents[0] * extents[1], extents[2]} : Shape(extents);
}
Expression as_declared(const Expression& parameter, const std::vector<Index>& extents) {
    return extents.size() == 3 && extents[0] > 1 ? split_rows(parameter, extents[0]) : parameter;
}

bool says_line(const TypedFormula& formula, const std::string& name) {
    return std::ranges::any_of(formula.lines, [&](const FormulaLine& line) { return gives(line, name); });
}

/// The tensor of a line, or nothing.
std::optional<Expression> line_of(const Program& program, const TypedFormula& formula,
                                  const std::string& name) {
    return says_line(formula, name) && program.has(name) ? std::optional(program.tensor(name)) : std::nullopt;
}

/// A stage of a name that every reader knows has the axes that the name stands for.
void require_axes_of_known_stages(const Plan& plan, const TypedFormula& formula, const Program& program) {
    static const std::vector<Stage> all = known_stages();
    for (const FormulaLine& line : formula.lines) {
        const auto known = std::ranges::find(all, line.name, &Stage::name);
        const bool is_required = line.name == "weights" || line.name == "context" || line.name == "output";
        if (line.times || known == all.end() || !program.has(line.name) || is_required)
            continue;  // of the required ones the extents are said
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
        refuse_formula(line.place,
                       "another name, such as \"" + line.name + "_2\": \"" + line.name +
                           "\" is a stage of the axes " + words,
                       to_string(extent) + rows_alone(plan, formula, program.tensor(line.name)));
    }
}

/// Contexts that all heads share as one for each.
Expression repeated_for_heads(Program& program, const Expression& context, Index heads) {
    return context.extent().heads == heads ? context
                                           : context + zeros(program, "nothing_for_heads", {heads, 1, 1});
}

void require_output(const Plan& plan, const TypedFormula& formula, const Program& program) {
    const auto output = line_of(program, formula, "output");
    if (!output || std::ranges::count(program.given(), "output", &GivenTensor::name) > 0)
        refuse_line(formula, "output", "an output that is made of the contexts", "written numbers");
    const Extent& extent = output->extent();
    if (extent.heads > 0)
        refuse_line(
            formula, "output",
            "one matrix for all heads, as concatenation is: join_heads(x) lays those of heads side by side",
            to_string(extent));
    require_extent(formula, "output", *output, {0, plan.queries, extent.columns});
}

/// Where no weights can be read off since the formula has `value` in the place of `v`.
void require_own_values(const TypedFormula& formula) {
    const FormulaNode* value = nullptr;
    for (const FormulaLine& line : formula.lines) {
        if (node_named(line, "v"))
            return;
        if (!value)
            value = node_named(line, "value");
    }
    if (value)
        refuse_formula(value->place,
                       "v in place of value (and q and k of query and key), of which the weights are read "
                       "off, or a line \"weights = ...\"",
                       "\"value\", the values before positions turn them");
}

/// Adds `weights`, which a formula without them leaves to be seen from its context.
Expression weights_of_context(const Plan& plan, const TypedFormula& formula, Program& program,
                              const Expression& context, const Expression& value) {
    std::optional<Expression> weights;
    try {
        weights = program.let("weights", read_off(program, context, value->tensor, "_of_each"),
                              "what each query takes of each value");
    } catch (const Error& error) {
        require_own_values(formula);
        const std::string at = error.detail().where.empty() ? "context" : error.detail().where;
        const FormulaLine *line = line_giving(formula.lines, at),
                          *shares = line_of_shares(plan, formula, program);
        refuse_line(
            formula, at,
            "a line \"weights = ...\", the map [n, m] to look at" +
                (shares ? ", such as \"" + shares->name + "\" of line " + std::to_string(shares->place.line)
                        : std::string()) +
                ", which cannot be read off here: that needs " + error.detail().expected,
            error.detail().got + (line ? ", in \"" + excerpt(line->text) + '"' : ""));
    }
    require_extent(formula, "context", *weights, extent_of_weights(plan));
    return *weights;
}

/// Gates and joins contexts [h, n, d_v] as what surrounds the formula says: [n, h d_v].
using JoinContexts = std::function<Expression(const Expression& context)>;

/// Runs the lines as they stand, and returns the contexts. `joined` is asked where they say the output.
Expression define(const Plan& plan, const TypedFormula& formula, FormulaNames names, Program& program,
                  const Expression& value, const JoinContexts& joined) {
    const Index heads = names.heads;
    const bool has_output = says_output(formula.lines);
    check_lines_of_output(formula.lines);
    std::optional<Expression> concatenation;
    if (has_output)
        names.after_line = [&](const FormulaLine& line) {
            if (!gives(line, "context"))
                return;
            const auto context = line_of(program, formula, "context");
            if (!context)
                refuse_line(formula, "context", "context " + to_string(extent_of_contexts(plan)), "a number");
            require_context(plan, formula, *context);
            if (!says_line(formula, "weights"))  // before what is made of the context
                weights_of_context(plan, formula, program, *context, value);
            concatenation = joined(repeated_for_heads(program, *context, heads));
        };
    build_formula(formula.lines, with_concatenation(std::move(names), concatenation), program);
    require_axes_of_known_stages(plan, formula, program);
    if (has_output)
        require_output(plan, formula, program);
    const auto context = line_of(program, formula, "context");
    const auto weights = line_of(program, formula, "weights");
    if (!context && !weights)
        refuse_without_context(plan, formula, program);
    if (!context)
        require_context_named(plan, formula, program);
    if (weights)
        require_weights(plan, formula, *weights);
    if (context)
        require_context(plan, formula, *context);
    if (!weights && !program.has("weights"))
        weights_of_context(plan, formula, program, *context, value);
    const Expression attended =
        context ? *context
                : program.let("context", product(*weights, value), "the values that each query gets");
    return has_output ? attended : repeated_for_heads(program, attended, heads);
}

/// The numbers of what stands in for tensors of a run.
using StandIns = std::function<double(const std::string& name, Index at)>;

double zero_everywhere(const std::string&, Index) { return 0; }

constexpr const char* values_that_meet = "values of heads";

/// The lines in a program of `numbers`, which has the extents of a run of the plan.
void outline(const Plan& plan, const TypedFormula& formula, Program& program,
             const StandIns& numbers = zero_everywhere) {
    program.is_outline = true;
    const auto stand_in = [&](const std::string& name, const Extent& extent, bool is_truth = false) {
        return program.give({name,
                             GivenTensor::Kind::constant,
                             extent,
                             {extent.size(), [name, numbers](Index at) { return numbers(name, at); }},
                             {},
                             is_truth});
    };
    const auto of_heads = [&](const char* name, Index count, Index rows, Index width) {
        return stand_in(name, {plan.heads > 1 ? count : 0, rows, width});
    };
    const Index queries = plan.queries, keys = plan.keys, heads = plan.heads, shared = plan.kv_heads;
    const FormulaVectors vectors{
        stand_in("tokens", {0, queries, plan.tokens.query_width}),
        stand_in("key_tokens", {0, keys, plan.tokens.key_width}),
        of_heads("queries that meet", heads, queries, plan.head_query_width()),
        of_heads("keys that meet", shared == 1 ? 1 : heads, keys, plan.head_key_width()),
        of_heads(values_that_meet, shared == 1 ? 1 : heads, keys, plan.head_value_width()),
        of_heads("query", heads, queries, plan.head_query_width()),
        of_heads("key", shared, keys, plan.head_key_width()),
        of_heads("value", shared, keys, plan.head_value_width())};
    FormulaNames names = names_of(plan, program, vectors, [&] {
        return stand_in("allowed", {0, plan.queries, plan.keys}, true);
    });
    names.declare = [&](const std::string& name, const std::vector<Index>& extents) {
        const Shape shape = stored(extents);
        const Extent extent = shape.size() == 1 ? Extent{0, 1, shape[0]} : Extent{0, shape[0], shape[1]};
        return as_declared(stand_in(name, extent), extents);
    };
    define(plan, formula, std::move(names), program, vectors.value, [](const Expression& context) {
        return context.extent().heads > 0 ? join_heads(context) : context;
    });
}

/// Throws the refusal of another length where none is taken but this one: what meets here meets by chance.
/// That of the last, whose blocks are those of this one, or the same of a nearer length.
void require_other_lengths(const Plan& plan, const TypedFormula& formula) {
    const auto lengths = [](const Plan& each) {
        const std::string queries = std::to_string(each.queries), keys = std::to_string(each.keys);
        return each.spec.source.type == SourceType::self && each.queries == each.keys
                   ? queries + " tokens"
                   : queries + " queries and " + keys + " keys";
    };
    std::optional<ErrorDetail> refused;
    for (const Plan& other : plans_of_other_lengths(plan, formula)) {
        try {
            Program program;
            outline(other, formula, program);
            return;
        } catch (const Error& error) {
            if (refused && refused->where == error.detail().where)
                continue;
            refused = error.detail();
            refused->got +=
                ", for " + lengths(other) + " (for " + lengths(plan) + " the extents meet by chance alone)";
        }
    }
    if (refused)
        throw Error(*refused);
}

/// Computed at once, while somebody types.
bool is_light(const Program& program) {
    constexpr double most_numbers = 1 << 18, most_multiply_adds = 1e7;
    double numbers = 0;
    for (const GivenTensor& tensor : program.given())
        numbers += static_cast<double>(tensor.extent.size());
    for (const ProgramPart& part : program.parts())
        for (const ProgramLine& line : part.assignments)
            numbers += static_cast<double>(part.times) * static_cast<double>(line.value.extent().size());
    return numbers <= most_numbers && multiply_adds_of(program) <= most_multiply_adds;
}

/// Nobody would know that one map is shown and values are taken by another. `program` is the formula's
/// outline.
void require_shown_weights(const Plan& plan, const TypedFormula& formula, Program program) {
    const bool says_both = says_line(formula, "weights") && says_line(formula, "context");
    if (!says_both || !is_light(program))
        return;
    const bool has_other_map = map_beside_weights(program, values_that_meet).has_value();
    if (!has_other_map || !is_light(program))  // heavier by what was read off
        return;
    Program drawn;
    const auto number = [&plan](const std::string& name, Index at) -> double {
        if (name == "allowed")
            return plan.allowed.allowed(at / plan.keys, at % plan.keys) ? 1 : 0;
        return 2 * uniform(substream(substream(plan.seed, name), static_cast<std::uint64_t>(at))) - 1;
    };
    try {
        outline(plan, formula, drawn, number);
    } catch (const Error&) {  // numbers in the place of rows: whoever defines it says so
        return;
    }
    if (const auto of_context = map_beside_weights(drawn, values_that_meet))
        require_map_of_weights(formula, std::move(drawn), *of_context);
}

bool asks_for(const TypedFormula& formula, std::string_view name) {
    return std::ranges::any_of(formula.lines,
                               [&](const FormulaLine& line) { return node_named(line, name) != nullptr; });
}

}  // namespace

std::vector<DeclaredParameter> formula_parameters(const Plan& plan) {
    Program program;
    const Expression none = 0;
    const std::optional<Expression> any = none;
    FormulaNames names =
        names_of(plan, program, {none, none, none, none, none, none, none, none}, [&] { return none; });
    const auto formula = typed_formula(plan.spec);
    // The numbers of tensors are not asked for, only that these are known.
    return parameters_of(formula->lines, with_concatenation(std::move(names), any));
}

void check_formula(const Plan& plan) {
    const auto formula = typed_formula(plan.spec);
    Program program;
    outline(plan, *formula, program);
    require_other_lengths(plan, *formula);
    // Asked last: lines that are missing or wrong ask for nothing yet.
    if (is_masked(plan.spec.mask) && !asks_for(*formula, "allowed"))
        throw Error({"formula", "mask",
                     "the mask \"none\", or a formula that asks for \"allowed\", as where(allowed, scores, "
                     "-inf)",
                     "a mask that the formula never asks for"});
    if (plan.spec.heads.gate != Gate::none && says_output(formula->lines) &&
        !asks_for(*formula, "concatenation"))
        throw Error({"formula", "heads.gate",
                     "the gate \"none\", or an output that is made of \"concatenation\", which the gate "
                     "lets through",
                     "a gate that the formula passes by"});
    require_scores_scaled(*formula);
    require_shown_weights(plan, *formula, std::move(program));
}

Index formula_output_width(const Plan& plan) {
    if (!formula_says_output(plan.spec))
        return plan.output_width;
    try {
        Program program;
        outline(plan, *typed_formula(plan.spec), program);
        return program.tensor("output").extent().columns;
    } catch (const Error&) {  // check_formula() says why
        return plan.output_width;
    }
}

void require_rows_of_formula(const Plan& plan) {
    const auto formula = typed_formula(plan.spec);
    const auto whole = formula ? made_whole(plan) : std::nullopt;
    if (!whole)
        return;
    const bool is_of_all_heads = plan.heads > 1 && whole->extent.matrices() == 1;
    refuse_line(*formula, whole->line,
                "maps that are made row by row, as a text of " + std::to_string(plan.queries) +
                    " tokens needs, or a shorter text",
                whole->line + ": " + to_string(whole->extent) + " as a whole" +
                    (is_of_all_heads
                         ? ", one map for all heads beside maps of each (a matrix for each head, as "
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
    return define(plan, *formula, std::move(names), composer.program, composer.value,
                  [&](const Expression& context) { return write_joined_contexts(composer, context); });
}

}  // namespace headlight
