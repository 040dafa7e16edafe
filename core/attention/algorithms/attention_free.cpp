#include "core/attention/algorithms/channel_softmax.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/pair_places.h"
#include "core/tensor/interruption.h"

#include <algorithm>

namespace headlight {
namespace {

const std::string& form(const Plan& plan) { return plan.algorithm().word("biases"); }

/// Whether a pair is less than so many places apart.
bool is_near_pair(Index query, Index key, Index window) { return std::abs(query - key) < window; }

/// Which number a pair so near has of those by the distance.
Index distance_number(Index query, Index key, Index window) { return key - query + window - 1; }

/// w_ij of a full, local or convolutional one, with 0 outside the window (Zhai et al. 2021, section 3); null
/// for the simple.
template <class Real>
struct Biases {
    const Real* values = nullptr;  ///< [n, m], or [h, distances]
    Index keys = 0;
    Index window = 0;     ///< 0: everywhere
    Index distances = 0;  ///< 0: a number for each pair, the same for all heads
    double at(Index head, Index query, Index key) const {
        if (!values || (window > 0 && !is_near_pair(query, key, window)))
            return 0;
        const Index place =
            distances > 0 ? head * distances + distance_number(query, key, window) : query * keys + key;
        return static_cast<double>(values[place]);
    }
};

/// Without biases the sums of one query are those of the one before and the keys since; with them they start
/// anew.
template <class Real>
void run_attention_free(const Plan& plan, const Biases<Real>& biases, const HeadTask<Real>& task,
                        const Recorder& record) {
    const Index d = plan.head_value_width();
    const ChannelSums none(d);
    ChannelSums sums = none;
    std::vector<double> number(static_cast<std::size_t>(d)), of_place(number), value(number);
    Index taken = 0;
    for (Index query = 0; query < plan.queries; ++query) {
        Interruption::check();
        const Index end = plan.allowed.end(query);
        if (biases.values) {
            sums = none;
            taken = 0;
        }
        for (; taken < end; ++taken) {
            Interruption::check();
            std::copy_n(task.key.row(taken), d, number.begin());
            std::copy_n(task.value.row(taken), d, value.begin());
            std::ranges::fill(of_place, biases.at(task.head, query, taken));
            sums.add(number.data(), of_place.data(), value.data());
        }
        write_context(plan, task, query, sums, record);
        if (task.wants_weights())
            write_weights(
                plan, task, query, end, sums,
                [&](Index key, Index) { return biases.at(task.head, query, key); }, record);
    }
}

Expression define_attention_free(Composer& composer) {
    const Plan& plan = composer.plan;
    const std::string& kind = form(plan);
    std::optional<Expression> biases;
    if (kind == "local") {
        const Index window = composer.plan.algorithm().count("window");
        biases = composer.parameter("position_biases") *
                 composer.constant("is_near", {0, plan.queries, plan.keys}, "1 where a pair is near enough",
                                   [=](Index, Index row, Index column) {
                                       return is_near_pair(row, column, window) ? 1.0 : 0.0;
                                   });
    } else if (kind == "conv") {
        const Index window = composer.plan.algorithm().count("window");
        const Expression near_pairs =
            composer.truth("is_near", {0, plan.queries, plan.keys}, "pairs that are near enough",
                           [=](Index row, Index column) { return is_near_pair(row, column, window); });
        const Expression of_pairs = from_row(
            composer.matrices_of_heads("distance_biases"), plan.queries, plan.keys, [=](Index i, Index j) {
                return std::clamp<Index>(distance_number(i, j, window), 0, 2 * window - 2);
            });
        biases =
            composer.let("biases_of_pairs", choose(near_pairs, of_pairs, 0), "by the distance of the pair");
        if (composer.heads > 0) {  // each channel has those of its head
            std::vector<Index> head_of_channel;
            for (Index channel = 0; channel < composer.heads * plan.head_value_width(); ++channel)
                head_of_channel.push_back(channel / plan.head_value_width());
            biases = take_heads(*biases, head_of_channel);
        }
    } else if (kind != "simple") {
        biases = composer.parameter("position_biases");
    }
    // Each channel is a head of its own: a softmax over the keys, whose scores are the channel of the keys
    // and what the places add to it.
    const Index channels = composer.value.extent().matrices() * plan.head_value_width();
    const auto by_channel = [&](const Expression& x) { return split_heads(join_heads(x), channels); };
    const Expression is_open = composer.truth("is_open", {0, plan.queries, plan.keys},
                                              "whether a query sees a key", composer.may_meet);
    const Expression keys =
        composer.let("key_of_channels", transposed(by_channel(composer.key)), "[channel, 1, key]");
    const Expression exponents = composer.let(
        "exponents", choose(is_open, biases ? keys + *biases : keys, minus_infinity()), "of each channel");
    const Expression shares = softmax_of(composer, "channel_shares", exponents);
    const Index heads = std::max<Index>(composer.heads, 1), width = channels / heads;
    const Expression means_of_channels =
        composer.constant("means_of_channels", {0, heads, channels}, "1 / d for the channels of each head",
                          [=](Index, Index row, Index column) {
                              return column / width == row ? 1 / static_cast<double>(width) : 0.0;
                          });
    const Expression means = mix_heads(means_of_channels, shares);
    composer.let("weights", composer.heads > 0 ? means : join_heads(means), "the mean over the channels");
    const Expression mixed = composer.let(
        "means", split_heads(join_heads(product(shares, by_channel(composer.value))), composer.heads),
        "values weighed channel by channel");
    return write_gated_means(composer, mixed);
}

}  // namespace

AlgorithmComponent declare_algorithms_attention_free() {
    AlgorithmComponent component;
    component.meaning =
        "o = σ(q) ∘ Σ exp(k_j + w_ij) v_j / Σ exp(k_j + w_ij), for each channel by itself: the query only "
        "opens or closes (Zhai et al. 2021); the weights shown are the mean over the channels";
    component.options = {word_option("biases", "Position biases", {"simple", "full", "local", "conv"},
                                     "w_ij: none, one for each pair, one for each pair nearer than the "
                                     "window, or one for each distance below the window and each head."),
                         count_option("window", "Window", 4, logarithmic_range(1, 4096),
                                      "Local and convolutional biases only: pairs this far apart or farther "
                                      "have bias 0, and still take part.")};
    component.known_parameters = {
        {"position_biases", "[n, m]", "is added to the exponents of every channel of a pair of places"},
        {"distance_biases", "[h, 2 window − 1]", "is added to the exponents of a pair by its distance"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index window = plan.algorithm().count("window");
        if (form(plan) == "conv")
            list.add("distance_biases", {plan.heads, 2 * window - 1});
        else if (form(plan) != "simple")
            list.add("position_biases", {plan.queries, plan.keys});
    };
    component.check = [](const Plan& plan) { require_values_of_key_width(plan, "attention_free algorithm"); };
    component.stages = add_channel_stages;
    component.memory = [](const Plan& plan, const RunNeeds&) { return channel_memory(plan); };
    component.declared_stages = declared_channel_stages();
    component.changes_context = always;  // each channel of it has weights of its own
    component.steps = [](const Plan& plan, auto& pipeline) {
        const bool is_conv = form(plan) == "conv";
        const auto* values =
            pipeline.operands.vector(is_conv ? "distance_biases" : "position_biases", form(plan) != "simple");
        using Real = std::remove_const_t<std::remove_pointer_t<decltype(values)>>;
        const Index window = is_conv || form(plan) == "local" ? plan.algorithm().count("window") : Index(0);
        pipeline.algorithm =
            [&plan, biases = Biases<Real>{values, plan.keys, window, is_conv ? 2 * window - 1 : Index(0)}](
                const auto& task, const Recorder& record) { run_attention_free(plan, biases, task, record); };
    };
    component.cost = [](const Plan& plan) {
        AlgorithmCost cost = channel_cost(plan);
        if (form(plan) != "simple") {  // each query weighs the keys anew, which must all be there
            cost.multiply_adds *= static_cast<double>(plan.keys);
            cost.cache_numbers = 2 * static_cast<double>(plan.context_width());
            cost.state_numbers = 0;
        }
        return cost;
    };
    component.define = define_attention_free;
    return component;
}

}  // namespace headlight
