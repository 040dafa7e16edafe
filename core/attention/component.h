#pragma once

#include "core/attention/arithmetic_text.h"
#include "core/attention/declared_stage.h"
#include "core/attention/plan.h"
#include "core/attention/stage_list.h"
#include "core/tensor/extents.h"

#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace headlight {

template <class Real>
struct Pipeline;
class ExplainedCell;
class Composer;
class DefinedRows;
class Expression;
struct RowsBefore;

/// What a component adds to a run, for both precisions: made from one generic lambda without captures,
/// [](const Plan& plan, auto& pipeline) { ... }.
struct Steps {
    Steps() = default;
    template <class Add>
    Steps(Add add) : in_float(add), in_double(add) {}  // NOLINT: to be written as a plain assignment

    explicit operator bool() const { return in_double != nullptr; }
    void operator()(const Plan& plan, Pipeline<float>& pipeline) const {
        if (in_float)
            in_float(plan, pipeline);
    }
    void operator()(const Plan& plan, Pipeline<double>& pipeline) const {
        if (in_double)
            in_double(plan, pipeline);
    }

private:
    void (*in_float)(const Plan&, Pipeline<float>&) = nullptr;
    void (*in_double)(const Plan&, Pipeline<double>&) = nullptr;
};

/// What a run is asked for, as far as its memory depends on it.
struct RunNeeds {
    double real = sizeof(double);  ///< bytes of the numbers that it computes with
    bool forms_weights = true;     ///< an algorithm is asked for the weights beside the context
};

/// Bytes that a component's steps allocate for a run.
struct StepMemory {
    double kept = 0;     ///< for as long as the executor lives
    double working = 0;  ///< on each thread while it works on a head or a row
};

/// Features that a component takes two by two.
struct PairedFeatures {
    std::string of = "features of a head";       ///< which ones: where an error is
    std::string why;                             ///< "features are turned in pairs"
    Index (*count)(const Plan& plan) = nullptr;  ///< of one vector; an even number where none are paired
    /// What helps where they are odd.
    std::string way_out = "change the dimension of the vectors or the number of heads";
};

/// One way to fill a part of the spec, declared in a file of its own: positions/alibi.cpp defines
/// `PositionComponent declare_positions_alibi()`. CMake writes tables and enumerators from the file names
/// (HeadlightComponents.cmake).
template <class Type>
struct Component {
    // The table sets both, from the name of the file.
    Type type = {};
    std::string word;  ///< "alibi", as files write it

    std::string meaning;          ///< one line: the formula in plain text, and the source
    std::vector<Option> options;  ///< beside the members of the spec's part

    /// Its parameters, any that some plan needs: name, shape in symbols, meaning.
    std::vector<KnownParameter> known_parameters;
    /// Adds those that this plan needs. The plan's extents are known, its parameters are not.
    void (*parameters)(const Plan& plan, ParameterList& list) = nullptr;
    /// Throws Error when this plan cannot have the component for another reason than an odd number of
    /// `paired`.
    void (*check)(const Plan& plan) = nullptr;
    std::vector<PairedFeatures> paired;
    /// Adds the stages that it records beside those that every trace has.
    void (*stages)(const Plan& plan, StageList& list) = nullptr;
    /// The title of each stage and what it is computed from; also for a stage of every trace that this
    /// component makes in a way of its own.
    std::vector<DeclaredStage> declared_stages;
    /// The same where they follow from the spec: those of the lines that a person typed. Null: they do not.
    std::shared_ptr<const std::vector<DeclaredStage>> (*stages_of)(const AttentionSpec& spec) = nullptr;
    /// What a kernel of its own does in a run. None: where the component defines its part of the formula,
    /// that is computed as it is written (program_run.h), traced, remembered and explained from it.
    Steps steps;
    /// Whether the steps do not know what the spec sets, so that its run is that of the definition; null:
    /// they do.
    bool (*passes_to_definition)(const AttentionSpec& spec) = nullptr;
    /// Whether a context is more here, or other, than the sum of each weight times its value; null: it is
    /// that sum.
    bool (*changes_context)(const AttentionSpec& spec) = nullptr;
    /// Why it makes something else of one sequence than of two that are the same, so that no layer that has
    /// it can have another's keys; null: it does not.
    const char* (*reads_one_sequence)(const AttentionSpec& spec) = nullptr;
    /// What they allocate, beside what is copied of parameters; an upper bound, close to the truth where it
    /// is large. Null: rows of numbers at most. The plan's parameters and its mask are not known yet.
    StepMemory (*memory)(const Plan& plan, const RunNeeds& needs) = nullptr;
    /// Its own parameters are copied in the run's precision; otherwise the steps read those of the plan.
    bool copies_parameters = true;
    /// What the cell's number follows from, with numbers, where no line of its definition is the stage: of
    /// its own stages and of the stage that it decides (scores for a score, biased_scores for a position,
    /// weights for a normaliser). Empty text: only the meaning is shown.
    Arithmetic (*explain)(const ExplainedCell& cell, std::string_view stage) = nullptr;
};

/// Stages that Component::stages_of gives again and again.
inline std::shared_ptr<const std::vector<DeclaredStage>> shared_stages(std::vector<DeclaredStage> stages) {
    return std::make_shared<const std::vector<DeclaredStage>>(std::move(stages));
}

/// What a component answers that holds whatever the spec is.
inline bool always(const AttentionSpec&) { return true; }

/// Puts `more` of what a component declares (options, parameters, stages) behind those in `list`.
template <class Declared>
void append(std::vector<Declared>& list, std::vector<Declared> more) {
    list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

struct ScoreComponent : Component<ScoreType> {
    /// Queries and keys must have one width per head.
    bool compares_widths = true;
    /// Its hidden units pass through the spec's activation.
    bool has_activation = false;
    /// Each row is scored by the weights of the rows before: those of a head run one after another.
    bool is_ordered = false;
    /// Columns of `energy`; null when it has none. The plan's attention_width is then what the spec or a
    /// given v, W_1 or W_2 says, else the query's width.
    Index (*attention_width)(const Plan& plan) = nullptr;
    /// The factor between scores and scaled scores; 1 if null.
    double (*scale)(const Plan& plan) = nullptr;
    /// Multiply-adds of all scores of all heads, each product of the formula computed once (work.h); null:
    /// one for each feature of every pair, or the energies where it has them.
    double (*multiply_adds)(const Plan& plan) = nullptr;
    /// It is made of products of numbers of the query and the key, which vanish where both are small.
    bool is_product = false;
    /// Defines the scores [h, n, m] before their scale, not yet named: lines of Python, cells and gradients
    /// follow from this. Every score has it, or is ordered and has define_rows.
    Expression (*define)(Composer& composer) = nullptr;
    /// Defines what all rows share, and gives the function that defines a row [h, 1, m] after others.
    std::function<Expression(const RowsBefore& before)> (*define_rows)(Composer& composer) = nullptr;
    /// Whether such a row sees the sum of all rows of weights before it; otherwise it sees the last of them,
    /// and the first one a uniform row.
    bool (*sees_sum)(const Plan& plan) = nullptr;
    /// Defines the factor that `scale` is where it is more than a number: a root, a parameter.
    Expression (*define_scale)(Composer& composer) = nullptr;
};
struct PositionComponent : Component<PositionType> {
    /// [tokens, width], added to the token vectors before projection; recorded as `position`.
    Tensor (*token_term)(const Plan& plan, Index tokens, Index width) = nullptr;
    /// It changes scores, weights or context, which an algorithm that has none would pass over.
    bool acts_on_scores = false;
    /// It turns queries and keys before they meet, as algorithms without scores let it.
    bool turns_vectors = false;
    /// The scores of a pair depend on the tokens between the two, which a cache of bounded size may have
    /// dropped.
    bool reads_between = false;
    /// It adds to the scaled scores; what it adds is recorded as `position_bias`.
    bool has_bias = false;

    // Its formula: what it does to the expressions that Composer has. Null: it does nothing there.
    /// Returns, as the tensor `name`, what it adds to token vectors [tokens, width].
    Expression (*define_token_term)(Composer& composer, const std::string& name, Index tokens,
                                    Index width) = nullptr;
    /// The same, where it is made of the token vectors [tokens, width] of one sequence and not of their
    /// places alone: there is no token_term then, and values that are given apart stay as they are.
    Expression (*define_term_of_tokens)(Composer& composer, const std::string& name,
                                        const Expression& tokens) = nullptr;
    /// Turns all queries [h, n, d_k] or keys [h, m, d_k] by their places; `name` is "query" or "key".
    Expression (*define_turn)(Composer& composer, const std::string& name, const Expression& vectors,
                              bool is_key) = nullptr;
    /// Returns the scores [h, n, m] that the places make of those of content alone.
    Expression (*define_scores)(Composer& composer, const Expression& scores) = nullptr;
    /// Returns what those are multiplied by, where content alone would be by `scale`.
    Expression (*define_scale)(Composer& composer, const Expression& scale) = nullptr;
    /// Returns what is added to the scaled scores [h, n, m]: as many, or [n, m] for all heads.
    Expression (*define_bias)(Composer& composer, const Expression& scaled_scores) = nullptr;
    /// Returns the contexts [h, n, d_v] with what the places add under the weights [h, n, m].
    Expression (*define_context)(Composer& composer, const Expression& weights,
                                 const Expression& context) = nullptr;
};
struct SelectionComponent : Component<SelectionType> {
    /// It orders the scores, however small they are.
    bool orders_scores = false;
    /// It chooses by scores, tokens or places and reads no keys, so that an algorithm that makes keys of its
    /// own can have it.
    bool reads_no_keys = false;
    /// The keys of a query depend on the other queries, as where clusters are filled one after another:
    /// decoding step by step knows none that is to come.
    bool (*couples_queries)(const AttentionSpec& spec) = nullptr;

    // Its formula, as expressions that Composer has.
    /// Returns the keys that it keeps of those that the mask allows, [h, n, m] true or false, from the scores
    /// [h, n, m]; nothing where it keeps all.
    std::optional<Expression> (*define)(Composer& composer, const Expression& scores) = nullptr;
    /// Returns what the weights [h, n, m] of the kept keys become; null: they stay.
    Expression (*define_faded)(Composer& composer, const Expression& weights) = nullptr;
    /// Whether they become something else in runs of the spec; null: always.
    bool (*fades)(const AttentionSpec& spec) = nullptr;
    std::string faded_note = "faded with the distance";  ///< on the line of such weights
};
struct NormalizerComponent : Component<NormalizerType> {
    /// What its weights are, in a few plain words under the title of a picture: "sparsemax of each row". True
    /// whatever its options say.
    std::string phrase;
    /// Every weight lies between 0 and 1.
    bool gives_shares = true;
    /// Whether it goes by the order, the signs or the ratios of the scores, however small they are; null: no.
    bool (*orders_scores)(const Plan& plan) = nullptr;
    /// A row's weights depend on other rows' scores.
    bool couples_rows = false;
    /// ... or on which row it is, beside its scores: it has noise of its own, or passes over its own place.
    bool reads_place = false;
    /// Defines the weights [h, n, m] that rows of scores become, not yet named: lines of Python, cells and
    /// gradients follow from this. Every normaliser has it.
    Expression (*define)(DefinedRows& rows) = nullptr;
};
/// What an algorithm takes between projections and output, all heads together.
struct AlgorithmCost {
    double multiply_adds = 0;
    double map_numbers = 0;    ///< numbers of maps or factors that it forms at once
    double cache_numbers = 0;  ///< numbers that decoding keeps of each token
    double state_numbers = 0;  ///< ... and once, however many tokens there were: a state of fixed size
};

struct AlgorithmComponent : Component<AlgorithmType> {
    /// It takes any mask; otherwise only those where each query sees a prefix of the keys, never a shorter
    /// one than the query before: none, causal, padding.
    bool takes_any_mask = false;
    /// ... and those under which each query sees the first keys of one of several spans that have no key in
    /// common, as the documents of a packed sequence are: it keeps a state for each.
    bool takes_documents = false;
    /// Its steps know no masks but prefixes as above. With another that it takes, run and stages are those of
    /// its definition, and what it costs is, but where it keeps states of documents.
    bool steps_need_prefixes = false;
    /// Every query must see the same first keys: no mask or padding.
    bool needs_one_end = false;
    /// ... and what a refusal of others says why.
    std::string why_one_end = "the keys are summed up before any query sees them";
    /// Whether every query must see its own token, which is written before anything is read: no mask, or a
    /// causal one. Null: it need not.
    bool (*needs_own_token)(const AttentionSpec& spec) = nullptr;
    /// The parts of the spec do what they do without it, and it adds to that. Otherwise score, score-level
    /// position, selection and normaliser must be the standard ones, so that nothing is set that would be
    /// passed over.
    bool is_composed = false;
    /// From parameters of its own, or it has none: there is no W_k, no W_v, no stage of keys and values but
    /// those that it declares, and HeadTask::key and value are not to be read.
    bool makes_keys_and_values = false;
    /// Whether it projects the heads' contexts itself, so that there is no W_o; null: it does not.
    bool (*makes_output)(const AttentionSpec& spec) = nullptr;
    /// How many features its outputs have, of a plan whose other extents are known; null: as many as those
    /// that are projected, or the contexts side by side.
    Index (*output_width)(const Plan& plan) = nullptr;
    /// Composed only: it makes the weights of the softmax's, which are then recorded as `soft_weights`;
    /// otherwise it acts on the output.
    bool changes_weights = false;
    /// The cost of a composed algorithm, beside what its parts take.
    AlgorithmCost (*cost)(const Plan& plan) = nullptr;
    /// Where the parts of the spec are not the standard ones, which its steps do not know, they compose the
    /// run as they would without it, among the pairs that it leaves.
    bool leaves_other_parts = false;
    /// It compares queries and keys as the norm of the spec's score has left them.
    bool takes_vector_norm = false;
    /// Its weights are those of the spec's normaliser. Its steps know the softmax alone: with another
    /// normaliser a run is that of its definition.
    bool takes_normalizer = false;
    /// ... and, the same way, among the keys that the spec's selection keeps, one that reads_no_keys.
    bool takes_selection = false;
    /// Why it takes none, where it has several maps that a selection could mean; ends the sentence "none: ".
    std::string why_no_selection = {};
    /// How many of the newest keys of each query it leaves, which then has a prefix of the keys; 0: all.
    /// Null: all. The plan's pairs are those that are left.
    Index (*newest_keys)(const AttentionSpec& spec) = nullptr;
    /// It keeps a state, and of the weights that this implies none is negative and those of a row sum to 1,
    /// whatever the numbers and its options.
    bool implies_shares = false;

    // Its formula, as expressions that Composer has.
    /// Assigns `weights` [h, n, m] and returns the contexts [h, n, d_v]; null: the parts of the spec compose
    /// them.
    Expression (*define)(Composer& composer) = nullptr;
    /// Composed only: returns, as `weights`, what those of the normaliser [h, n, m] become; null: they stay.
    Expression (*define_weights)(Composer& composer, const Expression& weights) = nullptr;
    /// Composed only: returns, as `context`, what the weighted values [h, n, d_v] become; null: they stay.
    Expression (*define_context)(Composer& composer, const Expression& attended) = nullptr;
    /// Composed only: returns what the output [n, d_o] becomes; null: it stays.
    Expression (*define_output)(Composer& composer, const Expression& output) = nullptr;
};

/// Whether a query may look at a key.
using MaskPredicate = std::function<bool(Index query, Index key)>;

/// A pattern of allowed pairs.
struct MaskComponent {
    // From the name of the file, as of other components.
    MaskPattern type = {};
    std::string word;

    std::string meaning;
    std::vector<Option> options;
    /// The predicate for n queries and m keys. Throws Error when the options cannot fit them.
    MaskPredicate (*allows)(const Options& options, Index queries, Index keys) = nullptr;
    /// Whatever the options and the extents, each query sees a prefix of the keys, never a shorter one than
    /// the query before.
    bool gives_prefixes = false;
};

// All components of an axis, in the order of the enumeration: by their words.
std::span<const ScoreComponent> score_components();
std::span<const PositionComponent> position_components();
std::span<const MaskComponent> mask_components();
std::span<const SelectionComponent> selection_components();
std::span<const NormalizerComponent> normalizer_components();
std::span<const AlgorithmComponent> algorithm_components();

// nullptr for what the kernels do themselves: dot, sinusoidal, softmax, composed ...
const ScoreComponent* component_of(ScoreType type);
const PositionComponent* component_of(PositionType type);
const MaskComponent* component_of(MaskPattern type);
const SelectionComponent* component_of(SelectionType type);
const NormalizerComponent* component_of(NormalizerType type);
const AlgorithmComponent* component_of(AlgorithmType type);

/// Scores, weights and context are those of the spec's parts: no algorithm stands in their place.
bool is_composed(const AttentionSpec& spec);
/// How many of the newest keys of each query the algorithm leaves, of those that the mask allows; 0: all.
Index newest_keys(const AttentionSpec& spec);
/// Whether the mask lets each query see a prefix of the keys, never a shorter one than the query before, as
/// far as its rule tells without the number of tokens: a window that is wider than the text does not count.
bool gives_prefixes(const Mask& mask);
/// Whether the component's steps know the mask of the spec.
inline bool steps_know_mask(const auto&, const AttentionSpec&) { return true; }
inline bool steps_know_mask(const AlgorithmComponent& algorithm, const AttentionSpec& spec) {
    return !algorithm.steps_need_prefixes || gives_prefixes(spec.mask);
}
/// The options of a position and of the one beside it, which share those that mean the same: the columns of
/// a grid. Throws Error for two of one name that do not.
std::vector<Option> position_options(PositionType type, PositionType second);
/// The positions are in the tokens, or in the queries and keys before they meet; others act on scores or
/// contexts as well.
bool acts_on_vectors_alone(const Position& position);
/// The scaled dot product and nothing else, whatever the fields have that it does not read.
bool is_plain_product(const Score& score);
/// The softmax at temperature 1, whatever the fields have that it does not read.
bool is_plain_softmax(const Normalizer& normalizer);
/// Score, position, selection, normaliser and heads make the softmax of scaled products of queries and keys.
bool has_standard_parts(const AttentionSpec& spec);
/// ... but an algorithm goes on changing the weights that the normaliser gives.
bool changes_weights(const AttentionSpec& spec);
/// What makes a context other than the sum of each weight times its value, or closes it before W_o: "shaw",
/// "the output gate". Empty where nothing does.
std::string changes_of_context(const AttentionSpec& spec);
/// Every weight of every run lies between 0 and 1. Otherwise some may not: signed ones, numbers of no bound.
bool weights_are_shares(const AttentionSpec& spec);
/// The scores are made of products of queries and keys.
bool has_product_scores(ScoreType type);
/// The weights depend on the order, the signs or the ratios of the scores, however small they are: scores
/// that have vanished would give others.
bool orders_scores(const Plan& plan);
/// score.activation is that of the score's hidden units; other scores have none.
bool has_activation(ScoreType type);

/// The run is that of the program: some component of the spec has its definition and no steps, or none for
/// the parts that the spec sets beside it.
bool runs_by_program(const AttentionSpec& spec);

/// The position is the spec's, or the one beside it.
inline bool uses_position(const AttentionSpec& spec, PositionType type) {
    return spec.position.type == type || spec.position.second == type;
}

/// The position of the spec that has this hook or this property, of which no two at once do the same.
template <class Hook>
const PositionComponent* position_with(const AttentionSpec& spec, Hook PositionComponent::*hook) {
    for (const PositionType type : {spec.position.type, spec.position.second})
        if (const PositionComponent* position = component_of(type); position && position->*hook)
            return position;
    return nullptr;
}

/// Calls visit(component) for every component that the spec uses, in the order of the formula.
template <class Visit>
void for_each_component(const AttentionSpec& spec, const Visit& visit) {
    const auto apply = [&](const auto* component) {
        if (component)
            visit(*component);
    };
    apply(component_of(spec.score.type));
    apply(component_of(spec.position.type));
    apply(component_of(spec.position.second));
    apply(component_of(spec.selection.type));
    apply(component_of(spec.normalizer.type));
    apply(component_of(spec.algorithm.type));
}

/// Throws Error{what, features.of, ...} where a plan has an odd number of them.
void require_pairs(const PairedFeatures& features, const std::string& what, const Plan& plan);

/// Throws Error where this plan has an odd number of features that the component takes in pairs.
void check_pairs(const auto& component, const Plan& plan) {
    constexpr bool is_algorithm =
        std::is_base_of_v<Component<AlgorithmType>, std::decay_t<decltype(component)>>;
    for (const PairedFeatures& features : component.paired)
        require_pairs(features, component.word + (is_algorithm ? " algorithm" : ""), plan);
}

/// Throws Error when this plan cannot have the component.
void check_component(const auto& component, const Plan& plan) {
    if (component.check)
        component.check(plan);
    check_pairs(component, plan);
}

/// What the component declares of its stages in runs of the spec.
std::shared_ptr<const std::vector<DeclaredStage>> declared_stages_of(const auto& component,
                                                                     const AttentionSpec& spec) {
    if (component.stages_of)
        return component.stages_of(spec);
    return {std::shared_ptr<void>(), &component.declared_stages};
}

/// The spec with every option that it leaves out. Throws Error for an option that its component does not have
/// or that is out of range.
AttentionSpec complete_spec(AttentionSpec spec);

/// Whether a run of the spec has the component's kernel.
bool has_kernel(const auto& component, const AttentionSpec& spec) {
    return component.steps && steps_know_mask(component, spec) &&
           !(component.passes_to_definition && component.passes_to_definition(complete_spec(spec)));
}

}  // namespace headlight
