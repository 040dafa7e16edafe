#include "core/attention/composer.h"
#include "core/attention/scores/energy_parameters.h"
#include "core/attention/scores/energy_rows.h"
#include "core/attention/work.h"

namespace headlight {
namespace {

Index layers_of(const Plan& plan) { return plan.score().count("layers"); }
bool compares(const Plan& plan) { return plan.score().word("features") == "all"; }

/// Rows [first, first + rows) of W, plus or minus `other` ones.
template <class Real>
kernels::Packed<Real> rows_of_first_layer(const Plan& plan, Operands<Real>& operands, Index first, Index rows,
                                          Index other = 0, double sign = 0) {
    const Tensor& W = plan.parameter("W");
    const Index d_a = plan.attention_width;
    std::vector<Real> part;
    for (Index r = 0; r < rows; ++r)
        for (Index a = 0; a < d_a; ++a)
            part.push_back(static_cast<Real>(W(first + r, a) + (sign == 0 ? 0 : sign * W(other + r, a))));
    return operands.table().pack(row_major<const Real>(part.data(), rows, d_a),
                                 operands.allocate(kernels::packed_size<Real>(rows, d_a)));
}

/// What does not split into a query's and a key's side: the products q ∘ k, and layers after the first.
template <class Real>
class DeepRows {
public:
    DeepRows(const Plan& plan, Operands<Real>& operands)
        : plan_(plan), table_(operands.table()), rows_(plan, operands) {
        const Index d = plan.head_key_width(), d_a = plan.attention_width;
        std::copy_n(operands.vector("v"), d_a, rows_.weights());
        const double both = compares(plan) ? 1 : 0;  // (q - k) W = q W - k W
        for_query_ = rows_of_first_layer(plan, operands, 0, d, 2 * d, both);
        for_key_ = rows_of_first_layer(plan, operands, d, d, 2 * d, -both);
        if (compares(plan))
            for_product_ = rows_of_first_layer(plan, operands, 3 * d, d);
        bias_ = operands.vector("b", plan.spec.score.bias);
        for (Index layer = 1; layer < layers_of(plan); ++layer) {
            const Tensor& all = plan.parameter("W_deep");
            std::vector<Real> part;
            for (Index i = (layer - 1) * d_a * d_a; i < layer * d_a * d_a; ++i)
                part.push_back(static_cast<Real>(all[i]));
            deep_.push_back(operands.table().pack(row_major<const Real>(part.data(), d_a, d_a),
                                                  operands.allocate(kernels::packed_size<Real>(d_a, d_a))));
        }
        zero_ = operands.allocate(rows_.width());
    }

    void prepare(Index head) { rows_.project(head, for_query_, bias_, for_key_); }

    void score(const ScoreRow<Real>& row, const Recorder& record) {
        const Activation activation = plan_.spec.score.activation;
        const Index width = rows_.width(), size = row.size;
        static thread_local std::vector<Real> sides, products, next;
        const Real* right = rows_.right(row.head).data;
        if (compares(plan_)) {
            sides.assign(static_cast<std::size_t>(size * width), Real(0));
            add_products(row, products, row_major(sides.data(), size, width));
            for (Index i = 0; i < size * width; ++i)
                sides[static_cast<std::size_t>(i)] += right[i];
            right = sides.data();
        }
        if (deep_.empty())
            return rows_.score(row, right, activation, record);
        const Real* left = rows_.left(row.head).row(row.query);
        next.resize(static_cast<std::size_t>(size * width));
        for (Index key = 0; key < size; ++key)
            for (Index a = 0; a < width; ++a)
                next[static_cast<std::size_t>(key * width + a)] = left[a] + right[key * width + a];
        for (const auto& layer : deep_) {
            table_.activate(activation, next.data(), std::ssize(next));
            sides.assign(static_cast<std::size_t>(size * width), Real(0));
            rows_.multiply(row_major<const Real>(next.data(), size, width), layer, nullptr,
                           row_major(sides.data(), size, width));
            std::swap(next, sides);
        }
        rows_.score(row, zero_, next.data(), activation, record);
    }

private:
    /// (q ∘ k) W for every key.
    void add_products(const ScoreRow<Real>& row, std::vector<Real>& products, MatrixView<Real> to) {
        const Index d = plan_.head_key_width();
        const MatrixView<const Real> keys = rows_.key(row.head), queries = rows_.query(row.head);
        const Real* query = queries.row(row.query);
        products.resize(static_cast<std::size_t>(row.size * d));
        for (Index key = 0; key < row.size; ++key)
            for (Index c = 0; c < d; ++c)
                products[static_cast<std::size_t>(key * d + c)] = query[c] * keys.row(key)[c];
        rows_.multiply(row_major<const Real>(products.data(), row.size, d), for_product_, nullptr, to);
    }

    const Plan& plan_;
    const kernels::Table<Real>& table_;
    EnergyRows<Real> rows_;
    kernels::Packed<Real> for_query_, for_key_, for_product_;
    std::vector<kernels::Packed<Real>> deep_;
    const Real* bias_ = nullptr;
    Real* zero_ = nullptr;
};

template <class Real>
void add_mlp_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const auto rows = std::make_shared<DeepRows<Real>>(plan, pipeline.operands);
    pipeline.prepare.push_back([rows](Index head, const Recorder&) { rows->prepare(head); });
    pipeline.score = [rows](const ScoreRow<Real>& row, const Recorder& record) { rows->score(row, record); };
}

/// All pairs one below another, [h, n m, features], to a map [h, n, m].
Expression map_of_pairs(const Composer& composer, const Expression& pairs) {
    const Index n = composer.plan.queries, m = composer.plan.keys;
    return pick(pairs, {n, m, counted(0, n * m)}, {1, 1, {0}});
}

/// Queries or keys, each as often as it meets another: [h, n m, d].
Expression rows_of_pairs(Composer& composer, const std::string& name, const Expression& x, bool is_key) {
    const Index n = composer.plan.queries, m = composer.plan.keys;
    std::vector<Index> rows;
    for (Index pair = 0; pair < n * m; ++pair)
        rows.push_back(is_key ? pair % m : pair / m);
    return composer.let(name, some_rows(x, rows), "one row for each pair");
}

Expression define_mlp_scores(Composer& composer) {
    const Score& score = composer.plan.spec.score;
    const Expression q = rows_of_pairs(composer, "query_of_pair", composer.query, false);
    const std::vector<Index> shared_key(static_cast<std::size_t>(composer.plan.heads), 0);
    const bool is_shared = composer.plan.kv_heads == 1 && composer.heads > 1;
    const Expression key = is_shared ? take_heads(composer.key, shared_key) : composer.key;
    const Expression k = rows_of_pairs(composer, "key_of_pair", key, true);
    std::vector<Expression> features{q, k};
    if (compares(composer.plan)) {
        features.push_back(composer.let("difference_of_pair", q - k));
        features.push_back(composer.let("product_of_pair", q * k));
    }
    const Expression seen = composer.let("features_of_pair", join_columns(features), "what the network sees");
    const Expression first = composer.projected(seen, "W");
    const Index layers = layers_of(composer.plan);
    const auto name_of = [layers](const std::string& number) {
        return number == std::to_string(layers) ? "energy" : "hidden_" + number;
    };
    Expression hidden = composer.let(
        name_of("1"), activated(score.activation, score.bias ? first + composer.parameter("b") : first),
        "the first hidden layer");
    const Index units = hidden.extent().columns;
    for (Index layer = 1; layer < layers; ++layer) {
        const std::string number = std::to_string(layer + 1);
        const Expression weights =
            composer.let("W_hidden_" + number,
                         some_rows(composer.parameter("W_deep"), counted((layer - 1) * units, units)));
        hidden = composer.let(name_of(number), activated(score.activation, product(hidden, weights)),
                              "another hidden layer");
    }
    const Expression scores = composer.let(
        "score_of_pair", product_transposed(hidden, composer.parameter("v")), "one number for each pair");
    return map_of_pairs(composer, scores);
}

}  // namespace

ScoreComponent declare_scores_mlp() {
    ScoreComponent component;
    component.meaning = "v · act(… act([q; k; q − k; q ∘ k] W + b) …): a network of any depth scores each "
                        "pair; with one layer on [q; k] it is the concat score";
    component.options = {
        word_option("features", "Features of a pair", {"all", "pair"},
                    "What the network sees: [q; k; q − k; q ∘ k], or [q; k] alone."),
        count_option("layers", "Hidden layers", 2, {1, 16},
                     "How many hidden layers of d_a units there are before v."),
    };
    component.known_parameters = {
        {"W", "[4 d_k, d_a] per head, or [2 d_k, d_a] for the features of query and key alone",
         "projects the features of a pair to the first layer"},
        {"b", "[d_a]", "is added to the first layer before its activation"},
        {"W_deep", "[(layers − 1) d_a, d_a]", "the hidden layers after the first, one below another"},
        {"v", "[d_a]", "weighs the last layer to one score"},
    };
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index d = plan.head_key_width(), d_a = plan.attention_width;
        list.add("W", {(compares(plan) ? 4 : 2) * d, d_a});
        if (plan.spec.score.bias)
            list.add("b", {d_a});
        if (layers_of(plan) > 1)
            list.add("W_deep", {(layers_of(plan) - 1) * d_a, d_a});
        list.add("v", {d_a});
    };
    component.has_activation = true;
    component.attention_width = given_attention_width;
    component.multiply_adds = [](const Plan& plan) {
        const Index d = plan.head_key_width(), d_a = plan.attention_width;
        const Index of_pair = (compares(plan) ? d * (d_a + 1) : 0) + (layers_of(plan) - 1) * d_a * d_a;
        return work_of_energies(plan) + work_of_pairs(plan, of_pair);
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        StepMemory memory = energy_rows_memory(plan, needs);
        const Index width = kernels::packed_size<double>(1, plan.attention_width);
        const Index widths = (layers_of(plan) > 1 ? 2 : 1) * width + plan.head_key_width();
        memory.working = elements(plan.keys, widths) * needs.real;
        return memory;
    };
    component.steps = [](const Plan& plan, auto& pipeline) { add_mlp_steps(plan, pipeline); };
    component.define = define_mlp_scores;
    return component;
}

}  // namespace headlight
