#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/pair_places.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

const std::vector<Index>& chosen_tokens(const Plan& plan) { return plan.algorithm().list("tokens"); }
bool has_four_pieces(const Plan& plan) { return plan.algorithm().word("pieces") == "pairs"; }
/// Keys and values are one for all, and what a token asks differs by whom it asks (LUKE, Yamada et al. 2020).
bool differs_by_question(const AttentionSpec& spec) {
    return spec.algorithm.options.word("pieces") == "questions";
}
Index label_reach(const Plan& plan) { return plan.algorithm().count("labels"); }

/// Which tokens are global, and what each pair of tokens is to the other.
struct GlobalTokens {
    explicit GlobalTokens(const Plan& plan)
        : is_global(static_cast<std::size_t>(plan.queries), false), part(is_global.size(), 0),
          reach(label_reach(plan)) {
        for (const Index token : chosen_tokens(plan))
            if (token < plan.queries)
                is_global[static_cast<std::size_t>(token)] = true;
        const auto& lengths = plan.algorithm().list("segments");
        Index globals = 0, locals = 0;
        for (std::size_t token = 0; token < is_global.size(); ++token) {
            if (is_global[token]) {
                part[token] = globals++;
                continue;
            }
            Index end = 0;
            for (const Index length : lengths) {
                end += length;
                part[token] += locals >= end ? 1 : 0;
            }
            ++locals;
        }
    }
    std::vector<bool> is_global;
    std::vector<Index> part;  ///< of the text: that a global token stands for, or another is in
    Index reach;

    bool holds(Index token) const { return is_global[static_cast<std::size_t>(token)]; }
    /// Distances from −reach to reach of two of one kind; then "its own part" and "another part" of two
    /// kinds.
    Index label(Index query, Index key) const {
        if (holds(query) == holds(key))
            return std::clamp(key - query, -reach, reach) + reach;
        const bool is_own = part[static_cast<std::size_t>(query)] == part[static_cast<std::size_t>(key)];
        return 2 * reach + (is_own ? 1 : 2);
    }
};

Expression write_projected_keys(Composer& composer, const std::string& name, const std::string& what) {
    const Expression tokens = name.ends_with("value") ? value_tokens_of(composer) : composer.key_tokens;
    const Index kv_heads = composer.plan.heads > 1 ? composer.plan.kv_heads : 0;
    const Expression rows =
        composer.let(name, split_heads(composer.projected(tokens, "W_" + name), kv_heads), what);
    return composer.of_query_heads(rows);
}

/// Keys, or values, of local queries and of global ones, of local tokens and, in four pieces, of global ones.
struct Pieces {
    Expression local, global, local_to_global, global_to_global;
};
Pieces write_pieces(Composer& composer, const std::string& kind, const Expression& local,
                    const std::string& plural) {
    const Expression global =
        write_projected_keys(composer, "global_" + kind, plural + " as global tokens see them");
    if (!has_four_pieces(composer.plan))
        return {local, global, local, global};
    return {local, global,
            write_projected_keys(composer, "local_to_global_" + kind,
                                 plural + " of global tokens, as others see them"),
            write_projected_keys(composer, "global_to_global_" + kind,
                                 plural + " of global tokens, as they see one another")};
}

Expression write_asked(Composer& composer, const std::string& name, const std::string& what) {
    return composer.let(name, composer.projected_by_heads(composer.query_tokens, "W_" + name), what);
}

/// Assigns `scores` and `weights`, of products [h, n, m].
Expression write_weights_of_products(Composer& composer, const Expression& products) {
    Expression scores = composer.let("scores", products / root_of_head_width(composer), "q · k / √d");
    if (composer.mask_excludes())
        scores =
            composer.let("masked_scores", composer.open_or_forbidden(scores), "of the pairs that may meet");
    return normalized_of(composer, "weights", scores);
}

Expression define_global_projections(Composer& composer) {
    const Plan& plan = composer.plan;
    const GlobalTokens globals(plan);
    const Expression from_global =
        composer.truth("looks_from_global", {0, plan.queries, 1}, "global tokens, as those that look",
                       [globals](Index row, Index) { return globals.holds(row); });
    const Expression at_global =
        composer.truth("looks_at_global", {0, 1, plan.keys}, "global tokens, as those that are looked at",
                       [globals](Index, Index column) { return globals.holds(column); });
    const Expression own = write_asked(composer, "global_query", "what a token asks as a global one");
    const Expression query = composer.let("asking_query", choose(from_global, own, composer.query),
                                          "queries of global tokens and of others");
    if (differs_by_question(plan.spec)) {
        const Expression others = write_asked(composer, "local_to_global_query",
                                              "what others ask of global tokens"),
                         among = write_asked(composer, "global_to_global_query",
                                             "what global tokens ask of one another");
        const Expression of_globals = composer.let("query_of_globals", choose(from_global, among, others),
                                                   "queries where a global token is looked at");
        return write_attended_values(
            composer, write_weights_of_products(composer, choose(at_global,
                                                                 product_transposed(of_globals, composer.key),
                                                                 product_transposed(query, composer.key))));
    }
    const bool has_pieces = has_four_pieces(plan);
    const Pieces keys = write_pieces(composer, "key", composer.key, "keys");
    const auto products = [&](const Expression& local, const Expression& global) {
        const Expression to_local = product_transposed(query, local);
        return has_pieces ? choose(at_global, product_transposed(query, global), to_local) : to_local;
    };
    Expression scores = choose(from_global, products(keys.global, keys.global_to_global),
                               products(keys.local, keys.local_to_global));
    if (label_reach(plan) > 0) {
        const Expression answers =
            composer.let("label_answers", product_transposed(query, composer.parameter("a_label")),
                         "what each query asks of each label");
        scores = scores + composer.let("label_scores",
                                       by_distance(composer, answers, [globals](Index row, Index column) {
                                           return globals.label(row, column);
                                       }));
    }
    const Expression weights = write_weights_of_products(composer, scores);
    const Pieces values = write_pieces(composer, "value", composer.value, "values");
    const auto attended = [&](const Expression& local, const Expression& global) {
        if (!has_pieces)
            return product(weights, local);
        return product(choose(at_global, 0, weights), local) + product(choose(at_global, weights, 0), global);
    };
    return composer.let("context",
                        choose(from_global, attended(values.global, values.global_to_global),
                               attended(values.local, values.local_to_global)),
                        "the values that each query gets");
}

void add_global_projections(const Plan& plan, ParameterList& list) {
    list.add("W_global_query", {plan.tokens.query_width, plan.query_width});
    if (differs_by_question(plan.spec)) {
        for (const char* name : {"W_local_to_global_query", "W_global_to_global_query"})
            list.add(name, {plan.tokens.query_width, plan.query_width});
        return;
    }
    for (const std::string from : {"global", "local_to_global", "global_to_global"}) {
        if (from != "global" && !has_four_pieces(plan))
            continue;
        list.add("W_" + from + "_key", {plan.tokens.key_width, plan.key_width});
        list.add("W_" + from + "_value", {plan.tokens.value_width, plan.value_width});
    }
    if (label_reach(plan) > 0)
        list.add("a_label", {2 * label_reach(plan) + 3, plan.head_query_width()});
}

}  // namespace

AlgorithmComponent declare_algorithms_global_projections() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(q · (k + a) / √d) v, where global tokens ask with W_q, W_k and W_v of their own "
        "(Longformer, Beltagy et al. 2020); in four pieces keys and values differ by who looks and who is "
        "looked at, and labels a say how far or to which part of the text (ETC, Ainslie et al. 2020); or "
        "queries do so, and all read the same keys and values (LUKE, Yamada et al. 2020)";
    component.options = {
        list_option("tokens", "Global tokens", {0}, {0, 65535},
                    "Numbers of the tokens that ask with projections of their own, counted from 0. Whom they "
                    "may look at is the mask’s to say."),
        word_option("pieces", "Keys and values", {"queries", "pairs", "questions"},
                    "Whether keys and values differ by who looks alone, as in Longformer, or also by whether "
                    "a global token is looked at, in four pieces, as in ETC; or they are the same for all, "
                    "and what a token asks differs by both, as in LUKE."),
        count_option(
            "labels", "Reach of the labels", 0, {0, 512},
            "Up to which distance each has a learned vector of its own; a global token and another have one "
            "of two labels, whether this one is in the part of the text that that one stands for.",
            "no labels"),
        list_option("segments", "Parts of the text", {}, {1, 65536},
                    "For the labels: how many of the other tokens each part has, one part for each global "
                    "token in their order; what is left is one more. None: all stand in the first one’s.")};
    component.known_parameters = {
        {"W_global_query", "[d_q, h d_k]", "makes the queries of global tokens"},
        {"W_local_to_global_query", "[d_q, h d_k]", "makes what others ask of global tokens; with questions"},
        {"W_global_to_global_query", "[d_q, h d_k]",
         "makes what global tokens ask of one another; with questions"},
        {"W_global_key", "[d_k, h_kv d_k]", "makes the keys that global tokens see"},
        {"W_global_value", "[d_v, h_kv d_v]", "makes the values that global tokens see"},
        {"W_local_to_global_key", "[d_k, h_kv d_k]", "makes the keys of global tokens that others see"},
        {"W_local_to_global_value", "[d_v, h_kv d_v]", "makes the values of global tokens that others see"},
        {"W_global_to_global_key", "[d_k, h_kv d_k]", "makes the keys of global tokens that they see"},
        {"W_global_to_global_value", "[d_v, h_kv d_v]", "makes the values of global tokens that they see"},
        {"a_label", "[2 labels + 3, d_k]", "a vector for each label"}};
    component.parameters = add_global_projections;
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "global_projections algorithm", "a token is global wherever it stands");
        refuse_turned_vectors(plan, "global_projections algorithm",
                              "global tokens ask with vectors that are made behind the turn");
        if (differs_by_question(plan.spec) && label_reach(plan) > 0)
            throw Error({"global_projections algorithm", "algorithm.labels",
                         "0, no labels, where tokens ask others otherwise than global ones",
                         std::to_string(label_reach(plan))});
    };
    component.takes_any_mask = true;
    component.takes_normalizer = true;
    component.changes_context = [](const AttentionSpec& spec) { return !differs_by_question(spec); };
    const auto own = [&](const std::string& kind, const std::string& title, bool is_of_keys,
                         const std::string& of = "global_") {
        return made_stage(
            of + kind, title, {"with projections of their own", token_operands(), "× W_" + of + kind + "\n→"},
            {.colours_of = kind, .lights = kind, .is_of_keys = is_of_keys, .has_features = true});
    };
    component.declared_stages = {
        own("query", "Global query", false),
        own("query", "What others ask of global tokens", false, "local_to_global_"),
        own("query", "What global tokens ask of one another", false, "global_to_global_"),
        own("key", "Global key", true),
        own("value", "Values for global tokens", true),
        made_stage("label_scores", "Scores of the labels",
                   {"q · a, by how far and to which part", {{"query"}}, "× labels\n→"},
                   {.lights = "scores", .role = StageRole::scores}),
        declared_scores_stage({"q · k / √d, each with its own",
                               {{"query"}, times_keys_of("key")},
                               "rows of global tokens\nwith their own,\n÷ √d\n→"}),
        declared_weights_stage(),
        declared_own_context_stage(
            {"the sum of each weight times its value, of global tokens their own values",
             {{"weights"}, keys_of("value", "×")}})};
    component.stages_of = [](const AttentionSpec& spec) {
        static const auto all =
            shared_stages(component_of(AlgorithmType::global_projections)->declared_stages);
        static const auto of_questions = [] {
            std::vector<DeclaredStage> stages = *all;
            std::erase_if(stages, [](const DeclaredStage& stage) { return stage.name == "context"; });
            return shared_stages(std::move(stages));
        }();
        return differs_by_question(spec) ? of_questions : all;
    };
    component.define = define_global_projections;
    return component;
}

}  // namespace headlight
