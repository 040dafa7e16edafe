#include "core/figure/words.h"

#include "core/attention/component.h"
#include "core/attention/spec_words.h"
#include "core/figure/build_figure.h"
#include "core/model/generation_trace.h"

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
    {"hidden", "Hidden layer"},
    {"previous_weights", "Previous weights"},
    {"location_features", "Location features"},
    {"coverage", "Coverage"},
    {"coverage_loss", "Coverage loss"},
    {"token_scores", "Scores of single tokens"},
    {"erasures", "Erasures"},
    {"erased", "Erased so far"},
    {"scores", "Scores"},
    {"scaled_scores", "Scaled scores"},
    {"biased_scores", "Scores with position bias"},
    {"masked_scores", "Masked scores"},
    {"row_maximum", "Row maximum"},
    {"exponentials", "Exponentials"},
    {"row_sum", "Row sum"},
    {"soft_weights", "Soft weights"},
    {"probe", "Probe"},
    {"probe_products", "Probe on the keys"},
    {"probe_means", "Mean of the probe"},
    {"draw", "Drawn keys"},
    {"frequencies", "Draw frequencies"},
    {"weights", "Weights"},
    {"context", "Context"},
    {"concatenation", "Concatenation"},
    {"output", "Output"},
    {"logits", "Logits"},
    {"generation_probability", "Probability of generating"},
    {"vocabulary_distribution", "Words if generated"},
    {"copied_distribution", "Words if copied"},
    {"squeeze", "Channels, squeezed"},
    {"channel_gate", "Gates of the channels"},
    {"channel_gated", "Features behind the gates of the channels"},
    {"variances", "Variances of the channels"},
    {"feature_gates", "Gates of the features"},
    {"place_squeeze", "Places, squeezed"},
    {"spatial_gate", "Gates of the places"},
    {"update", "Update"},
    {"query_features", "Features of the queries"},
    {"key_features", "Features of the keys"},
    {"decay_mask", "Decay mask"},
    {"write_strengths", "Write strengths"},
    {"similarities", "Similarities"},
    {"predictions", "What the state answers"},
    {"errors", "Errors to write"},
    {"state", "State"},
    {"solutions", "Solutions"},
    {"channel_weights", "Weights of each channel"},
    {"means", "Means of the values"},
    {"receptance", "Receptance"},
    {"pooled_keys", "Pooled keys"},
    {"pooled_values", "Pooled values"},
    {"pooled_weights", "Weights of the pooled keys"},
    {"query_landmarks", "Query landmarks"},
    {"key_landmarks", "Key landmarks"},
    {"to_landmarks", "Weights of the key landmarks"},
    {"landmark_weights", "Weights between landmarks"},
    {"from_landmarks", "Weights of the query landmarks"},
    {"residuals", "Residuals of the inverse"},
    {"landmark_inverse", "Inverse between landmarks"},
    {"latent", "Latent vectors"},
    {"content_key", "Keys of the content"},
    {"rotary_key", "Rotary key"},
    {"rotary_query", "Rotary queries"},
    {"absorbed_query", "Absorbed queries"},
    {"content_scores", "Scores of the content"},
    {"rotary_scores", "Scores of the position"},
    {"latent_context", "Mean latents"},
    {"first_scores", "First scores"},
    {"first_weights", "First weights"},
    {"second_scores", "Second scores"},
    {"second_weights", "Second weights"},
    {"lambda", "λ"},
    {"difference_context", "Context before its norm"},
    {"mixed_scores", "Scores mixed over the heads"},
    {"normalized_query", "Normalised queries"},
    {"normalized_key", "Normalised keys"},
    {"gate", "Gate"},
    {"gated_context", "Gated context"},
    {"running_maximum", "Running maximum"},
    {"running_sum", "Running sum"},
    {"corrections", "Corrections"},
    {"appended_rows", "Appended rows"},
    {"cached_rows", "Rows in the cache"},
    {"cache_bytes", "Bytes in the cache"},
    {"compressed_weights", "Weights of compressed blocks"},
    {"block_importance", "Importance of blocks"},
    {"chosen_blocks", "Chosen blocks"},
    {"selected_weights", "Weights of the selected branch"},
    {"window_weights", "Weights of the window branch"},
    {"branch_gates", "Gates of the branches"},
    {"controls", "Controls of the head"},
    {"cosines", "Cosines"},
    {"content_weights", "Weights by content"},
    {"interpolated_weights", "Interpolated weights"},
    {"shifted_weights", "Shifted weights"},
    {"states", "States"},
    {"energies", "Energies"},
    {"slot_scores", "Scores of the slots"},
    {"slot_shares", "Shares of the slots"},
    {"slot_weights", "Weights of the slots"},
    {"length_factor", "Length factor"},
    {"unassigned", "Weight of no key"},
    {"threshold", "Threshold"},
    {"row_bias", "Bias of the row"},
    {"allowed_keys", "Allowed keys"},
    {"polynomial", "Polynomial"},
    {"noise", "Noise"},
    {"stopping_probabilities", "Stopping probabilities"},
    {"stopping_weights", "Stopping weights"},
    {"break_probabilities", "Break probabilities"},
    {"shares", "Shares"},
    {"centre_energy", "Energy of the centres"},
    {"centres", "Predicted centres"},
    {"gaussian", "Gaussian"},
    {"windowed_weights", "Softmax over the window"},
    {"query_buckets", "Buckets of the queries"},
    {"key_buckets", "Buckets of the keys"},
    {"page_bounds", "Bounds of the pages"},
    {"block_gates", "Gates of the blocks"},
    {"index_query", "Queries of the index"},
    {"angles", "Angles of the pairs"},
    {"rotated_query", "Rotated queries"},
    {"rotated_key", "Rotated keys"},
    {"position_bias", "Position bias"},
    {"relative_scores", "Scores of the distance"},
    {"content_position_scores", "Content of the query, place of the key"},
    {"global_content_scores", "Content of the key alone"},
    {"global_position_scores", "Distance alone"},
    {"content_to_position", "Content to position"},
    {"position_to_content", "Position to content"},
    {"gates", "Gates"},
    {"counted_positions", "Counted positions"},
    {"forget_gates", "Forget gates"},
    {"cumulative_gates", "Running sums of log gates"},
    {"path_directions", "Directions of the reflections"},
    {"path_strengths", "Strengths of the reflections"},
    {"index_key", "Keys of the index"},
    {"index_gates", "Weights of the index’s heads"},
    {"index_scores", "Index scores"},
    {"query_affinities", "Queries and centroids"},
    {"key_affinities", "Keys and centroids"},
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

/// A word of a spec as a person reads it.
std::string readable(std::string word) {
    std::ranges::replace(word, '_', ' ');
    return word;
}

std::string heads_word(HeadsType type) {
    switch (type) {
    case HeadsType::single:
        return "";
    case HeadsType::multi:
        return "multi-head ";
    case HeadsType::multi_query:
        return "multi-query ";
    case HeadsType::grouped_query:
        return "grouped-query ";
    case HeadsType::talking:
        return "talking-heads ";
    }
    return "";
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

std::string trace_title(const Trace& trace) {
    return trace.name.empty() ? mechanism_title(trace.spec) : trace.name;
}

std::string trace_title(const Trace& trace, const std::string& site) {
    std::string title = trace_title(trace);
    if (site == says_in_decoder || site == says_in_encoder) {
        title = "What ";
        title += trace.name.empty() ? "the model" : trace.name;
        title += " says";
    }
    return site.empty() ? title : title + ", " + site;
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
    default:
        score = readable(to_word(spec.score.type));
    }
    if (spec.algorithm.type != AlgorithmType::composed)
        score = readable(to_word(spec.algorithm.type));
    std::string title = heads_word(spec.heads.type);
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
    const bool is_composed = headlight::is_composed(spec);
    if (stage == "scores" && is_composed) {
        if (is_score(spec, {ScoreType::general}))
            return "query × W × keyᵀ";
        if (is_score(spec, {ScoreType::additive, ScoreType::concat}))
            return "v · energy";
        if (is_score(spec, {ScoreType::self_similarity}))
            return "tokens × tokensᵀ";
        return is_score(spec, {ScoreType::dot, ScoreType::scaled_dot, ScoreType::learned_scale})
                   ? "query × keyᵀ"
                   : readable(to_word(spec.score.type));
    }
    if (stage == "scaled_scores" && is_score(spec, {ScoreType::learned_scale}))
        return "scores × g";
    if (stage == "scaled_scores")
        return is_score(spec, {ScoreType::scaled_dot}) ? "scores ÷ √d" : "";
    if (stage == "masked_scores")
        return "forbidden cells are −∞";
    if (stage == "exponentials")
        return "exp of each score minus its row’s maximum";
    if (stage == "soft_weights")
        return "softmax of each row";
    if (stage == "weights" && is_composed) {
        if (spec.heads.type == HeadsType::talking)
            return "the heads’ softmax, mixed";
        if (changes_weights(spec))
            return readable(to_word(spec.algorithm.type));
        if (spec.normalizer.type == NormalizerType::softmax)
            return "softmax of each row";
        if (spec.normalizer.type != NormalizerType::hard)
            return readable(to_word(spec.normalizer.type));
        return spec.normalizer.mode == HardMode::argmax ? "1 on the largest score of each row"
                                                        : "1 on a key drawn from each row";
    }
    if (stage == "context")
        return is_composed ? "weights × value" : "";
    if (stage == "gated_context")
        return "context × gate";
    if (stage == "concatenation")
        return "the heads’ contexts side by side";
    if (stage == "update")
        return "γ × what attention gives";
    const bool has_update = spec.algorithm.type == AlgorithmType::non_local;
    return stage == "output" && learned && spec.heads.type != HeadsType::single && !has_update
               ? "concatenation × W_o"
               : "";
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

bool is_said(std::string_view stage) {
    return std::ranges::find(said_stages(), stage, &Stage::name) != said_stages().end();
}

}  // namespace

std::string axis_title(std::string_view stage, Axis axis, bool with_hint) {
    if (!is_said(stage))
        return axis_title(axis, with_hint);
    switch (axis) {
    case Axis::query:
        return "step";
    case Axis::key:
        return "word";
    default:
        return "p_gen";  // the one number of a step
    }
}

std::string step_subject(std::string_view stage, const std::string& token) {
    const std::string quoted = "“" + token + "”";
    return quoted + (is_said(stage) ? " is said" : " looks");
}

namespace {

/// The list that belongs to the axis, if it has an entry for every row. Captures of self-attention may name
/// the sequence once: the keys then are the queries.
template <class Values>
Values of_axis(const TokenLabels& tokens, const Values& query, const Values& key, Axis axis, Index extent) {
    if (axis != Axis::query && axis != Axis::key)
        return {};
    const Values& named = axis == Axis::key && !tokens.key.empty() ? key : query;
    return static_cast<Index>(named.size()) == extent ? named : Values();
}

}  // namespace

std::vector<std::string> axis_labels(const TokenLabels& tokens, Axis axis, Index extent) {
    auto labels = of_axis(tokens, tokens.query, tokens.key, axis, extent);
    std::ranges::transform(labels, labels.begin(), visible_token);
    return labels;
}

std::vector<bool> axis_marks(const TokenLabels& tokens, Axis axis, Index extent) {
    auto marks = of_axis(tokens, tokens.query_unknown, tokens.key_unknown, axis, extent);
    if (std::ranges::find(marks, true) == marks.end())
        marks.clear();
    return marks;
}

}  // namespace headlight
