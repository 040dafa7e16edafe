#include "core/catalog/masked_entry.h"

namespace headlight {
namespace {

Knob real_keys_knob() {
    return {{.name = "real",
             .label = "Keys that are not padding",
             .kind = MechanismParameter::Kind::integer,
             .standard = Index(5),
             .minimum = 1,
             .maximum = 512,
             .help = "How many keys are real; those after them are padding, whose weight is exactly 0."},
            [](AttentionSpec& spec, const ParameterValue& value) {
                std::get<PatternMask>(spec.mask.rule).options["sinks"] = std::get<Index>(value);
            }};
}

}  // namespace

Mechanism declare_padding() {
    Mechanism mechanism;
    mechanism.name = "Padding mask";
    mechanism.also_known_as = {"key padding mask", "valid length", "attention mask"};
    mechanism.family = "Masks";
    mechanism.order = 1200;
    mechanism.formula = masked_formula(R"(j < \text{length})");
    mechanism.papers = {
        {"Vaswani et al., Attention Is All You Need (and the masked softmax of every library)", 2017}};
    mechanism.explanation =
        "Sentences of different lengths are put into one batch by filling the short ones up with a padding "
        "token. Nobody may look at the filling: its scores become minus infinity, its weights exactly 0, and "
        "the row is a softmax over the real keys alone. The rows of the padding itself remain, they attend "
        "to the real keys and are thrown away later. A large negative number in place of minus infinity "
        "leaks as soon as a row has nothing else; multiplying the weights by the mask afterwards must be "
        "followed by a new normalisation. What stands in the padding, even NaN, must never reach the output.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; memory n m. With all real keys in front, the "
                     "columns of the padding are skipped.";
    mechanism.correction =
        "Polarity differs: 1 means masked in TensorFlow’s Transformer tutorial and in PyTorch’s "
        "key_padding_mask, and allowed in scaled_dot_product_attention and Hugging Face’s attention_mask. A "
        "mask of queries, as Keras has it, empties rows of the output and leaves the weights alone. Two "
        "documents, the real tokens and the padding, beside the padding mask have the same output: a row of "
        "padding has nothing left to look at, and is zeros.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "every key is real", {.here = {{"real", Index(512)}}})};
    mechanism.related = {"causal", "documents", "scaled_dot_product"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    // The first keys as a pattern: sequences shorter than the number are all real.
    spec.mask.rule = PatternMask{MaskPattern::sinks, {{"sinks", Index(5)}}};
    compose(mechanism, spec, std::vector<Knob>{real_keys_knob()} + token_knobs());

    mechanism.example.query = "the old train was late pad pad pad";
    mechanism.example.look_for = "The last three columns are forbidden and every row still sums to 1: the "
                                 "real keys share what the padding would have had.";
    return mechanism;
}

}  // namespace headlight
