#include "core/attention/trace_program.h"

#include "core/attention/assembly.h"
#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/attention/spec_words.h"
#include "core/attention/widths.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace headlight {
namespace {

/// `x` in the rows `first`, ... of a run that goes row by row; a map of all rows otherwise.
Expression rows_from(const Composer& composer, const Expression& map, const Expression& scores, Index first) {
    const Index rows = scores.extent().rows;
    return rows == composer.plan.queries ? map : some_rows(map, counted(first, rows));
}

/// A finite mask: what each pair's score gets added.
Expression mask_term(Composer& composer) {
    const Plan& plan = composer.plan;
    return composer.of_places("mask_term", {0, plan.queries, plan.keys}, "what a forbidden score gets added",
                              [may_meet = composer.may_meet, value = *plan.spec.mask_value](Place at) {
                                  return may_meet(at.row, at.column) ? 0.0 : value;
                              });
}

Expression with_mask(Composer& composer, const Expression& scores, Index first, const std::string& suffix) {
    const Plan& plan = composer.plan;
    if (plan.spec.mask_value) {
        return composer.let("masked_scores" + suffix,
                            scores + rows_from(composer, mask_term(composer), scores, first),
                            "scores with the mask");
    }
    return composer.let(
        "masked_scores" + suffix,
        choose(rows_from(composer, composer.allowed(), scores, first), scores, minus_infinity()),
        "scores with the mask");
}

Expression mixed(Composer& composer, const std::string& name, const std::string& parameter,
                 const Expression& x) {
    return composer.let(name, mix_heads(composer.parameter(parameter), x), "mixed over the heads");
}

/// Scores that need the rows before are written row by row: what looks at all rows has no place there.
void require_rows_alone(const Plan& plan) {
    const auto refuse = [&](const char* part, const std::string& got) {
        throw Error({"write a program", part,
                     "one that takes each query by itself, beside the score " + to_word(plan.spec.score.type),
                     got});
    };
    const Normalizer& normalizer = plan.spec.normalizer;
    const NormalizerComponent* rows = component_of(normalizer.type);
    if (rows && (rows->couples_rows || rows->reads_place))
        refuse("normalizer", rows->word);
    if (normalizer.type == NormalizerType::hard && normalizer.mode == HardMode::sample)
        refuse("normalizer", "a key that is drawn");
    if (plan.spec.selection.type != SelectionType::none)
        refuse("selection", to_word(plan.spec.selection.type));
    const PositionComponent* position = position_with(plan.spec, &PositionComponent::acts_on_scores);
    if (position || uses_position(plan.spec, PositionType::cope))
        refuse("position", to_word(position ? position->type : PositionType::cope));
}

Expression write_map(Composer& composer) {
    const Plan& plan = composer.plan;
    const SelectionComponent* selection = component_of(plan.spec.selection.type);
    const bool is_talking = plan.spec.heads.type == HeadsType::talking;
    const bool fades =
        selection && selection->define_faded && (!selection->fades || selection->fades(plan.spec));
    const bool changes_later = is_talking || changes_weights(plan.spec) || fades;
    const bool is_soft = plan.spec.normalizer.type == NormalizerType::softmax;
    const std::string name = !changes_later ? "weights" : is_soft ? "soft_weights" : "normalized_scores";
    std::optional<Expression> weights;
    if (const std::optional<Expression> raw = write_scores(composer)) {
        const PositionComponent* position = position_with(plan.spec, &PositionComponent::define_scores);
        Expression scores =
            write_final_scores(composer, position ? position->define_scores(composer, *raw) : *raw, 0);
        if (is_talking) {
            const Expression open = composer.let("open_final_scores", composer.where_open(scores, 0));
            const Expression mix = mix_heads(composer.parameter("P_scores"), open);
            scores = composer.let("mixed_scores", composer.open_or_forbidden(mix), "mixed over the heads");
        }
        weights = write_weights(composer, scores, name);
    } else {
        require_rows_alone(plan);
        weights = composer.let(name, write_weights_row_by_row(composer), "one row below another");
    }
    if (is_talking)
        return mixed(composer, "weights", "P_weights", *weights);
    const AlgorithmComponent* algorithm = component_of(plan.spec.algorithm.type);
    if (algorithm && algorithm->define_weights)
        return algorithm->define_weights(composer, *weights);
    if (fades)
        return composer.let("weights", selection->define_faded(composer, *weights), selection->faded_note);
    return *weights;
}

Expression write_composed_context(Composer& composer) {
    const Expression weights = write_map(composer);
    Expression context = product(weights, composer.value);
    if (const PositionComponent* position =
            position_with(composer.plan.spec, &PositionComponent::define_context))
        context = position->define_context(composer, weights, context);
    const AlgorithmComponent* algorithm = component_of(composer.plan.spec.algorithm.type);
    if (!algorithm || !algorithm->define_context)
        return composer.let("context", context, "the values that each query gets");
    const Expression attended = composer.let("attended", context, "the values that each query gets");
    return composer.let("context", algorithm->define_context(composer, attended), "what becomes of them");
}

void write_output(Composer& composer, const Expression& attended) {
    if (composer.program.has("output"))  // a line of a typed formula
        return;
    const AttentionSpec& spec = composer.plan.spec;
    Expression output = write_joined_contexts(composer, attended);
    if (projects_output(spec))
        output = composer.projected(output, "W_o", spec.projections.bias ? "b_o" : "");
    const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
    if (algorithm && algorithm->define_output)
        output = algorithm->define_output(composer, output);
    composer.let("output", output, "the output");
}

void require_few_numbers(const Plan& plan) {
    const auto numbers = std::max({plan.heads * plan.queries * plan.keys, plan.queries * plan.query_width,
                                   plan.keys * plan.key_width, plan.keys * plan.value_width});
    if (numbers > most_program_numbers)
        throw Error({"write a program", "",
                     "at most " + std::to_string(most_program_numbers) + " numbers in each stage",
                     std::to_string(numbers)});
}

/// Maps that all heads share as one for each of them, as a trace has them.
Expression of_each_head(Composer& composer, const Expression& maps) {
    if (composer.heads == maps.extent().heads)
        return maps;
    return maps + composer.zeros("nothing_for_heads", {composer.heads, 1, 1}, "0 for each head");
}

}  // namespace

Expression write_final_scores(Composer& composer, const Expression& raw, Index first,
                              const std::string& suffix) {
    const Plan& plan = composer.plan;
    const bool is_masked_first = plan.spec.mask_order == MaskOrder::before_scale;
    const bool has_mask = composer.is_forbidden_anywhere();
    Expression scores = composer.let("scores" + suffix, raw, "what each query asks of each key");
    if (has_mask && is_masked_first)
        scores = with_mask(composer, scores, first, suffix);
    const Expression scale = scale_of_scores(composer);
    const bool has_scale = scale->operation != Operation::number || scale->number != 1;
    const bool is_divisor =
        scale->operation == Operation::divide && scale->operands.front()->operation == Operation::number &&
        scale->operands.front()->number == 1;  // scores / √d reads better than scores (1 / √d)
    Expression scaled = is_divisor ? scores / scale->operands.back() : has_scale ? scores * scale : scores;
    if (has_mask && is_masked_first && !plan.spec.mask_value && has_scale)  // whatever the sign of the scale
        scaled = choose(rows_from(composer, composer.allowed(), scores, first), scaled, minus_infinity());
    if (plan.spec.score.softcap) {
        const double cap = *plan.spec.score.softcap;
        scaled = cap * tanh_of(scaled / cap);
        if (has_mask && is_masked_first && !plan.spec.mask_value)
            scaled = choose(rows_from(composer, composer.allowed(), scores, first), scaled, minus_infinity());
    }
    if (has_scale || plan.spec.score.softcap)
        scores = composer.let("scaled_scores" + suffix, scaled, "scores times their scale");
    if (const PositionComponent* position = position_with(plan.spec, &PositionComponent::define_bias)) {
        const Expression bias =
            composer.program.has("position_bias")
                ? composer.program.tensor("position_bias")
                : composer.let("position_bias",
                               of_each_head(composer, position->define_bias(composer, scores)),
                               "what the places add");
        scores = composer.let("biased_scores" + suffix, scores + rows_from(composer, bias, scores, first),
                              "scores with the bias of the position");
    }
    const bool is_masked_now = has_mask && !is_masked_first;
    const SelectionComponent* selection = component_of(plan.spec.selection.type);
    if (!selection)
        return is_masked_now ? with_mask(composer, scores, first, suffix) : scores;
    // The keys that are kept are among those that the mask allows; a finite mask only moves scores.
    if (is_masked_now && plan.spec.mask_value)
        scores = composer.let("scores_with_mask", scores + mask_term(composer), "before keys are chosen");
    const std::optional<Expression> kept = selection->define(composer, scores);
    if (!kept)
        return is_masked_now && !plan.spec.mask_value ? with_mask(composer, scores, first, suffix) : scores;
    const char* name = is_masked_first ? "selected_scores" : "masked_scores";
    return composer.let(name, choose(*kept, scores, minus_infinity()), "scores of the keys that are kept");
}

Expression write_joined_contexts(Composer& composer, const Expression& attended) {
    Expression context = attended;
    if (composer.plan.spec.heads.gate != Gate::none) {
        const Expression gate =
            composer.let("gate", sigmoid_of(composer.projected(composer.query_tokens, "W_gate", "b_gate")),
                         "what the gate lets through");
        context = composer.let("gated_context", context * split_heads(gate, composer.heads));
    }
    if (context.extent().heads == 0)
        return context;
    return composer.let("concatenation", join_heads(context), "the heads side by side");
}

Program trace_program(const Plan& plan, std::string title) {
    require_few_numbers(plan);
    Program program = program_of(plan);
    program.title = std::move(title);
    return program;
}

namespace {

void require_weights_of_scores(const Plan& plan) {
    if (plan.given)
        throw Error(
            {"write a program", "weights", "weights that follow from the scores", "weights set by hand"});
}

void write_lines(const Plan& plan, Program& program) {
    program.tokens = plan.inputs.tokens;
    Composer composer(plan, program);
    write_vectors(composer);
    const AlgorithmComponent* algorithm = component_of(plan.spec.algorithm.type);
    const bool is_defined = algorithm && algorithm->define;
    write_output(composer, is_defined ? algorithm->define(composer) : write_composed_context(composer));
}

}  // namespace

Program program_of(const Plan& plan, std::size_t most_lines) {
    require_weights_of_scores(plan);
    return program_without_given_rows(plan, most_lines);
}

Program program_without_given_rows(const Plan& plan, std::size_t most_lines) {
    Program program;
    program.most_lines = most_lines;
    write_lines(plan, program);
    return program;
}

Program outline_of(const Plan& plan, std::size_t most_lines) {
    require_weights_of_scores(plan);
    Program program;
    program.is_outline = true;
    program.most_lines = most_lines;
    write_lines(plan, program);
    return program;
}

namespace {

/// Token vectors like those of a stage, of which there are not too many.
std::optional<Tensor> tokens_like(const Stage* stage) {
    constexpr Index most = 256, of_many = 64;
    if (!stage || stage->shape.size() != 2)
        return {};
    const Index rows = stage->shape.front();
    return Tensor({rows > most ? of_many : rows, stage->shape.back()}, 1.0);
}

}  // namespace

std::optional<Program> outline_of(const Trace& trace, std::string_view site) {
    constexpr std::size_t most_lines = 4000;
    const AttentionSpec* spec = trace.known_spec_at(site);
    std::optional<Tensor> tokens = tokens_like(trace.find("tokens", site));
    if (!spec || !tokens)
        return {};
    Inputs inputs;
    inputs.query = std::move(*tokens);
    inputs.key = tokens_like(trace.find("key_tokens", site));
    inputs.value = tokens_like(trace.find("value_tokens", site));
    try {
        const auto made = std::make_shared<const Plan>(undrawn_plan(*spec, inputs));
        Program program = outline_of(*made, most_lines);
        program.kept = made;
        return program;
    } catch (const TooMuch&) {
    } catch (const Error&) {  // an image's places, a mask by hand: of so many tokens alone
    }
    return {};
}

}  // namespace headlight
