#include "core/attention/algorithms/softmax_heads.h"
#include "core/attention/rotation.h"
#include "core/attention/turned_pairs.h"
#include "core/attention/vector_norm.h"
#include "core/graph/row_formulas.h"
#include "core/tensor/error.h"

#include <numeric>

namespace headlight {
namespace {

const std::string& form_of_latents(const Plan& plan) { return plan.algorithm().word("form"); }
bool has_shared_rotary_key(const Plan& plan) { return form_of_latents(plan) != "factorised"; }

/// What the groups of heads read, and how a head’s queries are shared out.
struct GroupedParts {
    Index groups;   ///< of heads that read one state
    Index rotary;   ///< numbers of a query that are turned by place
    Index content;  ///< ... and the others
    Index latent;   ///< numbers of a group’s latent
    Index rank;     ///< numbers that all queries of a token are made of
};

GroupedParts grouped_parts(const Plan& plan) {
    const auto chosen = [&](const char* name, Index automatic) {
        const Index given = plan.algorithm().count(name);
        return given > 0 ? given : automatic;
    };
    const Index width = plan.head_query_width(), rotary = has_shared_rotary_key(plan) ? 2 * (width / 4) : 0;
    return {.groups = std::gcd(plan.algorithm().count("groups"), plan.heads),
            .rotary = rotary,
            .content = width - rotary,
            .latent = chosen("latent_width", 2 * width),
            .rank = chosen("rank", width)};
}

/// What each group has, [g, ..], for each head that reads it.
Expression of_reading_heads(const Composer& composer, const Expression& x, Index groups) {
    if (groups == 1 || groups == composer.plan.heads)
        return x;
    std::vector<Index> read;
    for (Index head = 0; head < composer.plan.heads; ++head)
        read.push_back(head / (composer.plan.heads / groups));
    return take_heads(x, read);
}

/// Numbers [m, g d] of groups to those of each head that reads them.
Expression of_groups(const Composer& composer, const Expression& x, Index groups) {
    return of_reading_heads(composer, split_heads(x, groups > 1 ? groups : 0), groups);
}

/// x over its root mean square, group by group, times a gain.
Expression normed_latents(Composer& composer, const GroupedParts& parts) {
    const Index groups = parts.groups > 1 ? parts.groups : 0;
    const Expression raw = composer.let(
        "compressed", split_heads(composer.projected(composer.key_tokens, "W_group_latent"), groups),
        "y W_group_latent, group by group");
    // Over their largest number where that is above 1: no square overflows.
    const Expression largest = composer.let("largest_of_latent", larger_of(largest_amount(raw), 1)),
                     moderate = composer.let("moderate_latents", raw / largest);
    const Expression squares = sum_of_columns(moderate * moderate) / static_cast<double>(parts.latent);
    const Expression normed =
        composer.let("normed_latents", moderate / root_of(squares + smallest_variance / largest / largest),
                     "over their root mean squares");
    return split_heads(composer.parameter("g_group_latent"), groups) * normed;
}

/// Makes keys without their rotary part, and values.
void write_tied_state(Composer& composer, const GroupedParts& parts) {
    composer.value = composer.let(
        "value", of_groups(composer, composer.projected(composer.key_tokens, "W_tied"), parts.groups),
        "what is cached of each token");
    composer.key = composer.let("content_key", some_columns(composer.value, counted(0, parts.content)),
                                "the first numbers of the value");
}

void write_from_latents(Composer& composer, const GroupedParts& parts) {
    const Expression latents = composer.let(
        "group_latent", of_reading_heads(composer, normed_latents(composer, parts), parts.groups),
        "what is cached of each token, group by group");
    const auto made = [&](const std::string& matrix) {
        return product(latents, split_heads(composer.parameter(matrix), composer.heads));
    };
    composer.key = composer.let("content_key", made("W_group_key"), "keys");
    composer.value = composer.let("value", made("W_group_value"), "values");
}

void write_factorised(Composer& composer, const GroupedParts& parts) {
    const auto made = [&](const std::string& name, const std::string& matrix) {
        return composer.let(
            name, of_groups(composer, composer.projected(composer.key_tokens, matrix), parts.groups),
            "one for all heads of a group");
    };
    composer.key = made("content_key", "W_shared_key");
    composer.value = made("value", "W_shared_value");
    const Expression narrow =
        composer.let("query_bottleneck", composer.projected(join_heads(composer.query), "D_query"),
                     "what the queries of all heads are made of");
    composer.query =
        composer.let("widened_query", composer.projected_by_heads(narrow, "U_query"), "each head’s own");
}

Expression scores_of_latents(Composer& composer, const GroupedParts& parts) {
    if (parts.rotary == 0)
        return product_transposed(composer.query, composer.key);
    const auto part = [&](const char* name, Index first, Index count) {
        return composer.let(name, some_columns(composer.query, counted(first, count)));
    };
    const Expression q = composer.let(
        "rotary_query", turned_pairs(composer, "query_of_place",
                                     part("query_to_turn", parts.content, parts.rotary), standard_base));
    const Expression k = composer.let(
        "rotary_key",
        turned_pairs(composer, "key_of_place",
                     composer.let("key_to_turn", composer.projected(composer.key_tokens, "W_group_rotary")),
                     standard_base));
    const Expression of_content =
        composer.let("content_scores",
                     product_transposed(part("query_of_content", 0, parts.content), composer.key), "q · k");
    return of_content + composer.let("rotary_scores", product_transposed(q, k), "q · k of the turned parts");
}

Expression define_grouped_latents(Composer& composer) {
    const Plan& plan = composer.plan;
    const GroupedParts parts = grouped_parts(plan);
    if (form_of_latents(plan) == "tied")
        write_tied_state(composer, parts);
    else if (form_of_latents(plan) == "latent")
        write_from_latents(composer, parts);
    else
        write_factorised(composer, parts);
    const Expression scores = composer.let(
        "scores", scores_of_latents(composer, parts) / root_of(static_cast<double>(plan.head_query_width())),
        "q · k / √d, both parts");
    return write_attended_values(composer, softmax_of_open(composer, "weights", scores));
}

void list_grouped_parameters(const Plan& plan, ParameterList& list) {
    const GroupedParts parts = grouped_parts(plan);
    const Index tokens = plan.tokens.key_width, value = plan.head_value_width();
    if (form_of_latents(plan) == "tied") {
        list.add("W_tied", {tokens, parts.groups * value});
    } else if (form_of_latents(plan) == "latent") {
        list.add("W_group_latent", {tokens, parts.groups * parts.latent});
        list.add("g_group_latent", {parts.groups * parts.latent}, 1.0);
        list.add("W_group_key", {parts.latent, plan.heads * parts.content});
        list.add("W_group_value", {parts.latent, plan.heads * value});
    } else {
        list.add("W_shared_key", {tokens, parts.groups * parts.content});
        list.add("W_shared_value", {tokens, parts.groups * value});
        list.add("D_query", {plan.query_width, parts.rank});
        list.add("U_query", {parts.rank, plan.query_width});
    }
    if (parts.rotary > 0)
        list.add("W_group_rotary", {tokens, parts.rotary});
}

void check_grouped_latents(const Plan& plan) {
    const std::string what = "grouped_latents algorithm";
    require_own_keys_and_values(plan, what, "keys and values are made by matrices of its own",
                                "the option groups says how many heads read one state");
    refuse_turned_vectors(plan, what, "keys are not made of W_k, and have a turned part");
    const GroupedParts parts = grouped_parts(plan);
    if (form_of_latents(plan) == "tied" && parts.content > plan.head_value_width())
        throw Error(
            {what, "values",
             "at least " + std::to_string(parts.content) + " features of a head: they are the key’s too",
             std::to_string(plan.head_value_width())});
}

AlgorithmCost grouped_latents_cost(const Plan& plan) {
    const auto number = [](Index count) { return static_cast<double>(count); };
    const GroupedParts parts = grouped_parts(plan);
    const Index width = plan.head_query_width(), value = plan.head_value_width(), m = plan.keys;
    const std::string& form = form_of_latents(plan);
    const bool is_tied = form == "tied", is_latent = form == "latent";
    const Index kept = is_tied ? value : is_latent ? parts.latent : parts.content + value;
    double made = number(m * plan.tokens.key_width) * number(parts.groups * kept + parts.rotary);
    if (is_latent)
        made += number(m * parts.latent) * number(plan.heads * (parts.content + value));
    if (!is_tied && !is_latent)
        made += 2 * number(plan.queries * plan.query_width) * number(parts.rank);
    return {.multiply_adds = number(plan.allowed.count() * plan.heads) * number(width + value) + made,
            .map_numbers = number(plan.heads * plan.queries * m),
            .cache_numbers = number(parts.groups * kept + parts.rotary)};
}

}  // namespace

AlgorithmComponent declare_algorithms_grouped_latents() {
    AlgorithmComponent component;
    component.meaning =
        "groups of heads read one short state of each token: v = u and k = [the first half of u; a turned "
        "key that all heads share] (GTA), or k = c W_k and v = c W_v of a latent c of each group (GLA, both "
        "Zadouri, Strauss and Dao 2025), or keys and values as they are, with queries that pass through few "
        "numbers (MFA, Hu et al. 2025)";
    component.options = {
        word_option("form", "What is cached", {"tied", "latent", "factorised"},
                    "One state that is the value and half of the key; a latent that keys and values are made "
                    "of; or a key and a value, where the queries of all heads are made of a few numbers."),
        count_option("groups", "Groups of heads", 2, {1, 256},
                     "How many states each token has, which so many groups of heads read; fewer where they "
                     "do not part the heads evenly."),
        count_option("latent_width", "Latent width", 0, logarithmic_range(0, 4096),
                     "Numbers of each group’s latent, in the form of that name. 0: twice a head’s width.",
                     "automatic"),
        count_option("rank", "Rank of the queries", 0, logarithmic_range(0, 4096),
                     "Of how many numbers the queries of all heads are made, in the factorised form. 0: a "
                     "head’s width.",
                     "automatic")};
    component.known_parameters = {
        {"W_tied", "[d_k, g d_v]", "makes each group’s state, value and key in one"},
        {"W_group_latent", "[d_k, g d_c]", "compresses token vectors to the latents of the groups"},
        {"g_group_latent", "[g d_c]", "scales each number of the normalised latents"},
        {"W_group_key", "[d_c, h d_C]", "makes every head’s keys from its group’s latents"},
        {"W_group_value", "[d_c, h d_v]", "makes every head’s values from its group’s latents"},
        {"W_shared_key", "[d_k, g d]", "makes each group’s keys"},
        {"W_shared_value", "[d_k, g d_v]", "makes each group’s values"},
        {"D_query", "[h d, c]", "narrows the queries of all heads, x W_q, to a few numbers"},
        {"U_query", "[c, h d]", "makes each head’s queries of these numbers"},
        {"W_group_rotary", "[d_k, d_R]", "makes the rotary key, one for all heads"}};
    component.parameters = list_grouped_parameters;
    component.check = check_grouped_latents;
    component.takes_any_mask = true;
    component.makes_keys_and_values = true;
    component.cost = grouped_latents_cost;
    component.declared_stages = {
        made_stage("group_latent", "Latents of the group",
                   {"one for all heads of a group", token_operands(), "× W, norm\n→"},
                   {.lights = "value", .is_of_keys = true, .has_features = true}),
        made_stage(
            "value", "Value",
            {"",
             {{.stage = "group_latent", .as_keys = true, .is_optional = true}, optional_stage("tokens")},
             "× W\n→"},
            {.is_of_keys = true, .has_features = true}),
        made_stage("content_key", "Keys of the content", {},
                   {.lights = "scores", .is_of_keys = true, .has_features = true}),
        made_stage("query_bottleneck", "Queries through a bottleneck",
                   {"what those of all heads are made of", {{"query"}}, "× D\n→"},
                   {.lights = "scores", .has_features = true}),
        made_stage("widened_query", "Widened queries", {"each head’s own", {{"query_bottleneck"}}, "× U\n→"},
                   {.colours_of = "query", .lights = "scores", .has_features = true}),
        made_stage("rotary_query", "Rotary queries", {}, {.lights = "scores", .has_features = true}),
        made_stage("rotary_key", "Rotary key", {},
                   {.lights = "scores", .is_of_keys = true, .has_features = true}),
        made_stage("content_scores", "Scores of the content",
                   {"", {{"query"}, keys_of("content_key", "and")}, "q · k of the\ncontent\n→"},
                   {.lights = "scores", .role = StageRole::scores}),
        made_stage("rotary_scores", "Scores of the position",
                   {"", {{"rotary_query"}, keys_of("rotary_key", "and")}, "q · k\n→"},
                   {.lights = "scores", .role = StageRole::scores}),
        declared_scores_stage({"q · k / √d, both parts",
                               {optional_stage("content_scores"), optional_stage("rotary_scores", "+")},
                               "÷ √d\n→"}),
        declared_weights_stage()};
    component.define = define_grouped_latents;
    return component;
}

}  // namespace headlight
