#include "ui/models/word_trials.h"

#include "core/attention/plan.h"
#include "core/tensor/error.h"
#include "ui/models/mask_parts.h"
#include "ui/models/spec_axes.h"

#include <algorithm>
#include <new>

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

/// Empty when it can run.
std::string refusal(const AttentionSpec& spec, const Inputs& tokens) {
    try {
        plan(spec, inputs_for(spec.source.type, tokens));
        return {};
    } catch (const Error& error) {
        const ErrorDetail& detail = error.detail();
        return detail.expected + "; found: " + detail.got;
    } catch (const std::bad_alloc&) {
        return "it does not fit into memory";
    }
}

}  // namespace

Inputs few_tokens(const Inputs& inputs) {
    Inputs few;
    few.query = first_rows(inputs.query);
    if (inputs.key)
        few.key = first_rows(*inputs.key);
    if (inputs.value)
        few.value = first_rows(*inputs.value);
    return few;
}

WordReasons impossible_words(const AttentionSpec& spec, const Inputs& tokens,
                             const std::function<bool()>& cancelled) {
    WordReasons reasons;
    if (tokens.query.cols() > widest || tokens.key_tokens().cols() > widest)
        return reasons;
    const std::string already = refusal(spec, tokens);
    const auto attempt = [&](const std::string& axis, const std::string& word, const AttentionSpec& changed) {
        const std::string reason = refusal(changed, tokens);
        if (!reason.empty() && reason != already)
            reasons[axis][word] = reason;
    };
    for (const SpecAxis& axis : spec_axes())
        for (const AxisWord& each : axis.words) {
            if (cancelled && cancelled())
                return reasons;
            if (each.word == axis.word(spec) || axis.id == "source")
                continue;  // another source brings other tokens
            AttentionSpec changed = spec;
            axis.choose(changed, each.word);
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
