#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_mean_query() {
    Mechanism mechanism;
    mechanism.name = "Pooling by the mean token";
    mechanism.also_known_as = {"attention pool of CLIP", "AttentionPool2d", "mean as query"};
    mechanism.family = "Sources";
    mechanism.order = 1414;
    mechanism.formula =
        R"(@pooling_queries{\bar{q} = \frac{1}{n} \sum_i @query{q_i}},\quad )"
        R"(@output{o_i = \sum_j @weights{@pooling_weights{\left(a_j + \frac{a_0}{n}\right)}}\,@value{v_j}},)"
        R"(\quad )"
        R"(a = \operatorname{softmax}\left(\left[\frac{\bar{q} \cdot \bar{k}}{\sqrt{d}}; @pooling_scores{)"
        R"(\frac{\bar{q}\,@key{K}^\top}{\sqrt{d}}}\right]\right))";
    mechanism.papers = {
        {"Radford et al., Learning Transferable Visual Models From Natural Language Supervision "
         "(section 2.4)",
         2021}};
    mechanism.explanation =
        "Networks for images end in a mean over all places, so that a large dull sky counts for more than a "
        "small bird in it. CLIP ends its residual network otherwise: the mean is only the first guess, and "
        "asks. It is put before the places as one more token, and attends to them and to itself; what the "
        "mean finds is the vector of the image. So the question depends on the image, where a learned query "
        "would be the same for all, and places that are like the whole get more. The mean is a key as well, "
        "and its value the mean of all values: what it gives to itself, all places get in equal parts, and "
        "so it can be drawn as a map of places alone. As with all pooling here, every token gets the one "
        "vector that comes out.";
    mechanism.cost = "m (d + d_v) multiply-adds per head beside the means; memory m.";
    mechanism.correction =
        "The mean of the queries is the query of the mean only because a projection is linear and nothing "
        "stands between: a norm of the queries, or a place of its own, as CLIP’s mean has, would make them "
        "differ. Places and biases are left to other settings here.";
    mechanism.related = {"attention_pooling", "gcnet", "agent", "cross"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::attention_pooling, {{"query", std::string("mean_token")}}};
    compose(mechanism, spec,
            without(component_knobs(spec), {"seeds", "steps", "beta", "block"}) + projections_knob());

    mechanism.example.query = "dog cat horse cow dog pig music sheep dog";
    mechanism.example.look_for =
        "All rows are one row: “dog”, three times in the mean, has the same weight three times, and “music” "
        "has the least. Rows sum to 1 whether or not the mean is a key.";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
