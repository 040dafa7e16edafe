// What a mixer with a state costs and records, which options it has, and what its cells follow from.
#include "core/attention/arithmetic_text.h"
#include "core/attention/explained_cell.h"
#include "core/attention/recurrence.h"
#include "core/attention/work.h"

#include <algorithm>
#include <cmath>

namespace headlight {

AlgorithmCost recurrence_cost(const Plan& plan, const RecurrenceKind& kind) {
    const Index r = kind.features, state = r * plan.head_value_width();
    Index written = 0, read = 0, summed = 0;  // keys into the state, queries from it, keys into the sums
    Index walked = 0, width = r + plan.head_value_width();
    for (Index query = 0; query < plan.queries; ++query) {
        const Index end = plan.allowed.end(query);
        const Index base = kind.chunk == 0 || end == 0 ? end : (end - 1) / kind.chunk * kind.chunk;
        written = std::max(written, base);
        summed = std::max(summed, end);
        read += base > 0;
        walked += end - base;
    }
    if (kind.is_delta)
        width += r;
    if (kind.gates > 0)
        width += r;
    const Index passes = 1 + (kind.is_delta ? 1 : 0) + (kind.gates > 0 ? 1 : 0);
    const Index sums = kind.divisor == Divisor::none ? 0 : (summed + plan.queries) * r;
    return {.multiply_adds = work({plan.heads, written * passes + read, state}) +
                             work({plan.heads, walked, width}) + work({plan.heads, sums}) +
                             work_of_tokens(plan, kind.products) +
                             work({plan.keys, plan.tokens.key_width, kind.projected}),
            .state_numbers = work({plan.heads, state})};
}

void add_recurrence_stages(const Plan& plan, StageList& list, const RecurrenceKind& kind) {
    using enum Axis;
    const Index heads = plan.heads, keys = plan.keys, width = plan.head_value_width();
    if (kind.shows_features) {
        list.add("query_features", {head, query, feature}, {heads, plan.queries, kind.features});
        list.add("key_features", {head, key, feature}, {heads, keys, kind.features});
    }
    for (const char* name : {"gates", "cumulative_gates"}) {
        if (!kind.shows_gates)
            continue;
        if (kind.gates == 1)
            list.add(name, {head, key}, {heads, keys});
        else if (kind.gates > 1)
            list.add(name, {head, key, feature}, {heads, keys, kind.gates});
    }
    if (kind.gates == 1 && kind.shows_gates)
        list.add_map("decay_mask");
    if (kind.has_strength)
        list.add("write_strengths", {head, key}, {heads, keys});
    list.add_map("similarities");
    if (kind.chunk == 0 && kind.is_delta) {
        list.add("predictions", {head, key, feature}, {heads, keys, width});
        list.add("errors", {head, key, feature}, {heads, keys, width});
    }
    if (kind.chunk == 0 && kind.shows_state)
        list.add("state", {head, query, feature, attention}, {heads, plan.queries, kind.features, width});
    if (kind.divisor == Divisor::sum || kind.divisor == Divisor::sum_above_one)
        list.add_column("row_sum");
}

std::vector<DeclaredStage> declared_recurrence_stages() {
    return {{"query_features", "Features of the queries"},
            {"key_features", "Features of the keys"},
            {.name = "gates",
             .title = "Gates",
             .is_share = true,
             .said = "what is left of the state when this key comes"},
            {.name = "cumulative_gates",
             .title = "Running sums of log gates",
             .said = "sum of the logarithms of the gates so far"},
            {"decay_mask", "Decay mask"},
            {"write_strengths", "Write strengths"},
            {"similarities", "Similarities"},
            {.name = "predictions",
             .title = "What the state answers",
             .said = "what the state answers to this key before it is written"},
            {"errors", "Errors to write"},
            {.name = "state",
             .title = "State",
             .said = "what is stored when this query reads, of each feature of the keys for each of the "
                     "values"}};
}

std::vector<Option> form_options() {
    return {{.name = "form",
             .label = "Form",
             .standard = std::string("recurrent"),
             .choices = {"recurrent", "chunkwise", "parallel"},
             .help =
                 "Whether the output comes from a state that takes one key after another, from the map, or "
                 "from a state between chunks and the map within them; the numbers are the same."},
            {.name = "chunk",
             .label = "Chunk length",
             .standard = Index(4),
             .minimum = 1,
             .maximum = 1024,
             .logarithmic = true,
             .help = "How many keys the chunkwise form looks at one by one before they go into the state."}};
}

Index chunk_of(const Plan& plan) {
    const std::string& form = option<std::string>(plan.spec.algorithm.options, "form");
    if (form == "recurrent")
        return 0;
    return form == "parallel" ? std::max<Index>(plan.keys, 1)
                              : option<Index>(plan.spec.algorithm.options, "chunk");
}

Option scaled_option(bool standard) {
    return {.name = "scaled",
            .label = "Scale queries",
            .standard = standard,
            .help = "Divides every query by the square root of d_k."};
}

double query_scale(const Plan& plan) {
    return option<bool>(plan.spec.algorithm.options, "scaled")
               ? 1 / std::sqrt(static_cast<double>(plan.head_query_width()))
               : 1;
}

namespace {

Arithmetic explain_similarity(const ExplainedCell& cell) {
    if (cell.column >= cell.plan.allowed.end(cell.row))
        return "0, for the mask forbids this key";
    if (cell.is_recorded("query_features"))
        return "features of the query · features of the key = " +
               cell.product("query_features", cell.head, "key_features", cell.head,
                            cell.trace.find("key_features")->shape.back());
    const Arithmetic product = cell.product(cell.compared_query(), cell.head, cell.compared_key(),
                                            cell.plan.kv_head(cell.head), cell.plan.head_query_width());
    return option<bool>(cell.plan.spec.algorithm.options, "scaled")
               ? "q · k / √d = (" + product + ") / √" + std::to_string(cell.plan.head_query_width())
               : "q · k = " + product;
}

/// Gates of the keys after this one, up to the last that the query sees.
Arithmetic explain_decay(const ExplainedCell& cell) {
    const Index end = cell.plan.allowed.end(cell.row);
    if (cell.column >= end)
        return "0, for the mask forbids this key";
    std::vector<double> gates;
    for (Index key = cell.column + 1; key < end; ++key)
        gates.push_back(cell.at("gates", 0, cell.head, key));
    return gates.empty() ? "1: no key comes after this one" : product_of(gates);
}

}  // namespace

std::vector<DeclaredStage> declared_shifted_recurrence_stages() {
    std::vector<DeclaredStage> stages = declared_recurrence_stages();
    std::ranges::find(stages, "similarities", &DeclaredStage::name)->said =
        "features of the query · features of the key, over what all of the row have in common";
    return stages;
}

Arithmetic explain_recurrence(const ExplainedCell& cell, std::string_view stage) {
    if (stage == "similarities")
        return explain_similarity(cell);
    if (stage == "decay_mask")
        return explain_decay(cell);
    if (stage == "errors")
        return written(cell.at("value", cell.plan.kv_head(cell.head), cell.row, cell.column)) + " − " +
               cell.shown("predictions") + ": value − prediction";
    return {};
}

}  // namespace headlight
