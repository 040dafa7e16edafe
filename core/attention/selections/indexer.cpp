#include "core/attention/component.h"
#include "core/attention/selected_keys.h"
#include "core/attention/selections/kept_pairs.h"
#include "core/tensor/interruption.h"

#include <cmath>

namespace headlight {
namespace {

/// What the indexer makes of the tokens, shared by all heads of the attention.
struct Indexer {
    explicit Indexer(const Plan& plan)
        : heads(plan.selection().count("index_heads")), width(plan.selection().count("index_width")),
          kept(plan.selection().count("k")) {}
    Index heads, width, kept;
    std::vector<double> queries;  ///< [n, heads, width]
    std::vector<double> keys;     ///< [m, width]: one for all index heads
    std::vector<double> gates;    ///< [n, heads]
    /// What the scores of each query have lost as a power of two, [n]: products of three small numbers would
    /// vanish, and with them the order of the keys.
    std::vector<int> exponents;
};

/// Divides the numbers by a power of two, so that the largest becomes about 1; returns its exponent.
int take_exponent(std::span<double> numbers) {
    double largest = 0;
    for (const double number : numbers)
        largest = std::max(largest, std::abs(number));
    if (largest == 0 || !std::isfinite(largest))
        return 0;
    const int exponent = std::ilogb(largest);
    for (double& number : numbers)
        number = std::scalbn(number, -exponent);
    return exponent;
}

void take_exponents(Indexer& index, Index queries) {
    const auto row = [queries](std::vector<double>& all, Index query) {
        const std::size_t size = all.size() / static_cast<std::size_t>(queries);
        return std::span(all).subspan(static_cast<std::size_t>(query) * size, size);
    };
    const int of_keys = take_exponent(index.keys);
    index.exponents.clear();
    for (Index query = 0; query < queries; ++query)
        index.exponents.push_back(of_keys + take_exponent(row(index.queries, query)) +
                                  take_exponent(row(index.gates, query)));
}

/// x W of every token, row by row.
template <class Real>
std::vector<double> project(MatrixView<const Real> tokens, const Tensor& matrix) {
    std::vector<double> result(static_cast<std::size_t>(tokens.rows * matrix.cols()), 0.0);
    for (Index token = 0; token < tokens.rows; ++token) {
        Interruption::check();
        for (Index r = 0; r < matrix.rows(); ++r) {
            const auto x = static_cast<double>(tokens.row(token)[r]);
            for (Index c = 0; c < matrix.cols(); ++c)
                result[static_cast<std::size_t>(token * matrix.cols() + c)] += x * matrix(r, c);
        }
    }
    return result;
}

/// I_ts = sum_j w_tj ReLU(q_tj . k_s)
double index_score(const Indexer& index, Index query, Index key) {
    double sum = 0;
    for (Index head = 0; head < index.heads; ++head) {
        const double product = dot(index.queries.data() + (query * index.heads + head) * index.width,
                                   index.keys.data() + key * index.width, index.width);
        sum += index.gates[static_cast<std::size_t>(query * index.heads + head)] * std::max(product, 0.0);
    }
    return sum;
}

template <class Real>
void add_indexer_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const auto index = std::make_shared<Indexer>(plan);
    const auto& operands = pipeline.operands;
    pipeline.prepare.push_back([=, &plan, &operands](Index head, const Recorder& record) {
        if (head != 0)
            return;
        index->queries = project(operands.query_tokens(), plan.parameter("W_index_q"));
        index->keys = project(operands.key_tokens(), plan.parameter("W_index_k"));
        index->gates = project(operands.query_tokens(), plan.parameter("W_index_w"));
        record.write("index_query", 0, index->queries.data(), std::ssize(index->queries));
        record.write("index_key", 0, index->keys.data(), std::ssize(index->keys));
        record.write("index_gates", 0, index->gates.data(), std::ssize(index->gates));
        take_exponents(*index, plan.queries);
    });
    pipeline.select.push_back([=, &plan](const ScoreRow<Real>& row, const Recorder& record) {
        thread_local std::vector<double> scores;
        thread_local std::vector<std::uint8_t> chosen;
        scores.resize(static_cast<std::size_t>(row.size));
        chosen.resize(static_cast<std::size_t>(row.size));
        for (Index key = 0; key < row.size; ++key)
            scores[static_cast<std::size_t>(key)] = counts(plan, row.query, key)
                                                        ? index_score(*index, row.query, key)
                                                        : -std::numeric_limits<double>::infinity();
        keep_largest(scores, index->kept, chosen);
        forbid_others(row, chosen);
        const std::span<double> stage = row.head == 0 ? record.stage("index_scores") : std::span<double>();
        for (Index key = 0; key < std::ssize(stage) / plan.queries; ++key)
            stage[static_cast<std::size_t>(row.query * plan.keys + key)] =
                key < row.size ? std::scalbn(scores[static_cast<std::size_t>(key)],
                                             index->exponents[static_cast<std::size_t>(row.query)])
                               : -std::numeric_limits<double>::infinity();
    });
}

std::optional<Expression> define_indexer(Composer& composer, const Expression&) {
    const Indexer index(composer.plan);
    const Expression q = composer.let("index_query", composer.projected(composer.query_tokens, "W_index_q"));
    const Expression k = composer.let("index_key", composer.projected(composer.key_tokens, "W_index_k"));
    const Expression w = composer.let("index_gates", composer.projected(composer.query_tokens, "W_index_w"));
    std::optional<Expression> sum;
    for (Index head = 0; head < index.heads; ++head) {
        const std::string number = std::to_string(head + 1);
        const Expression own =
            composer.let("index_query_" + number, some_columns(q, counted(head * index.width, index.width)));
        const Expression products = composer.let("index_products_" + number, product_transposed(own, k));
        const Expression term = relu_of(products) * some_columns(w, {head});
        sum = sum ? *sum + term : term;
    }
    const Expression scores =
        composer.let("index_scores", composer.open_or_forbidden(*sum), "how much each key is worth a look");
    const Expression ranks = composer.let("index_ranks", rank_of(scores), "how many keys come before");
    return and_allowed(composer, is_above(static_cast<double>(index.kept), ranks));
}

}  // namespace

SelectionComponent declare_selections_indexer() {
    SelectionComponent component;
    component.reads_no_keys = true;
    component.meaning =
        "keys with the k largest index scores Σ_j w_j max(0, q_j · k) of a small attention of its own, "
        "shared by all heads; of equal ones the first (lightning indexer of DeepSeek-V3.2, 2025)";
    component.options = {count_option("k", "Keys kept", 3, token_counts,
                                      "How many keys of a row keep a weight; the model has 2048."),
                         count_option("index_heads", "Index heads", 2, {1, 128},
                                      "How many queries the index has for each token; they share one key."),
                         count_option("index_width", "Index width", 4, {1, 512},
                                      "How many numbers the queries and keys of the index have.")};
    component.known_parameters = {
        {"W_index_q", "[d_q, heads × width of the index]",
         "projects token vectors to the queries of the index"},
        {"W_index_k", "[d_k, width of the index]", "projects token vectors to the keys of the index"},
        {"W_index_w", "[d_q, heads of the index]",
         "projects token vectors to the weights of the index’s heads"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Indexer index(plan);
        list.add("W_index_q", {plan.tokens.query_width, index.heads * index.width});
        list.add("W_index_k", {plan.tokens.key_width, index.width});
        list.add("W_index_w", {plan.tokens.query_width, index.heads});
    };
    component.stages = [](const Plan& plan, StageList& list) {
        const Indexer index(plan);
        list.add_rows("index_query", Axis::query, index.heads * index.width);
        list.add_rows("index_key", Axis::key, index.width);
        list.add_rows("index_gates", Axis::query, index.heads);
        list.add("index_scores", {Axis::query, Axis::key}, {plan.queries, plan.keys});
    };
    component.copies_parameters = false;
    component.memory = [](const Plan& plan, const RunNeeds&) {
        const Indexer index(plan);
        const double of_queries = elements(plan.queries, index.heads, index.width + 1);
        return StepMemory{.kept = (of_queries + elements(plan.keys, index.width)) * sizeof(double)};
    };
    component.declared_stages = {{"index_query", "Queries of the index"},
                                 {"index_key", "Keys of the index"},
                                 {"index_gates", "Weights of the index’s heads"},
                                 {"index_scores", "Index scores"}};
    component.steps = [](const Plan& plan, auto& pipeline) { add_indexer_steps(plan, pipeline); };
    component.define = define_indexer;
    return component;
}

}  // namespace headlight
