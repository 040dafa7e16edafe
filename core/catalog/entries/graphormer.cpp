#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_graphormer() {
    Mechanism mechanism;
    mechanism.name = "Paths of a graph (Graphormer)";
    mechanism.also_known_as = {"spatial encoding", "shortest-path bias"};
    mechanism.family = "Positions";
    mechanism.order = 5386;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{\frac{@scores{)"
        R"(@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} + @position_bias{b_{h,\phi(i, j)}}}\right)}\,@value{V}},)"
        R"(\quad \phi \text{: steps of the shortest path})";
    mechanism.papers = {
        {"Ying et al., Do Transformers Really Perform Badly for Graph Representation? (spatial and edge "
         "encoding)",
         2021}};
    mechanism.explanation =
        "The nodes of a graph stand in no order, so there is nothing to count along. What there is instead "
        "is how far apart two of them are: the number of edges of the shortest path. Graphormer gives each "
        "such number a learned one, for each head, and adds it to the scores. So a node sees all others "
        "in one layer, near and far ones told apart, where graph attention sees neighbours alone and needs "
        "a layer for each step. A head that learns large numbers for one step looks at neighbours; one whose "
        "numbers fall lets what is far fade, as ALiBi does on a line. Nodes that no path joins have a number "
        "of their own, which longer paths than the longest share here. The example’s graph is that of the "
        "grammar of a sentence: each word is joined to the word that it belongs to.";
    mechanism.cost = "n m additions beside n m (d_k + d_v); the paths are found once for a graph";
    mechanism.correction =
        "The graph is no mask: nobody is hidden. What edges hold counts only where they are given kinds: "
        "then the mean of a number for each edge of the shortest path, by its kind and by which step it is, "
        "is added to the scores as well; of several shortest paths it is one. Graphormer also adds vectors "
        "for the number of a node’s neighbours to the tokens, which is no part of its attention.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "with numbers of zero no path counts",
                   {.here = {{"heads", Index(1)}}, .parameters = {{"spatial_bias", "zeros"}}})};
    mechanism.related = {"gat", "t5", "alibi", "grid_bias"};

    AttentionSpec spec;
    spec.position = {PositionType::graphormer,
                     {{"graph", std::string("none")},
                      {"edges", std::vector<Index>{0, 2, 1, 2, 2, 3, 4, 5, 5, 3, 6, 7, 7, 3}}}};
    compose(mechanism, spec, component_knobs(spec) + heads_knob(2) + projections_knob() + causal_knob());

    mechanism.example.query = "the old man gave his dog a bone";
    mechanism.example.look_for = "“man”, “dog” and “bone” belong to “gave”, one step away each, and have one "
                                 "number in its row; “the”, “old”, “his” and “a”, two steps away, have "
                                 "another, wherever they stand.";
    mechanism.example.stage = "position_bias";
    mechanism.properties.needs_whole_text = true;
    return mechanism;
}

}  // namespace headlight
