#include "core/io/trace_check.h"

#include "core/attention/component.h"
#include "core/attention/json_object.h"
#include "core/attention/spec_words.h"
#include "core/io/json_text.h"
#include "core/model/generation_trace.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace headlight {

namespace {

constexpr const char* trace_document = "read trace";

std::string pointer_to_stage(const Trace& trace, const Stage& stage) {
    return pointer_to("/stages", static_cast<std::size_t>(&stage - trace.stages().data()));
}

/// The document's labels belong to a mechanism on its own: the stages of a model's sites count other tokens,
/// and have labels of their own.
void require_labels_that_fit(const Trace& trace) {
    for (const Stage& stage : trace.stages()) {
        if (!stage.site.empty() && !trace.joined_tokens.contains(stage.site))
            continue;
        const std::string place = stage.site.empty() ? "" : pointer_to("/sites", stage.site);
        const auto require = [&](std::size_t labels, Axis axis, const std::string& name) {
            const Index extent = stage.extent(axis);
            if (labels != 0 && extent != 0 && static_cast<Index>(labels) != extent)
                throw Error({trace_document, place + "/tokens/" + name,
                             std::to_string(extent) + ", as the stages have", std::to_string(labels)});
        };
        const TokenLabels& tokens = trace.tokens_at(stage.site);
        require(tokens.query.size(), Axis::query, "query");
        require(tokens.query_unknown.size(), Axis::query, "query_unknown");
        require(tokens.key.size(), Axis::key, "key");
        require(tokens.key_unknown.size(), Axis::key, "key_unknown");
    }
}

/// Heads of keys may be fewer than those of queries, where each serves as many.
void require_heads_that_fit(const Trace& trace) {
    std::map<std::string, Index> most;
    for (const Stage& stage : trace.stages())
        most[stage.site] = std::max(most[stage.site], stage.extent(Axis::head));
    for (const Stage& stage : trace.stages())
        if (const Index heads = stage.extent(Axis::head); heads != 0 && most[stage.site] % heads != 0)
            throw Error({trace_document, pointer_to_stage(trace, stage) + "/shape",
                         "\"head\" to count what divides the " + std::to_string(most[stage.site]) +
                             " heads of another stage",
                         std::to_string(heads)});
}

/// In self attention those who look are those who are looked at, by one name.
void require_keys_that_are_queries(const Trace& trace) {
    for (const Stage& stage : trace.stages()) {
        const AttentionSpec* spec = trace.known_spec_at(stage.site);
        if (!spec || spec->source.type != SourceType::self)
            continue;
        const TokenLabels& tokens = trace.tokens_at(stage.site);
        const Index keys = stage.extent(Axis::key), labels = std::ssize(tokens.query);
        if (tokens.key.empty() && labels != 0 && keys != 0 && keys != labels)
            throw Error({trace_document, pointer_to_stage(trace, stage) + "/shape",
                         "as many keys as queries in self attention, " + std::to_string(labels),
                         std::to_string(keys)});
    }
}

/// The stages of probabilities are those of what was said but for the logits.
bool has_probabilities(const Stage& stage) {
    return stage.name != "logits" && std::ranges::count(output_stages(), stage.name, &Stage::name) > 0;
}

constexpr double largest_share = 1 + 1e-5;  // sums of rounded numbers
bool is_share(double value) { return value >= 0 && value <= largest_share; }

void require_each(const Trace& trace, const Stage& stage, bool (*can_be)(double),
                  const std::string& expected) {
    const auto values = trace.values(stage);
    const auto wrong = std::ranges::find_if_not(values, can_be);
    if (wrong != values.end())
        throw Error({trace_document,
                     pointer_to(pointer_to_stage(trace, stage) + "/data",
                                static_cast<std::size_t>(wrong - values.begin())),
                     expected, describe(number_to_json(*wrong))});
}

}  // namespace

void require_extents_that_fit(const Trace& trace) {
    require_labels_that_fit(trace);
    require_heads_that_fit(trace);
    require_keys_that_are_queries(trace);
}

void require_numbers_that_can_be(const Trace& trace) {
    for (const Stage& stage : trace.stages()) {
        if (has_probabilities(stage))
            require_each(trace, stage, is_share, "a probability from 0 to 1");
        if (stage.name != "weights")
            continue;
        require_each(
            trace, stage, [](double value) { return std::isfinite(value); }, "a finite weight");
        if (const AttentionSpec* spec = trace.known_spec_at(stage.site); spec && weights_are_shares(*spec))
            require_each(trace, stage, is_share,
                         "weights from 0 to 1, as " + std::string(to_word(spec->normalizer.type)) +
                             " gives them");
    }
}

}  // namespace headlight
