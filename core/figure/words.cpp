#include "core/figure/words.h"

#include "core/attention/component.h"
#include "core/attention/kernel_scores.h"
#include "core/attention/pipeline_stages.h"
#include "core/attention/spec_words.h"
#include "core/figure/build_figure.h"
#include "core/figure/site_words.h"
#include "core/figure/stage_chain.h"
#include "core/map/site_name.h"
#include "core/map/trace_maps.h"
#include "core/model/generation_trace.h"
#include "core/tensor/visible_text.h"
#include "core/text/writing.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <utility>

namespace headlight {

namespace {

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

/// The patterns of places that a mask is made of.
std::vector<std::string> patterns_of(const Mask& mask) {
    if (const auto* pattern = std::get_if<PatternMask>(&mask.rule))
        return {readable(to_word(pattern->type))};
    std::vector<std::string> words;
    const auto add_all = [&words](const std::vector<Mask>& masks) {
        for (const Mask& each : masks)
            std::ranges::move(patterns_of(each), std::back_inserter(words));
    };
    if (const auto* all = std::get_if<AllOf>(&mask.rule))
        add_all(all->masks);
    if (const auto* any = std::get_if<AnyOf>(&mask.rule))
        add_all(any->masks);
    return words;
}

bool has_causal(const Mask& mask) {
    if (std::holds_alternative<CausalMask>(mask.rule))
        return true;
    const auto* all = std::get_if<AllOf>(&mask.rule);
    return all && std::ranges::any_of(all->masks, has_causal);
}

}  // namespace

const DeclaredStage* any_declaration(std::string_view stage) {
    const DeclaredStage* said = declared_said_stage(stage);
    return said ? said : declared_stage(stage);
}

std::string stage_title(std::string_view stage) {
    const DeclaredStage* declared = any_declaration(stage);
    return declared ? declared->title : std::string(stage);
}

std::string stage_title_at(std::string_view stage, std::string_view site) {
    const bool are_encoder_states = site.ends_with("cross");  // of a model; text of one's own has no site
    if (are_encoder_states && stage == "key_tokens")
        return "Encoder states (keys)";
    if (are_encoder_states && stage == "value_tokens")
        return "Encoder states (values)";
    return stage_title(stage);
}

std::string stage_title(const Trace& trace, const Stage& stage) {
    if (is_implied(trace, stage))
        return "Implied weights";
    const AttentionSpec* spec = trace.known_spec_at(stage.site);
    const bool is_typed = spec && spec->algorithm.type == AlgorithmType::formula;
    // A line that a person typed is what it is called, also where a component has a stage of the name.
    const auto typed = is_typed ? declared_by_component(*spec, stage.name) : nullptr;
    return typed ? typed->title : stage_title_at(stage.name, stage.site);
}

std::string stage_title(const Trace& trace, std::string_view stage, const std::string& site) {
    const Stage* const found = trace.find(stage, find_site(trace, site));
    return found ? stage_title(trace, *found) : stage_title(stage);
}

std::string visible_token(const std::string& token) {
    const auto is_space = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
    const auto first_word = std::ranges::find_if_not(token, is_space) - token.begin();
    const auto last_word = std::find_if_not(token.rbegin(), token.rend(), is_space).base() - token.begin();
    // The flags of countries within countries are spelt with characters that have no ink of their own.
    const bool is_flag = token.starts_with("🏴");
    std::string shown = token.empty() ? "∅" : begins_with_mark(token) ? "◌" : "";
    for (std::string_view rest = token; !rest.empty();) {
        const std::string_view here = rest;
        const std::string seen = next_visible(rest);
        const auto at = static_cast<Index>(token.size() - here.size());
        const bool plain_space_inside = here.front() == ' ' && at > first_word && at < last_word;
        if (const auto shape = picture(here); !shape.empty() && !plain_space_inside)
            shown += shape;
        else if (static_cast<unsigned char>(here.front()) < 0x20 || here.front() == 0x7f)
            shown += "�";
        else
            shown += is_flag ? here.substr(0, here.size() - rest.size()) : seen;
    }
    return shown;
}

std::string trace_title(const Trace& trace) {
    return trace.name.empty() ? mechanism_title(trace.spec) : isolated(trace.name);
}

std::string trace_title(const Trace& trace, const std::string& site) {
    std::string title = trace_title(trace);
    if (site == says_in_decoder || site == says_in_encoder)
        return "What " + (trace.name.empty() ? "the model" : in_quotes(trace.name)) + " says";
    return site.empty() ? title : title + ": " + site_in_words(site, has_layers(trace));
}

std::string trace_title_over_layers(const Trace& trace, const std::string& site) {
    const bool is_one_kind = parse_site(site).kind.empty();
    return is_one_kind ? trace_title(trace) : trace_title(trace) + ": " + site_in_words(site, false);
}

std::string capitalized(std::string words) {
    if (!words.empty())
        words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
    return words;
}

std::string mechanism_title(const AttentionSpec& spec) {
    const KernelScore* kernel = kernel_score(spec.score.type);
    std::string score = kernel ? kernel->title : readable(to_word(spec.score.type));
    if (spec.algorithm.type != AlgorithmType::composed)
        score = readable(to_word(spec.algorithm.type));
    std::string title = heads_word(spec.heads.type);
    if (spec.normalizer.type == NormalizerType::hard)
        title += "hard ";
    title += score + (spec.source.type == SourceType::cross ? " cross-attention" : " self-attention");
    title = capitalized(std::move(title));
    if (has_causal(spec.mask))
        title += ", causal";
    else if (is_masked(spec.mask))
        title += ", masked";
    return title;
}

std::string attention_in_few_words(const AttentionSpec& spec) {
    std::vector<std::string> parts;
    const bool has_shared_keys =
        spec.heads.type == HeadsType::grouped_query || spec.heads.type == HeadsType::multi_query;
    if (has_shared_keys || spec.heads.type == HeadsType::talking)
        parts.push_back(readable(to_word(spec.heads.type)));
    if (spec.algorithm.type != AlgorithmType::composed)
        parts.push_back(readable(to_word(spec.algorithm.type)));
    else if (const ScoreType score = spec.score.type;
             score != ScoreType::dot && score != ScoreType::scaled_dot)
        parts.push_back(readable(to_word(score)));
    if (spec.normalizer.type != NormalizerType::softmax)
        parts.push_back(readable(to_word(spec.normalizer.type)));
    std::ranges::move(patterns_of(spec.mask), std::back_inserter(parts));
    if (spec.selection.type != SelectionType::none)
        parts.push_back(readable(to_word(spec.selection.type)));
    for (const PositionType position : {spec.position.type, spec.position.second})
        if (position != PositionType::none)
            parts.push_back(readable(to_word(position)));
    std::string words;
    for (const std::string& part : parts)
        words += (words.empty() ? "" : ", ") + part;
    return words.empty() ? "softmax" : words;
}

std::string stage_subtitle(const AttentionSpec& spec, std::string_view stage) {
    const bool learned = spec.projections.type == ProjectionType::learned;
    const std::string bias = learned && spec.projections.bias ? " + b" : "";
    if (stage == "query" || stage == "key" || stage == "value")
        return learned ? "tokens × W" + bias : "";
    const bool is_composed = headlight::is_composed(spec);
    const KernelScore* kernel = kernel_score(spec.score.type);
    if (stage == "scores" && is_composed)
        return kernel ? kernel->subtitle : readable(to_word(spec.score.type));
    if (stage == "scaled_scores")
        return kernel && !kernel->scale.empty() ? "scores " + kernel->scale : "";
    if (const auto declared = declared_stage(spec, stage); declared && !declared->subtitle.empty())
        return declared->subtitle;
    if (stage == "weights" && is_composed) {
        if (spec.heads.type == HeadsType::talking)
            return "the heads’ softmax, mixed";
        if (changes_weights(spec))
            return readable(to_word(spec.algorithm.type));
        if (spec.normalizer.type == NormalizerType::softmax)
            return "softmax of each row";
        if (const NormalizerComponent* normalizer = component_of(spec.normalizer.type))
            return normalizer->phrase;
        return spec.normalizer.mode == HardMode::argmax ? "1 on the largest score of each row"
                                                        : "1 on a key drawn from each row";
    }
    if (stage == "context")
        return is_composed ? "weights × value" : "";
    if (stage == "gated_context")
        return "context × gate";
    if (stage == "concatenation")
        return "the heads’ contexts side by side";
    const bool is_plain = stage == "output" && !declared_by_component(spec, stage);
    return is_plain && learned && spec.heads.type != HeadsType::single ? "concatenation × W_o" : "";
}

std::string head_title(Index head, Index heads) {
    return heads > 1 ? "head " + std::to_string(head + 1) + " of " + std::to_string(heads) : "";
}

std::string pooled_title(PooledHeads pooled, Index heads, Index layer) {
    if (pooled == PooledHeads::rollout)
        return layer > 0 ? "rollout through layers 1 to " + std::to_string(layer + 1)
                         : "rollout through layer 1";
    return (pooled == PooledHeads::mean ? "mean of " : "largest of ") + std::to_string(heads) + " heads";
}

std::string pooled_layers_title(MapReduction reduction, Index layers, std::optional<PooledHeads> pooled,
                                Index heads) {
    const std::string title = (reduction == MapReduction::mean ? "mean over " : "largest over ") +
                              std::to_string(layers) + " layers";
    if (!pooled || heads < 2)
        return title;
    if (reduction_of(*pooled) == reduction)
        return title + " and " + std::to_string(heads) + " heads";
    return title + " of the " + pooled_title(*pooled, heads, 0);
}

std::string head_numbers(const std::vector<Index>& heads) {
    std::vector<std::string> parts;
    bool has_run = false;
    for (std::size_t first = 0, last = 0; first < heads.size(); first = last + 1) {
        last = first;
        while (last + 1 < heads.size() && heads[last + 1] == heads[last] + 1)
            ++last;
        const bool is_run = last > first + 1;
        has_run |= is_run;
        last = is_run ? last : first;
        parts.push_back(std::to_string(heads[first] + 1) +
                        (is_run ? " to " + std::to_string(heads[last] + 1) : ""));
    }
    std::string words;
    for (std::size_t at = 0; at < parts.size(); ++at)
        words += (at == 0 ? "" : at + 1 < parts.size() || has_run ? ", " : " and ") + parts[at];
    return words;
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

std::string axis_title(std::string_view stage, Axis axis, bool with_hint) {
    if (!declared_said_stage(stage))
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

std::string axis_title(const Trace& trace, std::string_view stage, std::string_view site, Axis axis,
                       MatrixSide side, bool with_hint) {
    const std::string word = axis == Axis::feature ? declared_side(trace, stage, site, side) : std::string();
    return word.empty() ? axis_title(stage, axis, with_hint) : word;
}

std::string declared_side(const Trace& trace, std::string_view stage, std::string_view site,
                          MatrixSide side) {
    const AttentionSpec* spec = trace.known_spec_at(site);
    if (!spec)
        return {};
    std::string word;
    for_each_component(*spec, [&](const auto& component) {
        const auto& stages = component.declared_stages;
        const auto found = std::ranges::find(stages, stage, &DeclaredStage::name);
        if (found != stages.end())
            word = side == MatrixSide::rows ? found->row : found->column;
    });
    const bool is_of_heads = stage == "gate" && spec->heads.gate == Gate::headwise;
    return word.empty() && is_of_heads && side == MatrixSide::columns ? "head" : word;
}

std::string step_subject(std::string_view stage, const std::string& token) {
    return in_quotes(token) + (declared_said_stage(stage) ? " is said" : " looks");
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
