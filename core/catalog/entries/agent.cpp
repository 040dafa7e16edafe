#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_agent() {
    Mechanism mechanism;
    mechanism.name = "Agent attention";
    mechanism.also_known_as = {"agent tokens", "agent aggregation and broadcast"};
    mechanism.family = "Low rank";
    mechanism.order = 3650;
    mechanism.formula =
        R"(@weights{A = @unpack_weights{\operatorname{softmax}\left(@unpack_scores{\frac{@query{Q}\,)"
        R"(@agents{a}^\top}{\sqrt{d}}}\right)}\,@pack_weights{\operatorname{softmax}\left(@pack_scores{)"
        R"(\frac{@agents{a}\,@key{K}^\top}{\sqrt{d}}}\right)}},\quad @output{O = A\,@value{V}},\quad )"
        R"(@agents{a = \operatorname{mean}(Q) \text{ over } s \text{ stretches}})";
    mechanism.papers = {
        {"Han et al., Agent Attention: On the Integration of Softmax and Linear Attention", 2024}};
    mechanism.explanation =
        "Queries send agents in their place. An agent is the mean of a stretch of neighbouring queries; it "
        "looks at all keys and gathers their values, as a query would, and then every query looks at the "
        "agents and takes from what they have gathered, with the agents as keys. Both steps are a softmax, "
        "and each costs n times s products instead of n². The map of all pairs is the product of two, so "
        "that its rows sum to 1 and its rank is at most s: no query can look where no agent has looked. Of "
        "linear attention it is a form in which the features of a query are its shares in the agents. "
        "Inducing points have learned vectors in the place of the means, and there a query is compared with "
        "what a point has found, not with the point itself.";
    mechanism.cost =
        "s (n + m) (d + d_v) multiply-adds per head for s agents; memory s (n + m). The map of all pairs is "
        "worked out for the eye alone.";
    mechanism.correction =
        "With as many agents as queries it is not softmax attention yet: each row is then a mixture of rows "
        "of softmax attention, by a second softmax of queries with queries. The paper pools squares of an "
        "image, not stretches of a text, adds a bias of places to both scores, and a convolution of the "
        "values to the output, because agents alone make the outputs too much alike; both are left out.";
    mechanism.related = {"orthoformer", "inducing_points", "nystrom", "linformer", "linear"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::agent;
    compose(mechanism, spec, without(component_knobs(spec), {"points"}) + projections_knob());

    mechanism.example.query = "king queen prince princess dog cat horse cow";
    mechanism.example.look_for =
        "Two agents stand for four words each, and the map has two kinds of rows, one of the royal family "
        "and one of the animals. In softmax attention beside it “prince” looks at himself most, with 0.44; "
        "here he has 0.15, and “king” 0.25: his agent asks for all four.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.example.values = {{"agents", Index(2)}};
    mechanism.properties.needs_whole_text = true;
    return mechanism;
}

}  // namespace headlight
