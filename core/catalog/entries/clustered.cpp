#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_clustered() {
    Mechanism mechanism;
    mechanism.name = "Clustered attention";
    mechanism.also_known_as = {"fast Transformers with clustered attention", "improved clustered attention"};
    mechanism.family = "Low rank";
    mechanism.order = 3655;
    mechanism.formula =
        R"(@output{O} = @weights{S\,@cluster_weights{\operatorname{softmax}\left(@cluster_scores{\frac{Z\,)"
        R"(@key{K}^\top}{\sqrt{d}}}\right)}}\,@value{V},\quad )"
        R"(@mean_queries{z_c = \frac{1}{n_c} \sum_i S_{ic}\,@query{q_i}},\quad )"
        R"(@members{S_{ic} = 1 \text{ for the nearest } z_c})";
    mechanism.papers = {
        {"Vyas, Katharopoulos and Fleuret, Fast Transformers with Clustered Attention", 2020}};
    mechanism.explanation =
        "Queries that are alike look at the same keys. So let them share a row: cluster the queries, attend "
        "once with the mean of each cluster, and give every query the row of its own. With c clusters c "
        "rows are computed in place of n. Clusters are found by Lloyd’s steps: each query goes to the "
        "nearest centre, each centre to the mean of its queries, a few times over. How wrong a shared row "
        "can be is known: rows of weights differ by no more than the distance of their queries times the "
        "norm of the keys. The improved form repairs what matters most. The k keys at which a cluster looks "
        "most are looked at again by each of its queries: what they get together stays what the cluster "
        "gave, and each query divides it by its own scores.";
    mechanism.cost =
        "c m (d + d_v) multiply-adds per head for c clusters, n c d for each of Lloyd’s steps, and n k (d + "
        "d_v) for k exact keys. Here the map of n rows is written out, and exact scores are computed for all "
        "pairs.";
    mechanism.correction =
        "Keys are not clustered, and no query is left out: the map is full, of few different rows. Without "
        "the improvement rows of one cluster are equal. The paper finds clusters among hashes of the "
        "queries, as strings of bits, so that a distance is a count; here they are found among the queries "
        "themselves, and the first centres are queries that lie evenly in the text.";
    mechanism.equivalences = {equal_when("scaled_dot_product", "every query is a cluster",
                                         {.here = {{"clusters", Index(4096)}, {"steps", Index(1)}}}),
                              equal_when("scaled_dot_product", "all keys are looked at again",
                                         {.here = {{"exact_keys", Index(65536)}}})};
    mechanism.related = {"routing", "agent", "linformer", "reformer"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::clustered;
    compose(mechanism, spec, component_knobs(spec) + projections_knob() + source_knob());

    mechanism.example.query = "cat dog horse red blue cat king queen dog";
    mechanism.example.look_for =
        "There are three different rows at most, one for each cluster: both “cat” have the same, and so have "
        "both “dog”. Step back to the members, and then let exact keys be 2: now rows of one cluster differ "
        "where they are largest.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties.needs_whole_text = true;
    return mechanism;
}

}  // namespace headlight
