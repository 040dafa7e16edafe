// What a mixer with a state costs and records, which options it has, and what its cells follow from.
#include "core/attention/arithmetic_text.h"
#include "core/attention/explained_cell.h"
#include "core/attention/recurrence.h"
#include "core/attention/work.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

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
    const bool has_states = kind.chunk == 0 && gives_prefixes(plan.spec.mask);
    if (has_states && kind.is_delta) {
        list.add("predictions", {head, key, feature}, {heads, keys, width});
        list.add("errors", {head, key, feature}, {heads, keys, width});
    }
    if (has_states && kind.shows_state)
        list.add("state", {head, query, feature, attention}, {heads, plan.queries, kind.features, width});
    if (kind.divisor == Divisor::sum || kind.divisor == Divisor::sum_above_one)
        list.add_column("row_sum");
}

std::vector<DeclaredStage> declared_recurrence_stages() {
    return {{"query_features", "Features of the queries"},
            {"key_features", "Features of the keys"},
            made_stage("gates", "Gates", {},
                       {.is_share = true, .said = "what is left of the state when this key comes"}),
            made_stage("cumulative_gates", "Running sums of log gates", {},
                       {.said = "sum of the logarithms of the gates so far"}),
            {"decay_mask", "Decay mask"},
            {"write_strengths", "Write strengths"},
            {"similarities", "Similarities"},
            made_stage("predictions", "What the state answers", {},
                       {.said = "what the state answers to this key before it is written"}),
            {"errors", "Errors to write"},
            made_stage("state", "State", {},
                       {.said = "what is stored when this query reads, of each feature of the keys for each "
                                "of the values"})};
}

std::vector<Option> form_options() {
    return {
        word_option("form", "Form", {"recurrent", "chunkwise", "parallel"},
                    "Whether the output comes from a state that takes one key after another, from the map, "
                    "or from a state between chunks and the map within them; the numbers are the same."),
        count_option("chunk", "Chunk length", 4, logarithmic_range(1, 1024),
                     "How many keys the chunkwise form looks at one by one before they go into the state.")};
}

Index chunk_of(const Plan& plan) {
    const std::string& form = plan.algorithm().word("form");
    if (form == "recurrent")
        return 0;
    return form == "parallel" ? std::max<Index>(plan.keys, 1) : plan.algorithm().count("chunk");
}

Option scaled_option(bool standard) {
    return flag_option("scaled", "Scale queries", standard, "Divides every query by the square root of d_k.");
}

double query_scale(const Plan& plan) {
    return plan.algorithm().flag("scaled") ? 1 / std::sqrt(static_cast<double>(plan.head_query_width())) : 1;
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
    return cell.plan.algorithm().flag("scaled")
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

/// What is written here is what the cell has, but for rounding: mixers differ in what they do to a vector,
/// and in what they keep of a state.
bool is_the_cells(const ExplainedCell& cell, double number) {
    return std::abs(number - cell.asked()) <= 1e-6 * std::abs(number) + 1e-12;
}

/// Features that are the vector itself, or its direction.
Arithmetic explain_features(const ExplainedCell& cell, bool is_query) {
    const auto row = is_query ? cell.row_of(cell.compared_query(), cell.head, cell.row)
                              : cell.row_of(cell.compared_key(), cell.plan.kv_head(cell.head), cell.row);
    if (cell.column >= std::ssize(row))
        return {};
    const std::string name = is_query ? "q" : "k";
    const double number = row[static_cast<std::size_t>(cell.column)];
    const double scale = is_query ? query_scale(cell.plan) : 1;
    if (scale != 1 && is_the_cells(cell, number * scale))
        return name + " / √d = " + written(number) + " / √" + std::to_string(row.size());
    if (is_the_cells(cell, number))
        return name + " = " + written(number);
    std::vector<Factors> squares;
    double sum = 0;
    for (const double each : row) {
        squares.push_back({each, each});
        sum += each * each;
    }
    if (sum == 0 || !is_the_cells(cell, number / std::sqrt(sum)))
        return {};
    return name + " / |" + name + "| = " + written(number) + " / √(" + sum_of_products(squares) + ")";
}

/// A number for each key of a head, or one for each of its features.
double of_key(const ExplainedCell& cell, std::string_view stage, Index key, Index feature) {
    return cell.trace.find(stage)->axes.size() == 3 ? cell.at(stage, cell.head, key, feature)
                                                    : cell.at(stage, 0, cell.head, key);
}

Arithmetic explain_running_sum(const ExplainedCell& cell) {
    const double gate = of_key(cell, "gates", cell.row, cell.column);
    const double before = cell.row > 0 ? of_key(cell, "cumulative_gates", cell.row - 1, cell.column) : 0;
    if (gate <= 0 || !is_the_cells(cell, before + std::log(gate)))
        return {};
    const Arithmetic last = "ln(" + written(gate) + ")";
    return cell.row > 0 ? written(before) + " + " + last : last;
}

/// The query that reads the state when so many keys are in it; nothing where none does.
std::optional<Index> reader_after(const ExplainedCell& cell, Index keys) {
    for (Index query = 0; query < cell.plan.queries; ++query)
        if (cell.plan.allowed.end(query) == keys)
            return query;
    return {};
}

/// What is stored of a feature of the keys for one of the values, when a query reads.
double stored(const ExplainedCell& cell, Index query, Index feature, Index value) {
    const Index features = cell.trace.find("state")->shape[2];
    return cell.at("state", cell.head, query * features + feature, value);
}

/// A feature of a key as it is written into the state.
double written_feature(const ExplainedCell& cell, Index key, Index feature) {
    if (cell.is_recorded("key_features"))
        return cell.at("key_features", cell.head, key, feature);
    return cell.at(cell.compared_key(), cell.plan.kv_head(cell.head), key, feature);
}

constexpr const char* nothing_stored = "0: nothing is stored yet";

Arithmetic explain_prediction(const ExplainedCell& cell) {
    const Index key = cell.row;
    if (key == 0)
        return nothing_stored;
    const auto reader = reader_after(cell, key);
    if (!reader || !cell.is_recorded("state") || !cell.is_recorded("key_features"))
        return {};
    const bool has_gates = cell.is_recorded("gates");
    const bool has_gate = has_gates && cell.trace.find("gates")->axes.size() == 2;
    const double gate = has_gate ? of_key(cell, "gates", key, 0) : 1;
    std::vector<Factors> terms;
    double sum = 0;
    for (Index feature = 0; feature < cell.trace.find("state")->shape[2]; ++feature) {
        const double left = has_gates && !has_gate ? of_key(cell, "gates", key, feature) : 1;
        terms.push_back(
            {written_feature(cell, key, feature) * left, stored(cell, *reader, feature, cell.column)});
        sum += terms.back().left * terms.back().right;
    }
    if (!is_the_cells(cell, gate * sum))
        return {};
    const Arithmetic product = sum_of_products(terms);
    return has_gate ? "gate × (key · state) = " + written(gate) + " × (" + product + ")"
                    : "key · state = " + product;
}

/// Every key times its value, where nothing of them fades: also of a query that sees all of them at once.
Arithmetic explain_sum_of_keys(const ExplainedCell& cell, Index keys, Index feature, Index value) {
    std::vector<Factors> terms;
    double sum = 0;
    for (Index key = 0; key < keys; ++key) {
        terms.push_back({written_feature(cell, key, feature),
                         cell.at("value", cell.plan.kv_head(cell.head), key, value)});
        sum += terms.back().left * terms.back().right;
    }
    return is_the_cells(cell, sum) ? "Σ key · value = " + sum_of_products(terms) : Arithmetic();
}

/// What is left of the state before, and what the newest key writes to it.
Arithmetic explain_state(const ExplainedCell& cell) {
    // A row is a feature of the state that a query reads; cells of four axes are taken apart as of pairs.
    const Index row = cell.row * cell.plan.keys + cell.column, features = cell.stage.shape[2];
    const Index query = row / features, feature = row % features, value = cell.feature;
    const Index keys = cell.plan.allowed.end(query), newest = keys - 1;
    if (keys == 0)
        return nothing_stored;
    if (!cell.is_recorded("key_features") && feature >= cell.trace.find(cell.compared_key())->shape.back())
        return {};
    const bool is_delta = cell.is_recorded("errors"), has_gates = cell.is_recorded("gates");
    if (!is_delta && !has_gates)
        return explain_sum_of_keys(cell, keys, feature, value);
    const auto reader = reader_after(cell, newest);
    if (newest > 0 && !reader)
        return {};
    const double key = written_feature(cell, newest, feature);
    const double added = is_delta ? cell.at("errors", cell.head, newest, value)
                                  : cell.at("value", cell.plan.kv_head(cell.head), newest, value);
    double number = key * added;
    Arithmetic text = written(key) + " × " + written(added);
    if (cell.is_recorded("write_strengths")) {
        const double strength = of_key(cell, "write_strengths", newest, 0);
        number *= strength;
        text = written(strength) + " × " + text;
    }
    if (newest > 0) {
        const double before = stored(cell, *reader, feature, value);
        const double gate = has_gates ? of_key(cell, "gates", newest, feature) : 1;
        number += gate * before;
        text = (has_gates ? written(gate) + " × " : Arithmetic()) + written(before) + " + " + text;
    }
    return is_the_cells(cell, number) ? text : Arithmetic();
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
    if (stage == "query_features" || stage == "key_features")
        return explain_features(cell, stage == "query_features");
    if (stage == "cumulative_gates")
        return explain_running_sum(cell);
    if (stage == "predictions")
        return explain_prediction(cell);
    if (stage == "state")
        return explain_state(cell);
    if (stage == "errors")
        return written(cell.at("value", cell.plan.kv_head(cell.head), cell.row, cell.column)) + " − " +
               cell.shown("predictions") + ": value − prediction";
    return {};
}

}  // namespace headlight
