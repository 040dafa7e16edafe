#include "core/model/model_spec.h"

#include <utility>

namespace headlight {

namespace {

const RecurrentConfiguration* recurrent_of(const ModelSpec& spec) {
    return std::get_if<RecurrentConfiguration>(&spec);
}

bool is_kind(const ModelSpec& spec, TransformerKind kind) {
    const auto* transformer = std::get_if<TransformerConfiguration>(&spec);
    return transformer && transformer->kind == kind;
}

}  // namespace

CommonSettings& ModelSpec::common() {
    return std::visit([](CommonSettings& each) -> CommonSettings& { return each; }, *this);
}

const CommonSettings& ModelSpec::common() const {
    return std::visit([](const CommonSettings& each) -> const CommonSettings& { return each; }, *this);
}

ModelCounts ModelSpec::counts() const {
    if (const RecurrentConfiguration* recurrent = recurrent_of(*this))
        return {.heads = recurrent->mechanism ? recurrent->mechanism->heads.count() : 1,
                .layers = recurrent->layers,
                .hops = recurrent->hops};
    const auto& transformer = std::get<TransformerConfiguration>(*this);
    return {.heads = transformer.heads,
            .layers = std::ssize(transformer.encoder),
            .turns = transformer.turns,
            .segment = transformer.segment};
}

bool ModelSpec::reads_one_text() const { return is_kind(*this, TransformerKind::decoder); }

bool ModelSpec::says_label() const { return is_kind(*this, TransformerKind::encoder); }

bool ModelSpec::attends_to_itself() const {
    const auto* transformer = std::get_if<TransformerConfiguration>(this);
    return transformer && transformer->mixer == Mixer::attention;
}

bool ModelSpec::reads_in_any_order() const {
    const auto* transformer = std::get_if<TransformerConfiguration>(this);
    return transformer && transformer->two_streams;
}

bool ModelSpec::points() const {
    const RecurrentConfiguration* recurrent = recurrent_of(*this);
    return recurrent && recurrent->points;
}

bool ModelSpec::quotes() const {
    const RecurrentConfiguration* recurrent = recurrent_of(*this);
    return recurrent && recurrent->quotes();
}

double ModelSpec::coverage_loss() const {
    const RecurrentConfiguration* recurrent = recurrent_of(*this);
    return recurrent ? recurrent->coverage_loss : 0;
}

const AttentionSpec* ModelSpec::mechanism() const {
    if (const RecurrentConfiguration* recurrent = recurrent_of(*this))
        return recurrent->mechanism ? &*recurrent->mechanism : nullptr;
    return std::get<TransformerConfiguration>(*this).mechanism();
}

LocalWindow ModelSpec::window() const {
    const RecurrentConfiguration* recurrent = recurrent_of(*this);
    return recurrent ? recurrent->window : LocalWindow();
}

Index ModelSpec::numbers_of_step() const {
    // The two vectors of each cell, and the one that is fed to the first.
    if (const RecurrentConfiguration* recurrent = recurrent_of(*this))
        return (2 * recurrent->layers + 1) * recurrent->width;
    if (says_label())
        return 0;
    // A key and a value in each layer; or what a mechanism's program was asked with, at either of two sites.
    const auto& transformer = std::get<TransformerConfiguration>(*this);
    return 2 * std::ssize(transformer.decoder) * transformer.turns * transformer.width;
}

void ModelSpec::quote_words_as(std::vector<Index> target_words) {
    if (quotes())
        std::get<RecurrentConfiguration>(*this).copied_as = std::move(target_words);
}

}  // namespace headlight
