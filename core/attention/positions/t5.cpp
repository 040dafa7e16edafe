#include "core/attention/component.h"
#include "core/attention/position_bias.h"
#include "core/attention/positions/pair_places.h"
#include "core/attention/positions/t5_buckets.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

T5Buckets buckets(const Plan& plan) {
    const Options& options = plan.spec.position.options;
    return {option<Index>(options, "buckets"), option<Index>(options, "max_distance"),
            option<bool>(options, "bidirectional")};
}

void check_t5(const Plan& plan) {
    const T5Buckets given = buckets(plan);
    if (given.is_bidirectional && given.all % 2 != 0)
        throw Error({"t5 positions", "position.buckets", "an even number, half for each direction",
                     std::to_string(given.all)});
    if (given.max_distance <= given.exact())
        throw Error(
            {"t5 positions", "position.max_distance",
             "more than the " + std::to_string(given.exact()) + " distances with a bucket of their own",
             std::to_string(given.max_distance)});
}

void add_t5_steps(const Plan& plan, auto& pipeline) {
    using Real = std::remove_cvref_t<decltype(*pipeline.operands.vector(""))>;
    const T5Buckets bucket = buckets(plan);
    const Tensor& table = plan.parameter("relative_bias");
    const Index distances = plan.queries + plan.keys - 1;
    // [head, j - i + n - 1]: rows read along it.
    Real* biases = pipeline.operands.allocate(plan.heads * distances);
    for (Index head = 0; head < plan.heads; ++head)
        for (Index at = 0; at < distances; ++at)
            biases[head * distances + at] = static_cast<Real>(table(bucket(at - plan.queries + 1), head));
    add_position_bias(plan, pipeline, [biases, distances, n = plan.queries](const auto& row, Real* numbers) {
        std::copy_n(biases + row.head * distances + n - 1 - row.query, row.size, numbers);
    });
}

Expression define_t5(Composer& composer, const Expression&) {
    const T5Buckets bucket = buckets(composer.plan);
    const Expression table = composer.let(
        "bias_of_buckets", split_rows(transposed(composer.parameter("relative_bias")), composer.heads),
        "a number for each bucket of distances");
    const Index n = composer.plan.queries, m = composer.plan.keys;
    return pick(table, {1, 1, {0}},
                places_of(n, m, [=](Index query, Index key) { return bucket(key - query); }));
}

}  // namespace

PositionComponent declare_positions_t5() {
    PositionComponent component;
    component.meaning =
        "s + b_h[bucket(j − i)]: a learned number for each bucket of distances, narrow ones near, "
        "wide ones far (Raffel et al. 2020)";
    component.options = {
        {.name = "buckets",
         .label = "Buckets",
         .standard = Index(32),
         .minimum = 4,
         .maximum = 1024,
         .logarithmic = true,
         .help = "Rows of the table; half of them hold one distance each, the others ever wider ranges."},
        {.name = "max_distance",
         .label = "Largest distance",
         .standard = Index(128),
         .minimum = 2,
         .maximum = 65536,
         .logarithmic = true,
         .help = "From here on every distance shares the last bucket."},
        {.name = "bidirectional",
         .label = "Both directions",
         .standard = true,
         .help =
             "Half of the buckets for keys after the query; otherwise those share the bucket of distance 0, "
             "as in a decoder."},
    };
    component.known_parameters = {
        {"relative_bias", {}, "[buckets, h]: the bias of each bucket of distances, for each head (t5)"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("relative_bias", {buckets(plan).all, plan.heads},
                 "is added to the scores, by bucket of distance");
    };
    component.check = check_t5;
    component.has_bias = true;
    component.copies_parameters = false;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return StepMemory{.kept = elements(plan.heads, plan.queries + plan.keys) * needs.real};
    };
    component.steps = [](const Plan& plan, auto& pipeline) { add_t5_steps(plan, pipeline); };
    component.define_bias = define_t5;
    return component;
}

}  // namespace headlight
