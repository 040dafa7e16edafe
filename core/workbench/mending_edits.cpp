#include "core/workbench/mending_edits.h"

#include "core/attention/plan.h"
#include "core/text/split.h"
#include "core/workbench/sequence_edits.h"
#include "core/workbench/word_trials.h"

#include <algorithm>
#include <string>
#include <utility>

namespace headlight {
namespace {

/// How many a trial takes: widths fit however many there are.
Index tokens_to_try(const std::string& text, TokenSplit split) {
    constexpr std::ptrdiff_t most = 32;
    try {
        return std::min(std::ssize(split_text(text, split)), most);
    } catch (const Error&) {
        return 1;
    }
}

bool can_be_planned(const AttentionSpec& spec, const TokenDimensions& tokens) {
    try {
        check_parts(spec, tokens);
        return true;
    } catch (const Error&) {
        return false;
    }
}

std::optional<Edit> with_fitting_dimension(Session session, const AttentionSpec& spec) {
    constexpr Index furthest = 64;  // further ones make another picture
    const SequenceSettings& sequence = session.sequence;
    TokenDimensions tokens;
    tokens.queries = tokens.keys = tokens_to_try(sequence.query_text, sequence.split);
    if (spec.source.type != SourceType::self && !sequence.key_text.empty())
        tokens.keys = tokens_to_try(sequence.key_text, sequence.split);
    const auto fits = [&](Index dimension) {
        tokens.query_width = tokens.key_width = tokens.value_width = dimension;
        return can_be_planned(spec, tokens);
    };
    const Index now = sequence.vectors.dimension;
    if (fits(now))  // something else is wrong
        return std::nullopt;
    for (Index dimension = now + 1; dimension <= std::min(now + furthest, widest_vectors); ++dimension)
        if (fits(dimension)) {
            Edit edit = set_dimension(std::move(session), dimension, 0);
            edit.merge.clear();  // no movement of the hand
            return edit;
        }
    return std::nullopt;
}

std::optional<Edit> with_heads_that_fit(Session session, const AttentionSpec& spec) {
    const AttentionSpec fitting = with_fitting_heads(spec, few_tokens(*session.sequence.file));
    if (!session.custom || fitting == spec)
        return std::nullopt;
    session.custom->spec.heads = fitting.heads;
    return Edit{"Heads: " + std::to_string(fitting.heads.heads), std::move(session)};
}

}  // namespace

std::optional<Edit> mending_edit(Session session, const Error& error) {
    const bool is_of_lines = error.detail().what == "formula";
    if (!session.runs_mechanism() || session.sequence.image || !session.edited.empty() || is_of_lines)
        return std::nullopt;
    try {
        const AttentionSpec spec = session_spec(session);
        return session.sequence.file ? with_heads_that_fit(std::move(session), spec)
                                     : with_fitting_dimension(std::move(session), spec);
    } catch (const Error&) {  // of a spec that says nothing
        return std::nullopt;
    }
}

}  // namespace headlight
