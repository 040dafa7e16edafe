#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/pair_places.h"

#include <algorithm>

namespace headlight {
namespace {

Index kernel_size(const Plan& plan) { return plan.algorithm().count("size"); }
bool kernel_is_dynamic(const Plan& plan) { return plan.algorithm().word("kernel") == "dynamic"; }

/// How many places before the query the kernel begins.
Index kernel_reach(const Plan& plan) {
    const Index size = kernel_size(plan);
    return plan.algorithm().word("window") == "past" ? size - 1 : (size - 1) / 2;
}

/// What each query says of each place of its window [h, n, size], the oldest first.
Expression write_offset_scores(Composer& composer) {
    if (kernel_is_dynamic(composer.plan))
        return composer.let("offset_scores", product(composer.query, composer.matrices_of_heads("W_kernel")),
                            "q W, a number for each place of the window");
    const Expression none =
        composer.zeros("zeros_of_tokens", {0, composer.plan.queries, 1}, "the same kernel for each token");
    return composer.let("offset_scores", composer.matrices_of_heads("w_kernel") + none,
                        "a number for each place of the window");
}

/// The kernel is a row of weights that slides with the query: only its own token has a say in them.
Expression define_dynamic_convolution(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index size = kernel_size(plan), reach = kernel_reach(plan);
    const Expression scores = write_offset_scores(composer);
    const auto place = [=](Index query, Index key) { return key - query + reach; };
    const auto of_pairs = [&](const Expression& of_offsets) {
        return by_distance(composer, of_offsets, [=](Index query, Index key) {
            return std::clamp<Index>(place(query, key), 0, size - 1);
        });
    };
    const Expression is_seen =
        composer.pairs_where("is_seen", "pairs within the window that may meet", [=](Index query, Index key) {
            const Index at = place(query, key);
            return at >= 0 && at < size;
        });
    if (plan.algorithm().flag("renormalized"))
        return write_attended_values(
            composer, softmax_of(composer, "weights", choose(is_seen, of_pairs(scores), minus_infinity())));
    const Expression kernel = softmax_of(composer, "offset_weights", scores);
    return write_attended_values(composer,
                                 composer.let("weights", choose(is_seen, of_pairs(kernel), 0),
                                              "the weight of the place in the window that a key has"));
}

}  // namespace

AlgorithmComponent declare_algorithms_dynamic_convolution() {
    AlgorithmComponent component;
    component.meaning =
        "A_ij = softmax(qᵢ W)_{j−i} over a window of places: each token makes the weights of its neighbours "
        "from itself, and no key is asked (Wu et al. 2019)";
    component.options = {
        word_option("kernel", "Kernel", {"dynamic", "lightweight"},
                    "Whether each token makes the kernel from its query, or all tokens share a learned one."),
        count_option("size", "Size of the window", 3, logarithmic_range(1, 4096),
                     "How many places the kernel has a weight for, the token’s own among them."),
        word_option("window", "Window", {"past", "centred"},
                    "Whether the window ends at the token or has it in its middle."),
        flag_option(
            "renormalized", "Renormalised", false,
            "Whether places outside the text, or masked, leave their weight to the others of the window.")};
    component.known_parameters = {
        {"W_kernel", "[h d_k, size]", "projects a query to the scores of its window, head below head"},
        {"w_kernel", "[h, size]", "the scores of a window that all tokens share"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (kernel_is_dynamic(plan))
            list.add("W_kernel", {plan.query_width, kernel_size(plan)});
        else
            list.add("w_kernel", {plan.heads, kernel_size(plan)});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "dynamic_convolution", "the window lies around the token’s own place");
        refuse_turned_vectors(plan, "dynamic_convolution", "no query meets a key");
    };
    component.takes_any_mask = true;
    component.declared_stages = {
        made_stage("offset_scores", "Scores of the window",
                   {"a number for each place, the oldest first", {{"query"}}, "× W\n→"},
                   {.lights = "weights", .has_features = true}),
        made_stage("offset_weights", "Kernel",
                   {"softmax over the places of the window", {{"offset_scores"}}, "softmax\n→"},
                   {.lights = "weights", .has_features = true, .is_share = true}),
        declared_weights_stage(
            {"the kernel, moved to each token’s place", {{"offset_scores"}}, "softmax,\nat its place\n→"},
            {.is_share = true})};
    component.define = define_dynamic_convolution;
    return component;
}

}  // namespace headlight
