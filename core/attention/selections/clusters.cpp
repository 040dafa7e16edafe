#include "core/attention/component.h"
#include "core/attention/selected_keys.h"
#include "core/attention/selections/kept_pairs.h"
#include "core/attention/vector_length.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

Index clusters(const Plan& plan) { return plan.selection().count("clusters"); }

/// How many of so many tokens a cluster takes.
Index share(const Plan& plan, Index tokens) {
    const Index given = plan.selection().count("members");
    return given > 0 ? given : parts_of_size(tokens, clusters(plan));
}

/// The cosine of the angle between two vectors, given by their directions, to a millionth, so that parallel
/// vectors are equal and their order decides, not rounding; 0 for a vector of length 0.
double affinity(const double* vector, const double* centroid, Index width) {
    return std::round(1e6 * dot(vector, centroid, width)) / 1e6;
}

/// Returns the directions of the centroids, [clusters, d_k].
std::vector<double> directions(const Tensor& centroids) {
    const Index width = centroids.cols();
    std::vector<double> made(static_cast<std::size_t>(centroids.size()));
    for (Index cluster = 0; cluster < centroids.rows(); ++cluster)
        write_direction(centroids.data() + cluster * width, width, made.data() + cluster * width);
    return made;
}

/// Who belongs to whom, for one head's queries or one kv head's keys.
struct Members {
    std::vector<double> affinities;     ///< [tokens, clusters]
    std::vector<std::uint8_t> belongs;  ///< [cluster, tokens]
};

template <class Real>
void add_clusters_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    struct State {
        std::vector<Members> queries;  ///< [h]
        std::vector<Members> keys;     ///< [g]
        std::vector<std::uint8_t> real_keys;
        std::vector<double> centroids;  ///< their directions
    };
    const auto state = std::make_shared<State>();
    state->queries.resize(static_cast<std::size_t>(plan.heads));
    state->keys.resize(static_cast<std::size_t>(plan.kv_heads));
    state->real_keys = real_keys(plan);
    state->centroids = directions(plan.parameter("centroids"));
    const auto& operands = pipeline.operands;
    const Index count = clusters(plan);

    /// Each cluster takes the tokens nearest to its centroid among those that are real.
    const auto gather = [state, count, width = plan.head_key_width(),
                         &plan](Members& members, Index tokens, const auto& vector, const auto& is_real) {
        members.affinities.resize(static_cast<std::size_t>(tokens * count));
        members.belongs.resize(members.affinities.size());
        std::vector<double> direction(static_cast<std::size_t>(width)),
            of_cluster(static_cast<std::size_t>(tokens));
        Index real = 0;
        for (Index token = 0; token < tokens; ++token) {
            Interruption::check();
            real += is_real(token);
            write_direction(vector(token), width, direction.data());
            for (Index cluster = 0; cluster < count; ++cluster)
                members.affinities[static_cast<std::size_t>(token * count + cluster)] =
                    affinity(direction.data(), state->centroids.data() + cluster * width, width);
        }
        for (Index cluster = 0; cluster < count; ++cluster) {
            Interruption::check();
            for (Index token = 0; token < tokens; ++token)
                of_cluster[static_cast<std::size_t>(token)] =
                    is_real(token) ? members.affinities[static_cast<std::size_t>(token * count + cluster)]
                                   : -std::numeric_limits<double>::infinity();
            keep_largest(
                of_cluster, share(plan, real),
                std::span(members.belongs)
                    .subspan(static_cast<std::size_t>(cluster * tokens), static_cast<std::size_t>(tokens)));
        }
    };

    pipeline.prepare.push_back([=, &plan, &operands](Index head, const Recorder& record) {
        Members& queries = state->queries[static_cast<std::size_t>(head)];
        gather(
            queries, plan.queries, [&](Index token) { return operands.compared_query(head).row(token); },
            [](Index) { return true; });
        record.write("query_affinities", head * plan.queries * count, queries.affinities.data(),
                     std::ssize(queries.affinities));
        if (!is_first_of_its_keys(plan, head))
            return;
        const Index kv_head = plan.kv_head(head);
        Members& keys = state->keys[static_cast<std::size_t>(kv_head)];
        gather(
            keys, plan.keys, [&](Index token) { return operands.compared_key(kv_head).row(token); },
            [&](Index key) { return state->real_keys[static_cast<std::size_t>(key)] != 0; });
        record.write("key_affinities", kv_head * plan.keys * count, keys.affinities.data(),
                     std::ssize(keys.affinities));
    });

    pipeline.select.push_back([=, &plan](const ScoreRow<Real>& row, const Recorder&) {
        thread_local std::vector<std::uint8_t> chosen;
        chosen.assign(static_cast<std::size_t>(row.size), 0);
        const Members& queries = state->queries[static_cast<std::size_t>(row.head)];
        const Members& keys = state->keys[static_cast<std::size_t>(plan.kv_head(row.head))];
        for (Index cluster = 0; cluster < count; ++cluster) {
            if (!queries.belongs[static_cast<std::size_t>(cluster * plan.queries + row.query)])
                continue;
            const std::uint8_t* belongs = keys.belongs.data() + cluster * plan.keys;
            for (Index key = 0; key < row.size; ++key)
                chosen[static_cast<std::size_t>(key)] |= belongs[key];
        }
        forbid_others(row, chosen);
    });
}

std::optional<Expression> define_clusters(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Expression centroids = direction_of(composer, "centroid", composer.parameter("centroids"));
    const std::vector<std::uint8_t> real = real_keys(plan);
    const auto members = [&](const std::string& name, const Expression& x, bool is_key) {
        const Index tokens = x.extent().rows;
        const Index counting = is_key ? std::ranges::count(real, 1) : tokens;
        const Expression cosines =
            product_transposed(centroids, direction_of(composer, name + "_cluster", x));
        Expression affinity = floor_of(1e6 * cosines + 0.5) / 1e6;  // what differs by less counts as equal
        if (is_key && counting < tokens)
            affinity = choose(
                composer.truth("real_keys", {0, 1, tokens}, "keys that some query sees",
                               [real](Index, Index key) { return real[static_cast<std::size_t>(key)] != 0; }),
                affinity, minus_infinity());
        const Expression affinities = composer.let(name + "_cosines", affinity, "cosines, to a millionth");
        const Expression ranks = composer.let(name + "_ranks", rank_of(affinities));
        const auto taken = static_cast<double>(share(plan, counting));
        return composer.let(name + "_members", as_number(is_above(taken, ranks)),
                            "1 where a cluster takes a token");
    };
    const Expression queries = members("query", composer.query, false);
    const Expression keys = members("key", composer.key, true);
    const Expression together =
        composer.let("shared_clusters", product(transposed(queries), keys), "clusters that take both");
    return and_allowed(composer, is_above(together, 0));
}

}  // namespace

SelectionComponent declare_selections_clusters() {
    SelectionComponent component;
    component.meaning =
        "keys in a cluster with the query: every centroid takes the queries and the keys nearest to it by "
        "cosine, as many of each as are set, of equal ones the first; a token may be in several "
        "clusters or in none (Routing Transformer, Roy et al. 2021)";
    component.options = {count_option("clusters", "Clusters", 3, {1, 4096},
                                      "How many centroids there are; the paper takes about √n."),
                         count_option("members", "Members", 0, {0, 65536},
                                      "How many queries, and how many keys, each centroid takes: with c "
                                      "clusters a query sees at most c × members keys.",
                                      "an equal share")};
    component.known_parameters = {
        {"centroids", "[clusters, d_k] per head, shared by the heads", "the middles of the clusters"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("centroids", {clusters(plan), plan.head_key_width()});
    };
    component.check = [](const Plan& plan) { require_one_width(plan, "clusters"); };
    component.couples_queries = always;
    component.stages = [](const Plan& plan, StageList& list) {
        list.add_vectors("query_affinities", Axis::query, clusters(plan));
        list.add_vectors("key_affinities", Axis::key, clusters(plan));
    };
    component.copies_parameters = false;
    component.memory = [](const Plan& plan, const RunNeeds&) {
        const double tokens = elements(plan.heads, plan.queries) + elements(plan.kv_heads, plan.keys);
        const Index width = plan.head_key_width();
        return StepMemory{.kept = tokens * elements(clusters(plan)) * (sizeof(double) + 1) +
                                  elements(clusters(plan), width, sizeof(double)),
                          .working = elements(2 * std::max(plan.queries, plan.keys) + width, sizeof(double))};
    };
    component.declared_stages = {
        made_stage("query_affinities", "Queries and centroids", {},
                   {.column = "cluster", .said = "cosine of the query with the centroid of each cluster"}),
        made_stage("key_affinities", "Keys and centroids", {},
                   {.column = "cluster", .said = "cosine of the key with the centroid of each cluster"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_clusters_steps(plan, pipeline); };
    component.define = define_clusters;
    return component;
}

}  // namespace headlight
