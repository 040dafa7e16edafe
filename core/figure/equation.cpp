#include "core/figure/equation.h"

#include "core/attention/component.h"
#include "core/attention/kernel_scores.h"
#include "core/attention/pipeline_stages.h"
#include "core/attention/widths.h"
#include "core/figure/build_figure.h"
#include "core/figure/ticks.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/tensor/visible_text.h"

#include <algorithm>

namespace headlight {

namespace {

/// One side of an equation: a stage and what stands before it.
struct Term {
    std::string stage;
    std::string operator_before = {};
    bool transposed = false;
    bool as_keys = false;  ///< its rows are what is looked at, also where one sequence is both
};

/// The terms that lead to `stage`, which is the last of them. Stages that repeat another one are shown by
/// that.
class Equation {
public:
    explicit Equation(const PanelMaker& maker)
        : maker_(maker), chain_(maker.chain()), spec_(maker.trace().spec) {}

    std::vector<Term> terms(const std::string& stage) const {
        const bool is_declared = has_declared_equation(stage);
        std::vector<Term> all = is_declared ? declared_operands(stage) : operands(stage);
        std::erase_if(all, [](const Term& term) { return term.stage.empty(); });
        if (!all.empty())
            all.front().operator_before.clear();
        const std::string result = is_declared ? declared_operation(stage) : result_operator(stage);
        all.push_back({stage, all.empty() ? "" : result});
        return all;
    }

private:
    std::shared_ptr<const DeclaredStage> declared(const std::string& stage) const {
        return declared_by_component(spec_, stage);
    }
    /// What the heads give together, which the output is made of.
    std::string joined_heads() const {
        return chain_.is_recorded("concatenation") ? shown("concatenation") : heads_context();
    }
    std::string shown(const std::string& name) const { return chain_.shown_by(name); }
    std::string operand(const std::string& name) const {
        return name == "concatenation" ? joined_heads()
                                       : shown(last_form(maker_.trace(), name, chain_.site()));
    }

    /// A component says what the stage is computed from, and all of that was recorded.
    bool has_declared_equation(const std::string& stage) const {
        const auto found = declared(stage);
        return found && !found->operands.empty() &&
               std::ranges::all_of(found->operands, [&](const StageOperand& each) {
                   return each.is_optional || !operand(each.stage).empty();
               });
    }
    std::vector<Term> declared_operands(const std::string& stage) const {
        std::vector<Term> terms;
        const auto found = declared(stage);
        for (const StageOperand& each : found->operands)
            terms.push_back({operand(each.stage), each.operator_before, each.transposed, each.as_keys});
        return terms;
    }
    std::string declared_operation(const std::string& stage) const {
        const auto kept = declared(stage);
        const DeclaredStage& found = *kept;
        const auto added = std::ranges::count_if(found.operands, [&](const StageOperand& each) {
            return each.operator_before == "+" && !operand(each.stage).empty();
        });
        const bool takes_heads = found.operands.front().stage == "concatenation";
        const std::string projection =
            takes_heads && chain_.is_recorded("concatenation") && projects_output(spec_)
                ? "× Wₒ" + bias() + "\n"
                : "";
        return projection + (added > 0 && found.operation.starts_with("×") ? "sum " : "") + found.operation;
    }

    bool is_learned() const { return spec_.projections.type == ProjectionType::learned; }
    std::string bias() const { return is_learned() && spec_.projections.bias ? " + b" : ""; }

    std::vector<Term> operands(const std::string& stage) const {
        if (stage == "position")
            return {{shown("tokens")}};
        if (stage == "key_position")
            return {{shown("key_tokens")}};
        if (stage == "query")
            return {{shown("tokens")}, {shown("position"), "+"}};
        if (stage == "value" && spec_.heads.sharing == Sharing::key_value)
            return {{shown("key")}};
        if (stage == "key" || stage == "value")
            return {{source_of(stage)}, {shown(is_cross() ? "key_position" : "position"), "+"}};
        if (stage == "energy")
            return {{operand("query")}, {operand("key"), "and", false, true}};
        if (stage == "scores") {
            if (chain_.is_recorded("energy"))
                return {{shown("energy")}};
            const KernelScore* kernel = kernel_score(spec_.score.type);
            return {{operand("query")},
                    {operand("key"), kernel ? kernel->between : "and", kernel != nullptr, true}};
        }
        if (stage == "biased_scores" && chain_.is_recorded("position_bias"))
            return {{chain_.scores_before(stage)}, {shown("position_bias"), "+"}};
        if (chain_.is_score_stage(stage) || stage == "exponentials")
            return {{chain_.scores_before(stage)}};
        if (stage == "frequencies")
            return {{shown("soft_weights")}};
        if (is_normalised(stage))
            return {{before_weights(stage)}};
        if (stage == "context" && !chain_.is_recorded("value"))
            return {};  // an algorithm that never forms them
        if (stage == "context")
            return {{shown("weights")}, {shown("value"), "×", false, true}};
        if (stage == "gated_context")
            return {{shown("context")}, {shown("gate"), "and"}};
        if (stage == "concatenation")
            return {{heads_context()}};
        if (stage == "output")
            return {{joined_heads()}};
        return {};
    }

    std::string result_operator(const std::string& stage) const {
        if (stage == "position" || stage == "key_position")
            return "and";
        if (stage == "value" && spec_.heads.sharing == Sharing::key_value)
            return "=";
        if (stage == "query" || stage == "key" || stage == "value")
            return projection_operator(stage);
        if (stage == "energy")
            return activation();
        if (stage == "scores" && chain_.is_recorded("energy"))
            return "· v\n=";
        if (stage == "scores")
            return kernel_score(spec_.score.type) ? "=" : "score\n→";
        if (stage == "scaled_scores")
            return scale_operator();
        if (stage == "biased_scores")
            return chain_.is_recorded("position_bias") ? "=" : "bias\n→";
        if (stage == "mixed_scores")
            return "mix\nheads\n→";
        if (stage == "masked_scores")
            return "mask\n→";
        if (stage == "exponentials")
            return spec_.normalizer.temperature == 1
                       ? "exp\n→"
                       : "exp\n(· ÷ " + format_fixed(spec_.normalizer.temperature, 2) + ")\n→";
        if (stage == "frequencies")
            return std::to_string(spec_.normalizer.draws) + "\ndraws\n→";
        if (is_normalised(stage))
            return weights_operator(stage);
        if (stage == "gated_context")
            return "gate\n→";
        if (stage == "concatenation")
            return "join\nheads\n→";
        if (stage == "output")
            return "× Wₒ" + bias() + "\n=";
        return stage == "context" ? "=" : "→";
    }

    /// What the normaliser gives, or a component makes of it without saying how.
    bool is_normalised(const std::string& stage) const {
        const auto found = declared_stage(spec_, stage);
        return stage == "soft_weights" || stage == "weights" || (found && found->form_of == "weights");
    }

    bool is_composed() const { return headlight::is_composed(spec_); }
    std::string heads_context() const {
        return chain_.shown_by(chain_.is_recorded("gated_context") ? "gated_context" : "context");
    }

    bool is_cross() const { return spec_.source.type == SourceType::cross; }

    std::string source_of(const std::string& stage) const {
        for (const char* source : {stage == "value" ? "value_tokens" : "key_tokens", "key_tokens", "tokens"})
            if (const std::string shown = chain_.shown_by(source); !shown.empty())
                return shown;
        return {};
    }

    std::string projection_operator(const std::string& stage) const {
        const bool adds_position = chain_.is_recorded("position");
        const std::string left = adds_position ? "sum × " : "× ";
        switch (spec_.projections.type) {
        case ProjectionType::learned: {
            // There is no subscript q in Unicode.
            const bool as_query = stage == "query" || spec_.heads.sharing == Sharing::query_key;
            const std::string index = stage == "value" ? "ᵥ" : as_query ? "_q" : "ₖ";
            return left + "W" + index + bias() + "\n=";
        }
        case ProjectionType::identity:
            return left + "I\n=";
        case ProjectionType::none:
            break;
        }
        return maker_.heads() > 1 ? "head’s\nshare" : "=";
    }

    std::string activation() const {
        switch (spec_.score.activation) {
        case Activation::tanh:
            return "tanh\n→";
        case Activation::relu:
            return "ReLU\n→";
        case Activation::sigmoid:
            return "sigmoid\n→";
        case Activation::identity:
            return "sum\n→";
        }
        return "→";
    }

    std::string scale_operator() const {
        const KernelScore* kernel = kernel_score(spec_.score.type);
        if (!kernel || kernel->scale.empty() || spec_.score.softcap)
            return "scale\n→";
        if (!kernel->scale.ends_with("√d"))
            return kernel->scale + "\n=";
        const Stage* query = maker_.trace().find("query", chain_.site());
        const Index width = query ? query->extent(Axis::feature) : 0;
        return width > 0 ? "÷ √" + std::to_string(width) + "\n=" : "÷ √d\n=";
    }

    /// Softmax as its last step where the exponentials were recorded, as a whole where not.
    std::string before_weights(const std::string& stage) const {
        if (!is_composed())
            return map_before_weights();
        if (spec_.heads.type == HeadsType::talking && stage == "weights")
            return chain_.shown_by("soft_weights");
        const bool hard = spec_.normalizer.type == NormalizerType::hard && stage == "weights";
        if (hard && chain_.is_recorded("soft_weights") && chain_.shown_by("soft_weights") != "weights")
            return chain_.shown_by("soft_weights");
        if (!hard && chain_.is_recorded("exponentials"))
            return chain_.shown_by("exponentials");
        return chain_.scores_before(stage);
    }

    /// The last map that an algorithm recorded before the weights, or itself.
    std::string map_before_weights() const {
        std::string found;
        for (const std::string& name : chain_.visible()) {
            if (name == "weights")
                break;
            if (maker_.is_query_by_key(name))
                found = name;
        }
        return found;
    }

    std::string weights_operator(const std::string& stage) const {
        if (!is_composed()) {
            if (map_before_weights() != "masked_scores")
                return "→";
            return is_plain_softmax(spec_.normalizer) ? "softmax\n→" : "normalise\n→";
        }
        if (spec_.heads.type == HeadsType::talking && stage == "weights")
            return "mix\nheads\n→";
        if (component_of(spec_.normalizer.type))
            return "normalise\n→";
        if (spec_.normalizer.type == NormalizerType::hard && stage == "weights")
            return spec_.normalizer.mode == HardMode::argmax ? "arg\nmax\n→" : "draw\n→";
        return chain_.is_recorded("exponentials") ? "÷ Σ\n=" : "softmax\n→";
    }

    const PanelMaker& maker_;
    const StageChain& chain_;
    const AttentionSpec& spec_;
};

/// "6 × 8"
std::string shape_text(const Panel& panel) {
    return std::to_string(panel.rows) + " × " + std::to_string(panel.columns);
}

}  // namespace

std::vector<std::string> sources_of(const PanelMaker& maker, const std::string& stage) {
    std::vector<std::string> sources;
    for (Term& term : Equation(maker).terms(stage))
        if (term.stage != stage)
            sources.push_back(std::move(term.stage));
    return sources;
}

std::vector<Panel> stage_panels(const PanelMaker& maker) {
    const std::string recorded = maker.chain().shown_by(maker.stage());
    const std::string focus = recorded.empty() ? maker.stage() : recorded;
    std::vector<Panel> panels;
    for (const std::string& stage : maker.chain().visible()) {
        panels.push_back(maker.panel(stage, maker.head_in(stage), {.thumbnail = true, .stands = true}));
        panels.back().in_focus = stage == focus;
        if (panels.size() > 1)
            panels.back().operator_before = "→";
    }
    bool follows_otherwise = false;
    for (const Term& term : Equation(maker).terms(focus)) {
        Panel panel = maker.panel(term.stage, maker.head_in(term.stage),
                                  {.transposed = term.transposed, .axis_hints = false, .stands = true});
        panel.operator_before = term.operator_before;
        // What is not drawn as it was computed equals nothing, and nothing follows from it.
        if (const bool is_otherwise = maker.is_seen_otherwise(term.stage);
            (is_otherwise || follows_otherwise) && panel.operator_before.ends_with('='))
            panel.operator_before.replace(panel.operator_before.size() - 1, 1, "→");
        follows_otherwise = maker.is_seen_otherwise(term.stage);
        panel.in_focus = term.stage == focus;
        panel.subtitle = shape_text(panel);
        // Nothing beside them says that they are taken of what is left of each score, not of the score.
        if (term.stage == "exponentials")
            panel.subtitle = join({maker.subtitle(term.stage, panel.head), panel.subtitle}, ", ");
        if (term.as_keys)
            (term.transposed ? panel.column_axis : panel.row_axis).title = axis_title(Axis::key, false);
        if (term.stage == "energy") {
            const auto& labels = maker.trace().tokens_at(maker.chain().site()).query;
            const auto query = static_cast<std::size_t>(maker.query());
            panel.subtitle += " for query " +
                              (query < labels.size() ? in_quotes(labels[query]) : std::to_string(query + 1));
        }
        panels.push_back(std::move(panel));
    }
    return panels;
}

}  // namespace headlight
