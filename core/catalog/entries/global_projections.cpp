#include "core/catalog/masked_entry.h"

#include <numeric>
#include <vector>

namespace headlight {
namespace {

/// What the mask and the projections have.
Knob globals_of_both_knob() {
    Knob knob = global_tokens_knob();
    knob.apply = [in_mask = knob.apply](AttentionSpec& spec, const ParameterValue& value) {
        in_mask(spec, value);
        std::vector<Index> tokens(static_cast<std::size_t>(std::get<Index>(value)));
        std::iota(tokens.begin(), tokens.end(), Index(0));
        spec.algorithm.options["tokens"] = tokens;
    };
    return knob;
}

}  // namespace

Mechanism declare_global_projections() {
    Mechanism mechanism;
    mechanism.name = "Global tokens with their own projections";
    mechanism.also_known_as = {"Longformer with global projections", "ETC", "global-local attention",
                               "entity-aware self-attention"};
    mechanism.family = "Masks";
    mechanism.order = 2612;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{\operatorname{softmax}_j\left(@scores{\frac{@query{q_i} \cdot ()"
        R"(@key{k_j} + a_{\ell(i, j)})}{\sqrt{d}}}\right)}\,@value{v_j},\quad )"
        R"((q_i, k_j, v_j) = (@global_query{x_i W'_q},\, @global_key{x_j W'_k},\, @global_value{x_j W'_v}) )"
        R"(\text{ for } i \in G)";
    mechanism.papers = {{"Beltagy, Peters and Cohan, Longformer: The Long-Document Transformer", 2020},
                        {"Ainslie et al., ETC: Encoding Long and Structured Inputs in Transformers", 2020},
                        {"Yamada et al., LUKE: Deep Contextualized Entity Representations with Entity-aware "
                         "Self-attention (pieces: questions)",
                         2020}};
    mechanism.explanation =
        "A few global tokens look at the whole text, all others at their neighbours and at the global ones. "
        "What a global token has to find is something else than what a word looks for beside it, so it asks "
        "with a matrix of its own, and reads keys and values that are made for it: each token has two keys, "
        "one for its neighbours and one for the global tokens. That is Longformer, where the second set "
        "starts as a copy of the first. ETC keeps the global tokens as a sequence beside the text and goes "
        "one step further: keys and values also differ by whether a global token is looked at, four pieces "
        "in all, and labels say how far two tokens are apart, or whether a word is in the sentence that a "
        "global token stands for. Every row is still one softmax over all that it may see. LUKE "
        "reads entities, such as Beyoncé, as tokens beside the words that name them, and has it the other "
        "way round: keys and values are one for all, and what a token asks differs by whether it is a word "
        "or an entity and by whether it asks a word or an entity, four matrices for queries.";
    mechanism.cost = "as the mask’s pairs, and m d² for each further key and value";
    mechanism.correction =
        "Local rows see the global tokens through the local matrices (in Longformer): only the rows of "
        "global tokens use the global ones. The mask must let the global tokens see everything; which tokens "
        "have their own projections is said apart from it. ETC’s global tokens are learned vectors beside "
        "the text; here they are tokens of the text, as LUKE’s entities are. "
        "In LUKE all see all: the mask is none.";
    mechanism.equivalences = {
        equal_when("longformer", "without global tokens nobody asks with other matrices",
                   {.here = {{"globals", Index(0)}},
                    .there = {{"globals", Index(0)}, {"projections", std::string("learned")}}})};
    mechanism.related = {"longformer", "bigbird", "memory_tokens", "shaw"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.mask.rule = AnyOf{{Mask{PatternMask{MaskPattern::symmetric_window, {{"reach", Index(1)}}}},
                            Mask{PatternMask{MaskPattern::global, {{"tokens", std::vector<Index>{0}}}}}}};
    spec.algorithm.type = AlgorithmType::global_projections;
    compose(mechanism, spec,
            component_knobs(spec) + globals_of_both_knob() + projections_knob(ProjectionType::learned));

    mechanism.example.query = "question the small dog chased the black cat home";
    mechanism.example.look_for =
        "The first row is the one that looks everywhere, with weights that no other row’s matrices made; the "
        "band below it and the first column are those of Longformer.";
    mechanism.example.beside = "longformer";
    return mechanism;
}

}  // namespace headlight
