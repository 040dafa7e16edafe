#include "core/figure/equation.h"

#include "core/attention/component.h"
#include "core/figure/build_figure.h"
#include "core/figure/ticks.h"
#include "core/figure/words.h"

#include <cmath>

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
        std::vector<Term> all = operands(stage);
        std::erase_if(all, [](const Term& term) { return term.stage.empty(); });
        if (!all.empty())
            all.front().operator_before.clear();
        all.push_back({stage, all.empty() ? "" : result_operator(stage)});
        return all;
    }

private:
    std::vector<Term> operands(const std::string& stage) const {
        const auto shown = [this](const char* name) { return chain_.shown_by(name); };
        if (stage == "position")
            return {{shown("tokens")}};
        if (stage == "key_position")
            return {{shown("key_tokens")}};
        if (stage == "query")
            return {{shown("tokens")}, {shown("position"), "+"}};
        if (stage == "key" || stage == "value")
            return {{source_of(stage)}, {shown(is_cross() ? "key_position" : "position"), "+"}};
        if (stage == "energy")
            return {{shown("query")}, {shown("key"), "and", false, true}};
        if (stage == "scores") {
            if (chain_.is_recorded("energy"))
                return {{shown("energy")}};
            if (has_own_score())
                return {{shown("query")}, {shown("key"), "and", false, true}};
            return {{shown("query")}, {shown("key"), between_query_and_key(), true, true}};
        }
        if (stage == "biased_scores" && chain_.is_recorded("position_bias"))
            return {{chain_.scores_before(stage)}, {shown("position_bias"), "+"}};
        if (is_score_stage(stage) || stage == "exponentials")
            return {{chain_.scores_before(stage)}};
        if (stage == "frequencies")
            return {{shown("soft_weights")}};
        if (stage == "probe")
            return {{shown("tokens")}, {shown("position"), "+"}};
        if (stage == "probe_products")
            return {{shown("probe")}, {shown("key"), "×", true, true}};
        if (stage == "weights" && corrects_softmax())
            return {{shown("soft_weights")}, {shown("probe_products"), "and"}};
        if (stage == "soft_weights" || stage == "weights")
            return {{before_weights(stage)}};
        if (stage == "context" && chain_.is_recorded("difference_context"))
            return {{shown("difference_context")}};
        if (stage == "context" && !chain_.is_recorded("value"))
            return {};  // an algorithm that never forms them
        if (stage == "context" || stage == "difference_context")
            return {{shown("weights")}, {shown("value"), "×", false, true}};
        if (stage == "gated_context")
            return {{shown("context")}, {shown("gate"), "×"}};
        if (stage == "concatenation")
            return {{heads_context()}};
        if (stage == "output" && chain_.is_recorded("update"))
            return {{shown("tokens")}, {shown("position"), "+"}, {shown("update"), "+"}};
        if (stage == "output" || stage == "update")
            return {{chain_.is_recorded("concatenation") ? shown("concatenation") : heads_context()}};
        return {};
    }

    std::string result_operator(const std::string& stage) const {
        const bool learned = spec_.projections.type == ProjectionType::learned;
        const std::string bias = learned && spec_.projections.bias ? " + b" : "";
        if (stage == "position" || stage == "key_position")
            return "and";
        if (stage == "query" || stage == "key" || stage == "value")
            return projection_operator(stage, bias);
        if (stage == "energy")
            return activation();
        if (stage == "scores")
            return has_own_score() ? "score\n→" : chain_.is_recorded("energy") ? "· v\n=" : "=";
        if (stage == "scaled_scores")
            return scale_operator();
        if (stage == "biased_scores")
            return chain_.is_recorded("position_bias") ? "=" : "+ bias\n=";
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
        if (stage == "probe")
            return chain_.is_recorded("position") ? "sum × Wᵣ\n=" : "× Wᵣ\n=";
        if (stage == "probe_products")
            return "× strength\n=";
        if (stage == "weights" && corrects_softmax())
            return "correct\n→";
        if (stage == "soft_weights" || stage == "weights")
            return weights_operator(stage);
        if (stage == "concatenation")
            return "join\nheads\n→";
        if (stage == "update")
            return chain_.is_recorded("concatenation") && learned ? "× Wₒ" + bias + "\n× γ =" : "× γ\n=";
        if (stage == "output")
            return chain_.is_recorded("update") ? "=" : "× Wₒ" + bias + "\n=";
        if (stage == "context" && chain_.is_recorded("difference_context"))
            return "norm\n→";
        return stage.ends_with("context") ? "=" : "→";
    }

    bool is_composed() const { return headlight::is_composed(spec_); }
    /// An algorithm makes other weights of the softmax's.
    bool corrects_softmax() const {
        return changes_weights(spec_) && chain_.shown_by("soft_weights") == "soft_weights";
    }
    bool has_own_score() const { return is_composed() && component_of(spec_.score.type); }

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

    std::string between_query_and_key() const {
        return spec_.score.type == ScoreType::general ? "× W ×" : "×";
    }

    std::string projection_operator(const std::string& stage, const std::string& bias) const {
        const bool adds_position = chain_.is_recorded("position");
        const std::string left = adds_position ? "sum × " : "× ";
        switch (spec_.projections.type) {
        case ProjectionType::learned: {
            // There is no subscript q in Unicode.
            const std::string index = stage == "key" ? "ₖ" : stage == "value" ? "ᵥ" : "_q";
            return left + "W" + index + bias + "\n=";
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
        if (spec_.score.type == ScoreType::learned_scale)
            return "× g\n=";
        if (spec_.score.type != ScoreType::scaled_dot || spec_.score.softcap)
            return "scale\n→";
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
        if (!is_composed())
            return map_before_weights() == "masked_scores" ? "softmax\n→" : "→";
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

std::vector<Panel> stage_panels(const PanelMaker& maker) {
    const std::string recorded = maker.chain().shown_by(maker.stage());
    const std::string focus = recorded.empty() ? maker.stage() : recorded;
    std::vector<Panel> panels;
    for (const std::string& stage : maker.chain().visible()) {
        panels.push_back(maker.panel(stage, maker.head_in(stage), {.thumbnail = true}));
        panels.back().in_focus = stage == focus;
        if (panels.size() > 1)
            panels.back().operator_before = "→";
    }
    for (const Term& term : Equation(maker).terms(focus)) {
        Panel panel = maker.panel(term.stage, maker.head_in(term.stage),
                                  {.transposed = term.transposed, .axis_hints = false});
        panel.operator_before = term.operator_before;
        panel.in_focus = term.stage == focus;
        panel.subtitle = shape_text(panel);
        if (term.as_keys)
            (term.transposed ? panel.column_axis : panel.row_axis).title = axis_title(Axis::key, false);
        if (term.stage == "energy") {
            const auto& labels = maker.trace().tokens_at(maker.chain().site()).query;
            const auto query = static_cast<std::size_t>(maker.query());
            panel.subtitle += " for query " +
                              (query < labels.size() ? "“" + labels[query] + "”" : std::to_string(query + 1));
        }
        panels.push_back(std::move(panel));
    }
    return panels;
}

}  // namespace headlight
