#include "core/workbench/word_trials.h"

#include "core/attention/component.h"
#include "core/attention/plan.h"
#include "core/attention/spec_words.h"
#include "core/workbench/mask_parts.h"
#include "core/workbench/spec_axes.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

namespace headlight {
namespace {

constexpr Index most_tokens = 32;
constexpr Index widest = 256;  // of wider ones, the parameters alone take too long to draw

Tensor first_rows(const Tensor& tensor) {
    const Index rows = std::min(tensor.rows(), most_tokens);
    Tensor few({rows, tensor.cols()});
    const auto values = tensor.values();
    std::copy_n(values.begin(), rows * tensor.cols(), few.values().begin());
    return few;
}

/// Nothing when it can run.
std::optional<Error> refusal(const AttentionSpec& spec, const Inputs& tokens) {
    try {
        plan(spec, inputs_for(spec.source.type, tokens));
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return Error({"run", "", "a run that fits into memory", "one that does not"});
    }
}

/// Whether what is wrong, if anything, is not about heads. Extents tell: no parameter is drawn, which takes
/// too long while a person waits.
bool heads_fit(const AttentionSpec& spec, const Inputs& tokens) {
    try {
        const Inputs read = inputs_for(spec.source.type, tokens);
        plan_extents(spec, {read.query.cols(), read.key_tokens().cols(), read.value_tokens().cols()}, {});
        return true;
    } catch (const Error& error) {
        return error.detail().what != "split into heads" && error.detail().where != "heads.kv_heads";
    }
}

bool same_reason(const Error& a, const Error& b) {
    return a.detail().expected == b.detail().expected && a.detail().got == b.detail().got;
}

std::string sentence(const Error& error, const AttentionSpec& spec, const Inputs& tokens,
                     const std::string& axis) {
    if (const auto out = way_out(error, spec, tokens, axis))
        return *out;
    std::string text = "Not with the other choices: it needs ";
    text += error.detail().expected + ". Here: " + error.detail().got + ".";
    return text;
}

/// As the choices have it, in quotes.
std::string quoted(std::string word) {
    std::ranges::replace(word, '_', ' ');
    std::string text = "“";
    text += word + "”";
    return text;
}

std::string composed_instead() {
    return quoted(std::string(to_word(AlgorithmType::composed))) + " under Algorithm";
}

TokenDimensions dimensions_of_tokens(const AttentionSpec& spec, const Inputs& tokens) {
    return dimensions_of(inputs_for(spec.source.type, tokens));
}

bool parts_fit(const AttentionSpec& spec, const TokenDimensions& tokens) {
    try {
        check_parts(spec, tokens);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// Those of the words that can stand in the place of the spec's mask.
std::vector<std::string> fitting_masks(const AttentionSpec& spec, const TokenDimensions& tokens,
                                       std::span<const std::string> words) {
    std::vector<std::string> fitting;
    for (const std::string& word : words) {
        AttentionSpec changed = spec;
        changed.mask = mask_leaf(word);
        if (auto* padding = std::get_if<PaddingMask>(&changed.mask.rule))
            padding->key_lengths = std::max<Index>(tokens.keys - 1, 1);  // of no key it would be none
        if (parts_fit(changed, tokens))
            fitting.push_back(word);
    }
    return fitting;
}

/// "none, causal or padding".
std::string alternatives(std::vector<std::string> words) {
    for (std::string& word : words)
        std::ranges::replace(word, '_', ' ');
    return list_in_words(words, "or");
}

/// What masks the algorithm takes, which go on behind its name. `fitting` are those that it does.
std::string limits_of_masks(const AttentionSpec& spec, const std::vector<std::string>& fitting) {
    const AlgorithmComponent& algorithm = *component_of(spec.algorithm.type);
    if (fitting == std::vector<std::string>{"none"})
        return " takes no mask";
    if (algorithm.needs_one_end)
        return " takes only masks where all queries see the same first keys";
    if (algorithm.takes_documents)
        return " takes only masks where each query sees the first keys, of all or of its own document";
    std::string text = " takes only masks where each query sees the first keys, ";
    if (algorithm.needs_own_token && algorithm.needs_own_token(complete_spec(spec)))
        text += "its own among them, ";
    return text + "and none fewer than the query before";
}

/// What to choose where the algorithm refuses the mask: nothing where no simpler one would do.
std::optional<std::string> way_out_of_mask(const AttentionSpec& spec, const Inputs& tokens) {
    const TokenDimensions dimensions = dimensions_of_tokens(spec, tokens);
    const std::string simple[] = {"none", "causal", "padding"};
    const std::vector<std::string> fitting = fitting_masks(spec, dimensions, simple);
    if (fitting.empty())
        return std::nullopt;
    std::string text = quoted(std::string(to_word(spec.algorithm.type))) + limits_of_masks(spec, fitting);
    text += ": choose " + alternatives(fitting);
    AttentionSpec composed = spec;
    composed.algorithm = {};
    if (parts_fit(composed, dimensions))
        text += ", or " + composed_instead();
    return text + ".";
}

}  // namespace

std::optional<std::string> way_out(const Error& error, const AttentionSpec& spec, const Inputs& tokens,
                                   const std::string& axis) {
    const ErrorDetail& detail = error.detail();
    const std::string algorithm(to_word(spec.algorithm.type));
    if (is_composed(spec) || detail.what != algorithm + " algorithm")
        return std::nullopt;
    if (detail.where == "mask")
        return way_out_of_mask(spec, tokens);
    std::string text = quoted(algorithm);
    if (detail.where == "mask_value")
        return text + " adds no number to a score: forbid with −∞, or choose " + composed_instead() + ".";
    text += " has its own way from queries and keys to the weights, which ";
    const auto axes = spec_axes();
    const auto refused = std::ranges::find(axes, axis_of(detail.where, detail.what), &SpecAxis::id);
    if (axis != "algorithm" || refused == axes.end())
        return text + "this could not change: choose " + composed_instead() + " first.";
    return text + quoted(refused->word(spec)) + " under " + refused->label + " could not change: choose " +
           quoted(refused->word(AttentionSpec())) + " there first.";
}

std::optional<std::string> mask_limits(const AttentionSpec& spec, const Inputs& tokens) {
    const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
    if (!algorithm || algorithm->takes_any_mask)
        return std::nullopt;
    TokenDimensions dimensions = dimensions_of_tokens(spec, tokens);
    // So many that no pattern is another one by chance: of three tokens a window of three is causal.
    dimensions.queries = dimensions.keys = most_tokens;
    std::vector<std::string> words{"none"};
    for (const AxisWord& each : mask_words())
        words.push_back(each.word);
    const std::vector<std::string> fitting = fitting_masks(spec, dimensions, words);
    std::string text = quoted(std::string(to_word(spec.algorithm.type))) + limits_of_masks(spec, fitting);
    if (fitting.size() > 1)
        text += ": " + alternatives(fitting);
    return text + ".";
}

Inputs few_tokens(const Inputs& inputs) {
    Inputs few;
    few.query = first_rows(inputs.query);
    if (inputs.key)
        few.key = first_rows(*inputs.key);
    if (inputs.value)
        few.value = first_rows(*inputs.value);
    return few;
}

AttentionSpec with_fitting_heads(const AttentionSpec& spec, const Inputs& tokens) {
    if (heads_fit(spec, tokens))
        return spec;
    const auto fits = [&](Index heads) -> std::optional<AttentionSpec> {
        AttentionSpec fitting = spec;
        fitting.heads.heads = heads;
        if (spec.heads.type == HeadsType::grouped_query) {
            Index& shared = fitting.heads.kv_heads;
            for (shared = std::clamp<Index>(shared, 1, heads); heads % shared != 0;)
                --shared;
        }
        return heads_fit(fitting, tokens) ? std::optional(std::move(fitting)) : std::nullopt;
    };
    for (Index heads = spec.heads.heads; heads > 1; --heads)
        if (auto fitting = fits(heads))
            return *std::move(fitting);
    constexpr Index most = 64;  // more of them are not what anybody means by several
    for (Index heads = spec.heads.heads + 1; heads <= std::min(tokens.query.cols(), most); ++heads)
        if (auto fitting = fits(heads))
            return *std::move(fitting);
    return spec;
}

WordReasons impossible_words(const AttentionSpec& spec, const Inputs& tokens,
                             const std::function<bool()>& cancelled) {
    WordReasons reasons;
    if (tokens.query.cols() > widest || tokens.key_tokens().cols() > widest)
        return reasons;
    const std::optional<Error> already = refusal(spec, tokens);
    const auto attempt = [&](const std::string& axis, const std::string& word, const AttentionSpec& changed) {
        const std::optional<Error> reason = refusal(changed, tokens);
        if (reason && !(already && same_reason(*reason, *already)))
            reasons[axis][word] = sentence(*reason, changed, tokens, axis);
    };
    for (const SpecAxis& axis : spec_axes())
        for (const AxisWord& each : axis.words) {
            if (cancelled && cancelled())
                return reasons;
            if (each.word == axis.word(spec) || axis.id == "source")
                continue;  // another source brings other tokens
            AttentionSpec changed = spec;
            axis.choose(changed, each.word);
            if (axis.id == "heads")
                changed = with_fitting_heads(changed, tokens);
            attempt(axis.id, each.word, changed);
        }
    const auto composed = mask_parts(spec.mask);
    for (std::size_t part = 0; composed && part < std::min(composed->parts.size() + 1, most_mask_parts);
         ++part)
        for (const AxisWord& each : mask_words()) {
            if (cancelled && cancelled())
                return reasons;
            MaskParts parts = *composed;
            if (part == parts.parts.size())
                parts.parts.emplace_back();
            parts.parts[part].leaf = mask_leaf(each.word);
            AttentionSpec changed = spec;
            changed.mask = mask_of(parts);
            attempt("mask." + std::to_string(part), each.word, changed);
        }
    return reasons;
}

}  // namespace headlight
