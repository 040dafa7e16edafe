#include "core/attention/algorithms/low_rank.h"
#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

Index landmarks(const Plan& plan, Index end) {
    return std::min({plan.algorithm().count("landmarks"), plan.queries, end});
}
Index iterations(const Plan& plan) { return plan.algorithm().count("iterations"); }

/// Largest of the sums of absolute values over rows.
double norm(MatrixView<const double> matrix) {
    double largest = 0;
    for (Index r = 0; r < matrix.rows; ++r) {
        double sum = 0;
        for (Index c = 0; c < matrix.columns; ++c)
            sum += std::abs(matrix(r, c));
        largest = std::max(largest, sum);
    }
    return largest;
}

/// factor I - a
Tensor identity_minus(double factor, const Tensor& a) {
    Tensor result = a;
    for (double& value : result.values())
        value = -value;
    for (Index i = 0; i < a.rows(); ++i)
        result(i, i) += factor;
    return result;
}

double largest_entry(const Tensor& matrix) {
    double largest = 0;
    for (const double value : matrix.values())
        largest = std::max(largest, std::abs(value));
    return largest;
}

/// Z <- Z (13 I - AZ (15 I - AZ (7 I - AZ))) / 4 from A^T / (|A|_1 |A|_inf) on: towards the pseudo-inverse
/// (Xiong et al. 2021, eq. 11). The largest entry of A Z - I before each step and at the end is recorded.
Tensor pseudo_inverse(const Tensor& a, Index steps, const Recorder& record, Index head) {
    Tensor z = copy_of(a.view().transposed());
    const double size = norm(a.view()) * norm(z.view());
    for (double& value : z.values())
        value /= size;
    for (Index step = 0;; ++step) {
        const Tensor az = product(a, z);
        const double residual = largest_entry(identity_minus(1, az));
        record.write("residuals", head * (steps + 1) + step, &residual, 1);
        if (step == steps)
            return z;
        const Tensor inner = identity_minus(15, product(az, identity_minus(7, az)));
        z = product(z, identity_minus(13, product(az, inner)));
        for (double& value : z.values())
            value /= 4;
    }
}

template <class Real>
void run_nystrom(const Plan& plan, const HeadTask<Real>& task, const Recorder& record) {
    const Index end = plan.allowed.end(0), count = landmarks(plan, end);
    const MatrixView<const Real> queries = task.query, keys = task.key.row_range(0, end);
    if (count == 0) {
        write_context(task, Tensor({plan.queries, plan.head_value_width()}));
        if (task.wants_weights())
            write_weights(task, Tensor({plan.queries, 0}));
        return;
    }
    const Tensor query_landmarks = product(segment_means(count, plan.queries), queries);
    const Tensor key_landmarks = product(segment_means(count, end), keys);
    const Tensor to_landmarks = soft_similarities(queries, key_landmarks);
    const Tensor core = soft_similarities(query_landmarks, key_landmarks);
    const Tensor from_landmarks = soft_similarities(query_landmarks, keys);
    const Tensor inverse = pseudo_inverse(core, iterations(plan), record, task.head);
    const Tensor left = product(to_landmarks, inverse);
    write_context(task, product(left, product(from_landmarks, task.value.row_range(0, end))));
    record_matrix(record, "query_landmarks", task.head, query_landmarks);
    record_matrix(record, "key_landmarks", task.head, key_landmarks);
    record_matrix(record, "to_landmarks", task.head, to_landmarks);
    record_matrix(record, "landmark_weights", task.head, core);
    record_matrix(record, "landmark_inverse", task.head, inverse);
    for (Index r = 0; r < count; ++r)
        record.write("from_landmarks", (task.head * count + r) * plan.keys, from_landmarks.row(r).data(),
                     end);
    if (task.wants_weights())
        write_weights(task, product(left, from_landmarks));
}

/// Through landmarks, with the pseudo-inverse of their map by iteration.
Expression define_nystrom(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index real = plan.allowed.end(0), count = landmarks(plan, real);
    const Expression root = root_of_head_width(composer);
    const Expression queries =
        composer.let("landmarks_of_queries",
                     product(means_of_segments(composer, "query_segments", count, plan.queries, plan.queries),
                             composer.query));
    const Expression keys = composer.let(
        "landmarks_of_keys",
        product(means_of_segments(composer, "key_segments", count, real, plan.keys), composer.key));
    const Expression to =
        softmax_of(composer, "towards_landmarks", product_transposed(composer.query, keys) / root);
    const Expression map = softmax_of(composer, "landmark_map", product_transposed(queries, keys) / root);
    const Expression from =
        softmax_of(composer, "away_from_landmarks",
                   scores_of_real_keys(composer, product_transposed(queries, composer.key) / root));
    const auto identity = [&](double factor) { return factor * unit_matrix(composer, count); };
    const Expression size = maximum_of_rows(sum_of_columns(map)) * maximum_of_columns(sum_of_rows(map));
    const Expression inverse =
        composer.let("inverse", transposed(map) / size, "towards the inverse of the landmarks’ map");
    composer.program.repeat(iterations(plan), [&] {
        const Expression az = composer.let("az", product(map, inverse));
        const Expression first = composer.let("first_factor", identity(7) - az);
        const Expression second = composer.let("second_factor", identity(15) - product(az, first));
        const Expression third = composer.let("third_factor", identity(13) - product(az, second));
        composer.let("inverse", product(inverse, third) / 4);
    });
    const Expression left = composer.let("left_factor", product(to, inverse));
    return write_attended_values(composer,
                                 composer.let("weights", product(left, from), "through the landmarks"));
}

}  // namespace

AlgorithmComponent declare_algorithms_nystrom() {
    AlgorithmComponent component;
    component.meaning =
        "A ≈ softmax(Q K̃ᵀ) softmax(Q̃ K̃ᵀ)⁺ softmax(Q̃ Kᵀ), Q̃ and K̃ means of segments (Xiong et al. "
        "2021); entries may be negative";
    component.options = {
        count_option("landmarks", "Landmarks", 4, logarithmic_range(1, 1024),
                     "How many means stand for the queries and for the keys; no more than there are."),
        count_option("iterations", "Iterations", 6, {1, 100},
                     "Steps towards the pseudo-inverse of the map between landmarks; 6 are often too few.")};
    component.needs_one_end = true;
    component.stages = [](const Plan& plan, StageList& list) {
        using enum Axis;
        const Index h = plan.heads, l = landmarks(plan, plan.allowed.end(0));
        if (l == 0)
            return;
        list.add("query_landmarks", {head, feature, feature}, {h, l, plan.head_query_width()});
        list.add("key_landmarks", {head, feature, feature}, {h, l, plan.head_key_width()});
        list.add_vectors("to_landmarks", query, l);
        list.add("landmark_weights", {head, feature, feature}, {h, l, l});
        list.add("from_landmarks", {head, feature, key}, {h, l, plan.keys});
        list.add("residuals", {head, feature}, {h, iterations(plan) + 1});
        list.add("landmark_inverse", {head, feature, feature}, {h, l, l});
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        const Index l = landmarks(plan, plan.keys), n = plan.queries, m = plan.keys;
        const Index d = plan.head_key_width(), d_v = plan.head_value_width();
        const double factors = elements(l, 3 * n + 2 * m + 8 * l + 2 * d + d_v) + elements(n, d_v);
        const double weights = needs.forms_weights ? elements(n, m) + most_product_room(l, m) : 0;
        const double packed = std::max({product_room(std::max(n, m), d), product_room(m, d_v),
                                        similarities_room(m, d), most_product_room(l, l)});
        return StepMemory{.working = (factors + weights + packed) * sizeof(double)};
    };
    component.declared_stages = {
        made_stage("query_landmarks", "Query landmarks", {}, {.row = "landmark"}),
        made_stage("key_landmarks", "Key landmarks", {}, {.row = "landmark"}),
        made_stage("to_landmarks", "Weights of the key landmarks", {},
                   {.column = "landmark", .is_share = true}),
        made_stage("landmark_weights", "Weights between landmarks", {},
                   {.row = "landmark", .column = "landmark", .is_share = true}),
        made_stage("from_landmarks", "Weights of the query landmarks", {},
                   {.row = "landmark", .is_share = true}),
        made_stage("residuals", "Residuals of the inverse", {},
                   {.column = "step",
                    .said = "largest entry of A Z − I after as many steps, A the landmark weights"}),
        made_stage("landmark_inverse", "Inverse between landmarks", {},
                   {.row = "landmark", .column = "landmark"})};
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.algorithm = [&plan](const auto& task, const Recorder& record) {
            run_nystrom(plan, task, record);
        };
    };
    component.cost = [](const Plan& plan) {
        const auto both = static_cast<double>(plan.head_key_width() + plan.head_value_width());
        const auto l = static_cast<double>(landmarks(plan, plan.allowed.end(0)));
        const auto n = static_cast<double>(plan.queries), tokens = n + static_cast<double>(plan.keys);
        const double inverse = 4 * static_cast<double>(iterations(plan)) * l * l * l;
        const auto heads = static_cast<double>(plan.heads);
        return AlgorithmCost{.multiply_adds = heads * (l * tokens * both + n * l * l + inverse),
                             .map_numbers = heads * l * (tokens + l)};
    };
    component.define = define_nystrom;
    return component;
}

}  // namespace headlight
