#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_ttt() {
    Mechanism mechanism;
    mechanism.name = "Test-time training (TTT)";
    mechanism.also_known_as = {"TTT-linear", "TTT-MLP", "mini-batches of the delta rule"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3575;
    mechanism.formula =
        R"(W_i = W_{i-1} - @write_strengths{\beta_i}\,@unit_key_direction{\hat{k}_i}^\top (\hat{k}_i )"
        R"(W_{b(i)} - @value{v_i}),\quad @output{o_i = \frac{@query{q_i}}{\sqrt{d}}\,W_i},\quad )"
        R"(@weights{A = @read_products{R}\,@inverse{(I + @asked_products{L})^{-1}}},\quad )"
        R"(R_{ij} = \frac{q_i \cdot \hat{k}_j}{\sqrt{d}}\,\beta_j \text{ for } j \le i,\quad )"
        R"(L_{ij} = \hat{k}_i \cdot \hat{k}_j\,\beta_j \text{ for } j \text{ in a batch before that of } i)";
    mechanism.papers = {
        {"Sun et al., Learning to (Learn at Test Time): RNNs with Expressive Hidden States", 2025}};
    mechanism.explanation =
        "The state of a recurrent network is taken for the weights W of a small model, and reading the text "
        "for training it: every token is an example whose input is its key and whose answer is its value. "
        "The query is then put to the trained model. With a linear model the loss is ½ |k W − v|², and a "
        "step of gradient descent for each token is the delta rule. That is slow on a graphics card, for "
        "each step waits for the one before. So gradients are taken in mini-batches: all tokens of a batch "
        "look at the weights with which the batch began, and can be computed at once. Within a batch nothing "
        "is taken back, as in linear attention; from one batch to the next errors are seen and corrected. So "
        "the size of the batch leads from the delta rule, with 1, to linear attention, with the whole text. "
        "The map shown is of the values: how much of each is in what the query gets.";
    mechanism.cost =
        "3 n d d_v multiply-adds per head: to ask, to write and to read, b tokens at once, and n b (d + d_v) "
        "inside the batches; state d d_v. As computed here, where the map is shown, of the order of n³.";
    mechanism.correction =
        "TTT-linear in the paper’s models is more than this: the model is x + LN(x W + b), the answer is v − "
        "k, and W begins with learned numbers: set `norm`. Gradients that went through a layer norm are not "
        "linear in the values, and so the map is then of what each token has written and not of its value; "
        "the same holds for a learner with a hidden layer, TTT-MLP, whose map is that of its second layer. "
        "Without a norm keys have length 1 here, as in DeltaNet, where the paper has the norm to keep steps "
        "in bounds. The size of a step is a sigmoid, which the authors multiply by a base rate over d. Large "
        "batches of like keys still overshoot, since their steps add up; the authors’ code divides what a "
        "batch has added so far by the place of its newest token, which is the mean that `mean` takes.";
    mechanism.equivalences = {
        equal_when("delta", "with batches of one token each step sees the one before: the delta rule",
                   {.here = {{"batch", Index(1)}}, .tolerance = 1e-12}),
        equal_when("titans", "a memory without momentum that forgets nothing is trained in the same way",
                   {.here = {{"batch", Index(1)}},
                    .there = {{"momentum", false}, {"forgets", false}},
                    .tolerance = 1e-12})};
    mechanism.related = {"delta", "titans", "linear", "mesa"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::ttt;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Squares along the diagonal are the batches of four. Inside them a weight is a plain product of "
        "query and key, times β. The second “door”, in the second batch, has taken back what the first had "
        "written. Set the batch to 16: both copies stay.";
    mechanism.example.beside = "delta";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
