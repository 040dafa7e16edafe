#pragma once

#include <string>
#include <utility>
#include <vector>

namespace headlight {

/// One of the stages that another is computed from, as the picture of the stages draws it.
struct StageOperand {
    std::string stage;
    std::string operator_before = {};  ///< "×", "+"; nothing before the first
    bool transposed = false;
    bool as_keys = false;      ///< its rows are what is looked at, also where one sequence is both
    bool is_optional = false;  ///< left out where it was not recorded; without another nothing is drawn
};

/// `stage` with a row for each key.
inline StageOperand keys_of(std::string stage, std::string operator_before = {}) {
    return {.stage = std::move(stage), .operator_before = std::move(operator_before), .as_keys = true};
}
/// The same turned, for each row of what stands before it to be multiplied with: q kᵀ behind "query".
inline StageOperand times_keys_of(std::string stage) {
    return {.stage = std::move(stage), .operator_before = "×", .transposed = true, .as_keys = true};
}
/// `stage`, left out where it was not recorded.
inline StageOperand optional_stage(std::string stage, std::string operator_before = {}) {
    return {.stage = std::move(stage), .operator_before = std::move(operator_before), .is_optional = true};
}
/// What projections read: the tokens, with their places where they have any.
inline std::vector<StageOperand> token_operands() { return {{"tokens"}, optional_stage("position", "+")}; }

/// How a stage is made: {"q · k / √d", {{"query"}, times_keys_of("key")}, "÷ √d\n→"}.
struct StageOrigin {
    std::string subtitle = {};  ///< what it is in the words of the formula: "softmax of each row"
    std::vector<StageOperand> operands = {};  ///< what it is computed from
    std::string operation = "→";  ///< between the operands and it; "=" on its last line: an equation
};

/// What a stage's numbers are.
enum class StageRole {
    other,
    scores,   ///< of pairs, on their way to the normaliser
    weights,  ///< of pairs, from the exponentials on
    row,      ///< one number for each row of weights: the picture of a stage has none of them
};

/// What else there is to know of a stage, beside its name and how it is made.
struct StageTraits {
    /// The stage whose numbers they are, where a component or a norm goes on from it: "weights" of what the
    /// normaliser gives before a window fades it, "query" of queries that were turned.
    std::string form_of = {};
    /// The stage whose colours it shares, for readers compare the two: "weights".
    std::string colours_of = {};
    std::string lights = {};  ///< the stage whose term a formula that has none for this one lights instead
    StageRole role = StageRole::other;
    bool is_of_keys = false;      ///< a row for each key, also where there are as many queries
    bool is_of_features = false;  ///< a row for each feature or point, also where there are as many tokens
    bool has_features = false;    ///< a column for each of them, also where there is one or one for each key
    /// What a row or a column counts where it is neither a token nor a feature: "seed", "memory token".
    std::string row = {}, column = {};
    bool is_share = false;  ///< in every run, or in this one, between 0 and 1
    /// What a number of it is, under the picture, where no line of the program has this stage: "the state
    /// that this query reads". Without it the component's meaning is shown.
    std::string said = {};
    bool leaves_out_masked = false;  ///< pairs that may not meet have no number in it
    /// Made before there are heads, or of what they found: a matrix of it alone is that of all of them.
    bool is_of_all_heads = false;
};

/// What there is to know of a stage by its name alone. Declared by whoever records it: a component of its own
/// stages, and of a stage of every trace where it makes that in another way (Component::declared_stages), the
/// pipeline of the rest (pipeline_stages.h).
struct DeclaredStage : StageOrigin, StageTraits {
    DeclaredStage() = default;
    DeclaredStage(std::string its_name, std::string its_title, StageOrigin origin = {}, StageTraits rest = {})
        : StageOrigin(std::move(origin)), StageTraits(std::move(rest)), name(std::move(its_name)),
          title(std::move(its_title)) {}

    std::string name;   ///< "windowed_weights", as files write it
    std::string title;  ///< "Softmax over the window"; of one name the same everywhere
};

/// The stage `name`; `rest` is what else there is to know of it.
inline DeclaredStage made_stage(std::string name, std::string title, StageOrigin origin,
                                StageTraits rest = {}) {
    return {std::move(name), std::move(title), std::move(origin), std::move(rest)};
}

/// What else there is to know of a stage that has a row for each `row`, "block", and a column for each
/// `column`, neither of them tokens.
inline StageTraits between_parts(std::string row, std::string column, StageTraits rest) {
    rest.is_of_features = true;
    rest.has_features = true;
    rest.row = std::move(row);
    rest.column = std::move(column);
    return rest;
}

/// The stage of a map of shares on its way to the weights, in whose colours it is drawn.
inline DeclaredStage declared_shares_stage(std::string name, std::string title, StageOrigin origin,
                                           StageTraits rest = {}) {
    rest.colours_of = "weights";
    rest.lights = "weights";
    rest.role = StageRole::weights;
    rest.is_share = true;
    rest.leaves_out_masked = true;
    return made_stage(std::move(name), std::move(title), std::move(origin), std::move(rest));
}

}  // namespace headlight
