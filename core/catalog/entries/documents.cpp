#include "core/catalog/masked_entry.h"

namespace headlight {
namespace {

Knob first_document_knob() {
    return {{.name = "first",
             .label = "First document",
             .kind = MechanismParameter::Kind::integer,
             .standard = Index(5),
             .minimum = 1,
             .maximum = 65536,
             .help = "How many tokens the first document has; the rest of the sequence is the second."},
            [](AttentionSpec& spec, const ParameterValue& value) {
                std::get<PatternMask>(std::get<AllOf>(spec.mask.rule).masks.back().rule).options["lengths"] =
                    std::vector<Index>{std::get<Index>(value)};
            }};
}

}  // namespace

Mechanism declare_documents() {
    Mechanism mechanism;
    mechanism.name = "Document mask";
    mechanism.also_known_as = {"packed sequences", "block-causal mask", "sample packing"};
    mechanism.family = "Masks";
    mechanism.order = 5410;
    mechanism.formula = masked_formula(R"(j \le i \text{ and } \text{doc}(i) = \text{doc}(j))");
    mechanism.papers = {{"Krell et al., Efficient Sequence Packing without Cross-contamination", 2021},
                        {"Grattafiori et al., The Llama 3 Herd of Models (section 3.2)", 2024}};
    mechanism.explanation =
        "To waste no room on padding, several documents are packed into one sequence. The mask lets a token "
        "see only earlier tokens of its own document, so that the result is exactly that of running each by "
        "itself, and positions, where there are any, start again with each document. Without it a text is "
        "continued from a stranger’s. Kernels do not store the matrix: they get the places where documents "
        "begin and skip the tiles between.";
    mechanism.correction =
        "To begin the positions again is not enough: without the mask a token still looks into the document "
        "before. Nor is the mask alone, where positions are learned ones or sinusoids: these have to begin "
        "again, too.";
    mechanism.cost = masked_cost("the sum of the squares of the documents’ lengths times (d + d_v) / 2 "
                                 "multiply-adds per head when only allowed pairs are scored.");
    mechanism.equivalences = {
        equal_when("causal", "there is one document", {.here = {{"first", Index(65536)}}})};
    mechanism.related = {"blocks", "causal", "padding"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = AllOf{{Mask{CausalMask{}},
                            Mask{PatternMask{MaskPattern::documents, {{"lengths", std::vector<Index>{5}}}}}}};
    compose(mechanism, spec, std::vector<Knob>{first_document_knob()} + token_knobs());

    mechanism.example.query = "the cat slept all day the stock market fell";
    mechanism.example.look_for = "Two triangles: the second “the” starts again and sees only itself.";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
