#include "core/attention/algorithms/merged_latents.h"
#include "core/attention/algorithms/row_norms.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/rotary.h"
#include "core/attention/rotation.h"
#include "core/attention/softmax_rows.h"
#include "core/attention/turned_pairs.h"
#include "core/attention/vector_length.h"
#include "core/tensor/interruption.h"

namespace headlight {
namespace {

constexpr double smallest_latent_variance = 1e-6;

/// How a head's width is shared out, and how wide what is cached is.
struct LatentParts {
    Index content;  ///< d_C, compared through the latent
    Index rotary;   ///< d_R, rotated by position; one key for all heads
    Index latent;   ///< d_c, from which every head makes its keys and values
    Index value;
};

LatentParts latent_parts(const Plan& plan) {
    const Options& options = plan.algorithm();
    const Index width = plan.head_query_width();
    const Index pairs = std::min(options.count("rotary_pairs"), (width - 1) / 2);
    const Index latent = options.count("latent_width");
    const Index rotary = 2 * (options.count("rotary_pairs") > 0 ? pairs : width / 4);
    return {width - rotary, rotary, latent > 0 ? latent : std::min(2 * width, plan.query_width),
            plan.head_value_width()};
}

/// Queries meet the latents themselves, and no key and no value is formed.
bool compares_latents(const Plan& plan) { return plan.algorithm().flag("absorbed"); }

bool has_layer_norm(const Options& options) { return options.word("norm") == "layer"; }

/// In place: pair i of a vector at position p turns by p / base^(2i / width), pairs of neighbours (Su et al.
/// 2021, as DeepSeek-V2 lays them out).
template <class Real>
void rotate(Real* vector, Index width, Index position, double base) {
    for (Index pair = 0; pair < width / 2; ++pair) {
        const double angle = static_cast<double>(position) * pair_frequency(pair, width, base);
        turn_pair(vector[2 * pair], vector[2 * pair + 1], static_cast<Real>(std::cos(angle)),
                  static_cast<Real>(std::sin(angle)));
    }
}

template <class Real>
struct Parameters {
    MatrixView<const Real> compressed;   ///< [m, d_c], before its norm
    MatrixView<const Real> rotary_keys;  ///< [m, d_R], before their rotation
    const Real* gain;                    ///< [d_c]
    const Real* key_matrix;              ///< [d_c, h d_C]
    const Real* value_matrix;            ///< [d_c, h d_v]
};

/// The block of columns of one head: vector [d_c] times matrix [d_c, h width].
template <class Real>
void project_head(const kernels::Arithmetic<Real>& by, const Real* vector, Index depth, const Real* matrix,
                  Index head, Index heads, Index width, Real* to) {
    const MatrixView<const Real> of_head{
        .data = matrix + head * width, .rows = depth, .columns = width, .stride = heads * width};
    std::fill_n(to, width, Real(0));
    by.add_scaled_rows(vector, of_head, to);
}

/// One head: c = norm(y W_latent), k^C = c W_latent_key, v = c W_latent_value, k^R = rotated y W_rotary_key,
/// s = (q^C . k^C + q^R . k^R) / sqrt(d_C + d_R) (DeepSeek-AI 2024, equations 9 to 19). Absorbed: q^C
/// W_latent_key^T meets c itself, and W_latent_value is applied once, to the mean of the latents.
template <class Real>
class LatentHead {
public:
    LatentHead(const Plan& plan, const Parameters<Real>& parameters, const HeadTask<Real>& task,
               const Recorder& record)
        : plan_(plan), given_(parameters), task_(task), record_(record), parts_(latent_parts(plan)),
          absorbed_(compares_latents(plan)), base_(plan.algorithm().number("base")) {}

    void run() {
        make_latents();
        make_rotary_keys();
        if (!absorbed_)
            make_keys_and_values();
        for (Index i = 0; i < plan_.queries; ++i)
            attend(i);
    }

private:
    /// Those of all keys, [m, width].
    MatrixView<const Real> rows(const std::vector<Real>& numbers, Index width) const {
        return row_major(numbers.data(), plan_.keys, width);
    }
    static std::vector<Real> numbers(Index count) {
        return std::vector<Real>(static_cast<std::size_t>(count));
    }

    void make_latents() {
        const Index width = parts_.latent;
        latents_ = numbers(plan_.keys * width);
        for (Index key = 0; key < plan_.keys; ++key) {
            Interruption::check();
            const Real* from = given_.compressed.row(key);
            const auto number = [from](Index c) { return static_cast<double>(from[c]); };
            const Length length = root_mean_square(width, number, smallest_latent_variance);
            for (Index c = 0; c < width; ++c)
                latents_[static_cast<std::size_t>(key * width + c)] =
                    static_cast<Real>(length.divide(number(c))) * given_.gain[c];
        }
        if (task_.head == 0)
            record_.write("latent", 0, latents_.data(), plan_.keys * width);
    }

    void make_rotary_keys() {
        const Index width = parts_.rotary;
        rotary_keys_ = numbers(plan_.keys * width);
        for (Index key = 0; key < plan_.keys && width > 0; ++key) {
            Interruption::check();
            Real* to = rotary_keys_.data() + key * width;
            std::copy_n(given_.rotary_keys.row(key), width, to);
            rotate(to, width, key, base_);
        }
        if (task_.head == 0)
            record_.write("rotary_key", 0, rotary_keys_.data(), plan_.keys * width);
    }

    void make_keys_and_values() {
        content_keys_ = numbers(plan_.keys * parts_.content);
        values_ = numbers(plan_.keys * parts_.value);
        for (Index key = 0; key < plan_.keys; ++key) {
            Interruption::check();
            const Real* latent = latents_.data() + key * parts_.latent;
            project_head(by_.arithmetic(), latent, parts_.latent, given_.key_matrix, task_.head, plan_.heads,
                         parts_.content, content_keys_.data() + key * parts_.content);
            project_head(by_.arithmetic(), latent, parts_.latent, given_.value_matrix, task_.head,
                         plan_.heads, parts_.value, values_.data() + key * parts_.value);
        }
        record_.write("content_key", task_.head * plan_.keys * parts_.content, content_keys_.data(),
                      plan_.keys * parts_.content);
        record_.write("value", task_.head * plan_.keys * parts_.value, values_.data(),
                      plan_.keys * parts_.value);
    }

    /// q^C as it meets the keys or, absorbed, the latents.
    const Real* content_query(Index i, const Real* query) {
        if (!absorbed_)
            return query;
        absorbed_query_.resize(static_cast<std::size_t>(parts_.latent));
        const Index width = parts_.content;
        const MatrixView<const Real> of_head{.data = given_.key_matrix + task_.head * width,
                                             .rows = parts_.latent,
                                             .columns = width,
                                             .stride = plan_.heads * width};
        by_.arithmetic().inner_products(query, of_head, 1, absorbed_query_.data());
        record_.write("absorbed_query", (task_.head * plan_.queries + i) * parts_.latent,
                      absorbed_query_.data(), parts_.latent);
        return absorbed_query_.data();
    }

    void attend(Index i) {
        const Index m = plan_.keys, at = (task_.head * plan_.queries + i) * m;
        const Real* query = task_.query.row(i);
        std::vector<Real> turned(query + parts_.content, query + parts_.content + parts_.rotary);
        rotate(turned.data(), parts_.rotary, i, base_);
        record_.write("rotary_query", (task_.head * plan_.queries + i) * parts_.rotary, turned.data(),
                      parts_.rotary);

        Real* row = weights_row(task_, i, scratch_);
        rotary_row_.resize(static_cast<std::size_t>(m));
        const MatrixView<const Real> compared =
            absorbed_ ? rows(latents_, parts_.latent) : rows(content_keys_, parts_.content);
        by_.score_allowed(plan_.allowed, i, content_query(i, query), compared, Real(1), row);
        by_.score_allowed(plan_.allowed, i, turned.data(), rows(rotary_keys_, parts_.rotary), Real(1),
                          rotary_row_.data());
        record_.write("content_scores", at, row, m);
        record_.write("rotary_scores", at, rotary_row_.data(), m);
        const Real scale = static_cast<Real>(plan_.scale);
        for (Index key = 0; key < m; ++key)
            row[key] = scale * (row[key] + rotary_row_[static_cast<std::size_t>(key)]);
        record_.write("masked_scores", at, row, m);
        by_.softmax(row, m);
        mix(i, row);
    }

    void mix(Index i, const Real* weights) {
        Real* context = task_.context.row(i);
        if (!absorbed_)
            return by_.mix(weights, rows(values_, parts_.value), context);
        mean_.resize(static_cast<std::size_t>(parts_.latent));
        by_.mix(weights, rows(latents_, parts_.latent), mean_.data());
        record_.write("latent_context", (task_.head * plan_.queries + i) * parts_.latent, mean_.data(),
                      parts_.latent);
        project_head(by_.arithmetic(), mean_.data(), parts_.latent, given_.value_matrix, task_.head,
                     plan_.heads, parts_.value, context);
    }

    const Plan& plan_;
    const Parameters<Real>& given_;
    const HeadTask<Real>& task_;
    const Recorder& record_;
    SoftmaxRows<Real> by_;
    LatentParts parts_;
    bool absorbed_;
    double base_;
    std::vector<Real> latents_, rotary_keys_, content_keys_, values_;  ///< [m, width]
    std::vector<Real> absorbed_query_, mean_, rotary_row_, scratch_;
};

template <class Real>
void add_latent_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    auto& operands = pipeline.operands;
    Parameters<Real> given;
    given.compressed = operands.projected(operands.key_tokens(), "W_latent");
    if (latent_parts(plan).rotary > 0)
        given.rotary_keys = operands.projected(operands.key_tokens(), "W_rotary_key");
    given.gain = operands.vector("g_latent");
    given.key_matrix = operands.vector("W_latent_key");
    given.value_matrix = operands.vector("W_latent_value");
    pipeline.algorithm = [&plan, given](const HeadTask<Real>& task, const Recorder& record) {
        LatentHead<Real>(plan, given, task, record).run();
    };
}

void check_latent(const Plan& plan) {
    require_own_keys_and_values(plan, "latent algorithm", "keys and values are made from a learned latent",
                                "each head makes keys and values of its own from the latent");
    refuse_turned_vectors(plan, "latent algorithm",
                          "keys come from the latent, with a turned part of their own");
    check_merging(plan);
}

void list_latent_parameters(const Plan& plan, ParameterList& list) {
    const LatentParts parts = latent_parts(plan);
    const Index tokens = plan.tokens.key_width;
    list.add("W_latent", {tokens, parts.latent});
    list.add("g_latent", {parts.latent}, 1.0);
    if (has_layer_norm(plan.algorithm()))
        list.add("b_latent", {parts.latent}, 0.0);
    list_merging_parameters(plan, parts.latent, list);
    list.add("W_latent_key", {parts.latent, plan.heads * parts.content});
    if (parts.rotary > 0)
        list.add("W_rotary_key", {tokens, parts.rotary});
    list.add("W_latent_value", {parts.latent, plan.heads * parts.value});
}

void list_stages(const Plan& plan, StageList& list) {
    const LatentParts parts = latent_parts(plan);
    const bool absorbed = compares_latents(plan);
    if (merged_tokens(plan.algorithm()) > 1) {
        list.add_rows("token_latent", Axis::key, parts.latent);
        list.add_rows("merge_weights", Axis::key, 1);
    }
    list.add_rows("latent", Axis::key, parts.latent);
    if (!absorbed)
        list.add_vectors("content_key", Axis::key, parts.content);
    if (parts.rotary > 0) {
        list.add_rows("rotary_key", Axis::key, parts.rotary);
        list.add_vectors("rotary_query", Axis::query, parts.rotary);
    }
    if (absorbed)
        list.add_vectors("absorbed_query", Axis::query, parts.latent);
    else
        list.add_vectors("value", Axis::key, parts.value);
    list.add_map("content_scores");
    list.add_map("rotary_scores");
    const auto add_stages_of = [&](const auto* component) {
        if (component && component->stages)
            component->stages(plan, list);
    };
    add_stages_of(component_of(plan.spec.selection.type));
    list.add_map("masked_scores");
    add_stages_of(component_of(plan.spec.normalizer.type));
    list.add_map("weights");
    if (absorbed)
        list.add_vectors("latent_context", Axis::query, parts.latent);
}

AlgorithmCost latent_cost(const Plan& plan) {
    const LatentParts parts = latent_parts(plan);
    const auto number = [](Index count) { return static_cast<double>(count); };
    const double pairs = number(compared_pairs(plan));
    const double per_pair = compares_latents(plan) ? number(2 * parts.latent + parts.rotary)
                                                   : number(parts.content + parts.rotary + parts.value);
    const double per_token = number(plan.heads * parts.latent * (parts.content + parts.value));
    const double compression = number(plan.keys * plan.tokens.key_width * (parts.latent + parts.rotary));
    return {.multiply_adds = pairs * per_pair + number(plan.keys) * per_token + compression +
                             merging_cost(plan, parts.latent),
            .map_numbers = number(plan.heads * plan.queries * plan.keys),
            .cache_numbers = number(parts.latent + parts.rotary) / number(merged_tokens(plan.algorithm()))};
}

/// The weights times values that are made of the latents `c`.
Expression attended_latents(Composer& composer, const Expression& weights, const Expression& c) {
    if (!compares_latents(composer.plan))
        return write_attended_values(composer, weights);
    const Expression mean = composer.let("latent_context", product(weights, c), "mean latents");
    const Expression to_value = split_heads(composer.parameter("W_latent_value"), composer.heads);
    return composer.let("context", product(mean, to_value), "the values that each query gets");
}

/// The latents of single tokens, normalised, [m, d_c].
Expression write_latents_of_tokens(Composer& composer, const std::string& name, const std::string& note) {
    const Expression raw =
        composer.let("compressed", composer.projected(composer.key_tokens, "W_latent"), "y W_latent");
    if (has_layer_norm(composer.plan.algorithm()))
        return composer.let(name,
                            composer.parameter("g_latent") *
                                    layer_normalized(composer, "normed_latent", raw) +
                                composer.parameter("b_latent"),
                            note);
    return composer.let(name,
                        composer.parameter("g_latent") * raw /
                            root_of(mean_of_columns(raw * raw) + smallest_latent_variance),
                        note);
}

/// Keys and values from a latent that is normalised, and a rotary key that all heads share.
Expression define_latent(Composer& composer) {
    const Plan& plan = composer.plan;
    const bool is_absorbed = compares_latents(plan);
    const bool merges = merged_tokens(composer.plan.algorithm()) > 1;
    const Expression c =
        merges ? write_merged_latents(composer,
                                      write_latents_of_tokens(composer, "token_latent", "of each token"))
               : write_latents_of_tokens(composer, "latent", "what is cached of each token");
    if (!is_absorbed) {
        composer.key = composer.let("content_key", composer.projected_by_heads(c, "W_latent_key"), "keys");
        composer.value = composer.let("value", composer.projected_by_heads(c, "W_latent_value"), "values");
    }
    const LatentParts parts = latent_parts(plan);
    const Index content = parts.content, rotary = parts.rotary;
    const auto compared = [&](const char* name, const Expression& q, const Expression& k) {
        return composer.let(name, composer.open_or_forbidden(product_transposed(q, k)), "q · k");
    };
    const Expression query =
        composer.let("query_of_content", some_columns(composer.query, counted(0, content)));
    const auto absorbed = [&] {
        const Expression to_key = split_heads(composer.parameter("W_latent_key"), composer.heads);
        return composer.let("absorbed_query", product_transposed(query, to_key), "q W_latent_keyᵀ");
    };
    Expression scores = is_absorbed ? compared("content_scores", absorbed(), c)
                                    : compared("content_scores", query, composer.key);
    if (rotary > 0) {
        const double base = composer.plan.algorithm().number("base");
        const Expression q = composer.let(
            "rotary_query",
            turned_pairs(
                composer, "query_of_place",
                composer.let("query_to_turn", some_columns(composer.query, counted(content, rotary))), base));
        const Expression k = composer.let(
            "rotary_key",
            turned_pairs(composer, "key_of_place",
                         composer.let("key_to_turn", composer.projected(composer.key_tokens, "W_rotary_key")),
                         base));
        scores = scores + compared("rotary_scores", q, k);
    }
    Expression scaled = scores / root_of(static_cast<double>(plan.head_query_width()));
    if (plan.spec.selection.type != SelectionType::none)
        scaled = composer.let("scaled_scores", scaled, "before keys are chosen");
    const Expression open = scores_of_kept_keys(composer, scaled);
    const Expression masked = composer.let(
        "masked_scores", merges ? choose(write_cached_pairs(composer), open, minus_infinity()) : open,
        "both over √d");
    return attended_latents(composer, normalized_of(composer, "weights", masked, {}, merges), c);
}

}  // namespace

AlgorithmComponent declare_algorithms_latent() {
    AlgorithmComponent component;
    component.meaning =
        "keys and values of all heads are made from one short latent per token, and a rotary key shared "
        "by the heads says where the token is; only those two are cached (DeepSeek-AI 2024, MLA)";
    component.options = {
        count_option("latent_width", "Latent width", 0, logarithmic_range(0, 4096),
                     "Numbers of the latent c that is kept for each token; fewer save memory and bound the "
                     "rank of the keys. 0: twice a head’s width.",
                     "automatic"),
        count_option("rotary_pairs", "Rotary pairs", 0, {0, 256},
                     "Pairs of numbers of each query that are rotated by position, at most all but one "
                     "number of a head. 0: half the head’s width.",
                     "automatic"),
        base_option("Pair i turns by position / base^(2i / width)."),
        flag_option("absorbed", "Absorbed", false,
                    "Multiplies the query by the key matrix and compares it with the latents themselves, so "
                    "that no key and no value is ever formed; the numbers are the same."),
        count_option("merged", "Tokens merged", 1, logarithmic_range(1, 64),
                     "How many neighbouring tokens have one latent in the cache, the sum of theirs by "
                     "learned weights (MTLA); 1: each has its own."),
        word_option("norm", "Norm", {"rms", "layer"},
                    "What the latents are divided by: their root mean square, as DeepSeek has it, or, "
                    "without their mean, their standard deviation, as MTLA has it."),
    };
    component.known_parameters = {
        {"W_latent", "[d_k, d_c]", "compresses token vectors to the latents, which are cached"},
        {"g_latent", "[d_c]", "scales each feature of a normalised latent"},
        {"b_latent", "[d_c]", "is added to each feature of a layer-normalised latent"},
        {"W_merge_place", "[d_c, d_c / 4]",
         "makes what a group of merged latents asks, of the sines and cosines of its number"},
        {"b_merge_place", "[d_c / 4]", "is added to what a group of merged latents asks"},
        {"W_merge_latent", "[d_c, d_c / 4]", "makes what a latent answers to its group"},
        {"b_merge_latent", "[d_c / 4]", "is added to what a latent answers to its group"},
        {"W_latent_key", "[d_c, h d_C]", "makes every head’s keys from the latents"},
        {"W_rotary_key", "[d_k, d_R]", "makes the rotary key, one for all heads"},
        {"W_latent_value", "[d_c, h d_v]", "makes every head’s values from the latents"},
    };
    component.parameters = list_latent_parameters;
    component.check = check_latent;
    component.takes_any_mask = true;
    component.takes_normalizer = true;
    component.takes_selection = true;
    component.makes_keys_and_values = true;
    component.stages = list_stages;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        const LatentParts parts = latent_parts(plan);
        const double compressed = elements(plan.keys, parts.latent + parts.rotary);
        const double made = compares_latents(plan) ? 0 : elements(plan.keys, parts.content + parts.value);
        const double rows = elements(2 * plan.keys + 2 * parts.latent + parts.rotary);
        return StepMemory{.kept = compressed * needs.real,
                          .working = (compressed + made + rows) * needs.real};
    };
    component.declared_stages = {
        made_stage("token_latent", "Latents of single tokens", {}, {.lights = "latent"}),
        made_stage(
            "merge_weights", "Weights of merging",
            {"how much a latent counts in its group", {{"token_latent"}}, "· the group’s\nplace, σ\n→"},
            {.lights = "latent", .is_of_keys = true, .has_features = true, .is_share = true}),
        {"latent", "Latent vectors"},
        {"content_key", "Keys of the content"},
        {"rotary_key", "Rotary key"},
        {"rotary_query", "Rotary queries"},
        {"absorbed_query", "Absorbed queries"},
        {"content_scores", "Scores of the content"},
        made_stage("rotary_scores", "Scores of the position", {},
                   {.lights = "masked_scores", .said = "these heads are too narrow for a rotary part"}),
        {"latent_context", "Mean latents"},
        made_stage("value", "Value", {"", {{"latent"}}, "× W\n→"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_latent_steps(plan, pipeline); };
    component.passes_to_definition = [](const AttentionSpec& spec) {
        return merged_tokens(spec.algorithm.options) > 1 || has_layer_norm(spec.algorithm.options);
    };
    component.cost = latent_cost;
    component.define = define_latent;
    return component;
}

}  // namespace headlight
