#include "core/attention/component.h"
#include "core/attention/selected_keys.h"
#include "core/attention/selections/kept_pairs.h"
#include "core/tensor/interruption.h"

#include <memory>

namespace headlight {
namespace {

/// argmax([x R; -x R]) over the columns of R that belong to the round: a vector's bucket depends on its
/// direction alone, and near directions often share one (Andoni et al. 2015).
template <class Real>
Index bucket_of(const Real* vector, Index width, const Tensor& rotations, Index round, Index directions) {
    Index best = 0;
    double largest = -std::numeric_limits<double>::infinity();
    for (Index side = 0; side < 2; ++side)
        for (Index i = 0; i < directions; ++i) {
            double product = 0;
            for (Index c = 0; c < width; ++c)
                product += static_cast<double>(vector[c]) * rotations(c, round * directions + i);
            if (side == 1)
                product = -product;
            if (product > largest) {
                largest = product;
                best = side * directions + i;
            }
        }
    return best;
}

struct Hashing {
    explicit Hashing(const Plan& plan)
        : directions(option<Index>(plan.spec.selection.options, "directions")),
          rounds(option<Index>(plan.spec.selection.options, "rounds")) {}
    Index directions, rounds;
};

template <class Real>
void add_hashing_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const Hashing hashing(plan);
    if (hashing.directions == 0)
        return;
    struct Buckets {
        std::vector<Index> of_query;  ///< [h, n, rounds]
        std::vector<Index> of_key;    ///< [g, m, rounds]
    };
    const auto buckets = std::make_shared<Buckets>();
    buckets->of_query.resize(static_cast<std::size_t>(plan.heads * plan.queries * hashing.rounds));
    buckets->of_key.resize(static_cast<std::size_t>(plan.kv_heads * plan.keys * hashing.rounds));
    const auto& operands = pipeline.operands;

    pipeline.prepare.push_back([=, &plan, &operands](Index head, const Recorder& record) {
        const Tensor& rotations = plan.parameter("rotations");
        const auto fill = [&](std::vector<Index>& to, Index first, Index tokens, const auto& vector,
                              const char* stage) {
            for (Index token = 0; token < tokens; ++token) {
                Interruption::check();
                for (Index round = 0; round < hashing.rounds; ++round)
                    to[static_cast<std::size_t>(first + token * hashing.rounds + round)] =
                        bucket_of(vector(token), plan.head_key_width(), rotations, round, hashing.directions);
            }
            record.write(stage, first, to.data() + first, tokens * hashing.rounds);
        };
        fill(
            buckets->of_query, head * plan.queries * hashing.rounds, plan.queries,
            [&](Index token) { return operands.compared_query(head).row(token); }, "query_buckets");
        const Index kv_head = plan.kv_head(head);
        if (is_first_of_its_keys(plan, head))
            fill(
                buckets->of_key, kv_head * plan.keys * hashing.rounds, plan.keys,
                [&](Index token) { return operands.compared_key(kv_head).row(token); }, "key_buckets");
    });

    pipeline.select.push_back([=, &plan](const ScoreRow<Real>& row, const Recorder&) {
        const Index* query =
            buckets->of_query.data() + (row.head * plan.queries + row.query) * hashing.rounds;
        const Index* key = buckets->of_key.data() + plan.kv_head(row.head) * plan.keys * hashing.rounds;
        for (Index j = 0; j < row.size; ++j, key += hashing.rounds) {
            bool meets = false;
            for (Index round = 0; round < hashing.rounds; ++round)
                meets |= query[round] == key[round];
            if (!meets)
                row.values[j] = -std::numeric_limits<Real>::infinity();
        }
    });
}

/// One-hot rows of the largest number of each row, the first of equal ones.
Expression largest_of_row(Composer& composer, const std::string& name, const Expression& x) {
    const Expression is_largest =
        composer.let(name + "_largest", as_number(is_equal(x, maximum_of_columns(x))));
    return composer.let(name, as_number(is_equal(is_largest * cumulative_sum(is_largest), 1)),
                        "1 in the column of the bucket");
}

std::optional<Expression> define_hashing(Composer& composer, const Expression&) {
    const Hashing hashing(composer.plan);
    if (hashing.directions == 0)
        return {};
    const Expression R = composer.parameter("rotations");
    std::optional<Expression> together;
    for (Index round = 0; round < hashing.rounds; ++round) {
        const std::string number = std::to_string(round + 1);
        const Expression own = composer.let(
            "rotations_" + number, some_columns(R, counted(round * hashing.directions, hashing.directions)));
        const auto buckets = [&](const std::string& name, const Expression& x) {
            const Expression along = composer.let(name + "_turned_" + number, product(x, own));
            const Expression ends = composer.let(name + "_ends_" + number, join_columns({along, -along}),
                                                 "both ends of each direction");
            return largest_of_row(composer, name + "_bucket_" + number, ends);
        };
        const Expression same =
            product_transposed(buckets("query", composer.query), buckets("key", composer.key));
        const Expression named =
            composer.let("same_bucket_" + number, same, "1 where both fall into one bucket");
        together = together ? *together + named : named;
    }
    return and_allowed(composer, is_above(*together, 0));
}

}  // namespace

SelectionComponent declare_selections_hashing() {
    SelectionComponent component;
    component.type = SelectionType::hashing;
    component.word = "hashing";
    component.meaning = "keys that share a bucket with the query in some round; the bucket is argmax([x R; "
                        "−x R]) for random R (the hash of Reformer, Kitaev et al. 2020)";
    component.options = {
        {.name = "directions",
         .label = "Directions",
         .standard = Index(2),
         .minimum = 0,
         .maximum = 1024,
         .help = "Columns of R in each round: there are twice as many buckets, one for each end of each.",
         .minimum_word = "one bucket"},
        {.name = "rounds",
         .label = "Rounds",
         .standard = Index(1),
         .minimum = 1,
         .maximum = 64,
         .help = "How many hashes with an R of their own; one bucket in common is enough."}};
    component.known_parameters = {
        {"rotations",
         {},
         "[d_k, rounds × directions] per head, shared by the heads: the directions that a hash compares a "
         "query or key with"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Hashing hashing(plan);
        if (hashing.directions > 0)
            list.add("rotations", {plan.head_key_width(), hashing.rounds * hashing.directions},
                     "the directions that a hash compares a query or key with");
    };
    component.check = [](const Plan& plan) { require_one_width(plan, "hashing"); };
    component.stages = [](const Plan& plan, StageList& list) {
        const Hashing hashing(plan);
        if (hashing.directions == 0)
            return;
        list.add_vectors("query_buckets", Axis::query, hashing.rounds);
        list.add_vectors("key_buckets", Axis::key, hashing.rounds);
    };
    component.copies_parameters = false;
    component.memory = [](const Plan& plan, const RunNeeds&) {
        const double tokens = elements(plan.heads, plan.queries) + elements(plan.kv_heads, plan.keys);
        return StepMemory{.kept = tokens * elements(Hashing(plan).rounds, sizeof(Index))};
    };
    const std::string bucket = "the largest of x R and −x R in each round; buckets count from 0";
    component.declared_stages = {{.name = "query_buckets", .title = "Buckets of the queries", .said = bucket},
                                 {.name = "key_buckets", .title = "Buckets of the keys", .said = bucket}};
    component.steps = [](const Plan& plan, auto& pipeline) { add_hashing_steps(plan, pipeline); };
    component.define = define_hashing;
    return component;
}

}  // namespace headlight
