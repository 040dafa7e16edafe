#include "core/figure/words.h"

#include "core/figure/build_figure.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headlight {

namespace {

constexpr std::pair<std::string_view, std::string_view> stage_titles[] = {
    {"tokens", "Token vectors"},
    {"key_tokens", "Key token vectors"},
    {"value_tokens", "Value token vectors"},
    {"position", "Positions"},
    {"key_position", "Key positions"},
    {"query", "Query"},
    {"key", "Key"},
    {"value", "Value"},
    {"energy", "Energy"},
    {"scores", "Scores"},
    {"scaled_scores", "Scaled scores"},
    {"biased_scores", "Scores with position bias"},
    {"masked_scores", "Masked scores"},
    {"row_maximum", "Row maximum"},
    {"exponentials", "Exponentials"},
    {"row_sum", "Row sum"},
    {"soft_weights", "Soft weights"},
    {"draw", "Drawn keys"},
    {"frequencies", "Draw frequencies"},
    {"weights", "Weights"},
    {"context", "Context"},
    {"concatenation", "Concatenation"},
    {"output", "Output"},
};

/// The picture of a character that would otherwise be invisible; empty for visible ones.
std::string_view picture(std::string_view text) {
    constexpr std::pair<std::string_view, std::string_view> pictures[] = {
        {" ", "␣"}, {"\u00a0", "␣"}, {"\u3000", "␣"}, {"\u2009", "␣"}, {"\n", "↵"}, {"\r", "↵"}, {"\t", "⇥"},
    };
    for (const auto& [character, shown] : pictures)
        if (text.starts_with(character))
            return shown;
    return {};
}

std::size_t character_length(unsigned char lead) {
    return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

bool is_score(const AttentionSpec& spec, std::initializer_list<ScoreType> types) {
    return std::ranges::find(types, spec.score.type) != types.end();
}

bool has_causal(const Mask& mask) {
    if (std::holds_alternative<CausalMask>(mask.rule))
        return true;
    const auto* all = std::get_if<AllOf>(&mask.rule);
    return all && std::ranges::any_of(all->masks, has_causal);
}

}  // namespace

std::string stage_title(std::string_view stage) {
    const auto found =
        std::ranges::find(stage_titles, stage, &std::pair<std::string_view, std::string_view>::first);
    return std::string(found == std::end(stage_titles) ? stage : found->second);
}

std::string visible_token(const std::string& token) {
    const auto is_space = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
    const auto first_word = std::ranges::find_if_not(token, is_space) - token.begin();
    const auto last_word = std::find_if_not(token.rbegin(), token.rend(), is_space).base() - token.begin();
    std::string shown;
    for (std::size_t at = 0; at < token.size();) {
        const std::string_view rest = std::string_view(token).substr(at);
        const auto length = std::min(rest.size(), character_length(static_cast<unsigned char>(rest.front())));
        const bool inside = static_cast<Index>(at) > first_word && static_cast<Index>(at) < last_word;
        const bool plain_space_inside = inside && rest.front() == ' ';
        if (const auto shape = picture(rest); !shape.empty() && !plain_space_inside)
            shown += shape;
        else if (static_cast<unsigned char>(rest.front()) < 0x20 || rest.front() == 0x7f)
            shown += "�";
        else
            shown += rest.substr(0, length);
        at += length;
    }
    return shown;
}

std::string mechanism_title(const AttentionSpec& spec) {
    std::string score;
    switch (spec.score.type) {
    case ScoreType::dot:
        score = "dot-product";
        break;
    case ScoreType::scaled_dot:
        score = "scaled dot-product";
        break;
    case ScoreType::learned_scale:
        score = "learned-scale dot-product";
        break;
    case ScoreType::general:
        score = "general";
        break;
    case ScoreType::concat:
        score = "concat";
        break;
    case ScoreType::additive:
        score = "additive";
        break;
    case ScoreType::self_similarity:
        score = "parameter-free";
        break;
    }
    std::string title = spec.heads.type == HeadsType::multi ? "multi-head " : "";
    if (spec.normalizer.type == NormalizerType::hard)
        title += "hard ";
    title += score + (spec.source.type == SourceType::cross ? " cross-attention" : " self-attention");
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    if (has_causal(spec.mask))
        title += ", causal";
    else if (is_masked(spec.mask))
        title += ", masked";
    return title;
}

std::string stage_subtitle(const AttentionSpec& spec, std::string_view stage) {
    const bool learned = spec.projections.type == ProjectionType::learned;
    const std::string bias = learned && spec.projections.bias ? " + b" : "";
    if (stage == "query" || stage == "key" || stage == "value")
        return learned ? "tokens × W" + bias : "";
    if (stage == "scores") {
        if (is_score(spec, {ScoreType::general}))
            return "query × W × keyᵀ";
        if (is_score(spec, {ScoreType::additive, ScoreType::concat}))
            return "v · energy";
        return is_score(spec, {ScoreType::self_similarity}) ? "tokens × tokensᵀ" : "query × keyᵀ";
    }
    if (stage == "scaled_scores")
        return is_score(spec, {ScoreType::learned_scale}) ? "scores × g" : "scores ÷ √d";
    if (stage == "masked_scores")
        return "forbidden cells are −∞";
    if (stage == "exponentials")
        return "exp of each score minus its row’s maximum";
    if (stage == "soft_weights")
        return "softmax of each row";
    if (stage == "weights") {
        if (spec.normalizer.type == NormalizerType::softmax)
            return "softmax of each row";
        return spec.normalizer.mode == HardMode::argmax ? "1 on the largest score of each row"
                                                        : "1 on a key drawn from each row";
    }
    if (stage == "context")
        return "weights × value";
    if (stage == "concatenation")
        return "the heads’ contexts side by side";
    return stage == "output" && spec.heads.type == HeadsType::multi ? "concatenation × W_o" : "";
}

std::string head_title(Index head, Index heads) {
    return heads > 1 ? "head " + std::to_string(head + 1) + " of " + std::to_string(heads) : "";
}

std::string axis_title(Axis axis, bool with_hint) {
    switch (axis) {
    case Axis::head:
        return "head";
    case Axis::query:
        return with_hint ? "query (who looks)" : "query";
    case Axis::key:
        return with_hint ? "key (what is looked at)" : "key";
    case Axis::feature:
        return "feature";
    case Axis::attention:
        return "hidden unit";
    }
    return "";
}

namespace {

/// The list that belongs to the axis, if it has an entry for every row. Captures of self-attention may name
/// the sequence once: the keys then are the queries.
template <class Values>
Values of_axis(const Trace& trace, const Values& query, const Values& key, Axis axis, Index extent) {
    if (axis != Axis::query && axis != Axis::key)
        return {};
    const Values& named = axis == Axis::key && !trace.tokens.key.empty() ? key : query;
    return static_cast<Index>(named.size()) == extent ? named : Values();
}

}  // namespace

std::vector<std::string> axis_labels(const Trace& trace, Axis axis, Index extent) {
    auto labels = of_axis(trace, trace.tokens.query, trace.tokens.key, axis, extent);
    std::ranges::transform(labels, labels.begin(), visible_token);
    return labels;
}

std::vector<bool> axis_marks(const Trace& trace, Axis axis, Index extent) {
    auto marks = of_axis(trace, trace.tokens.query_unknown, trace.tokens.key_unknown, axis, extent);
    if (std::ranges::find(marks, true) == marks.end())
        marks.clear();
    return marks;
}

}  // namespace headlight
