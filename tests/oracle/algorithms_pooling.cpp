#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/reference/pooled_rows.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace headlight {
namespace {

using reference::Head;
using reference::Linear;
using reference::Matrix;

std::size_t number_of(const OracleParts& parts, const char* name) {
    return static_cast<std::size_t>(option<Index>(parts.spec.algorithm.options, name));
}
bool is_on(const OracleParts& parts, const char* name) {
    return option<bool>(parts.spec.algorithm.options, name);
}
std::string word_of(const OracleParts& parts, const char* name) {
    return option<std::string>(parts.spec.algorithm.options, name);
}

Linear layer_of(const OracleParts& parts, const std::string& matrix, const std::string& bias) {
    return {parts.parameters.matrix(matrix), parts.parameters.row(bias)};
}
Matrix projected_by(const std::optional<Linear>& projection, const Matrix& x) {
    return projection ? project(x, *projection) : x;
}

std::size_t kv_head_of(const OracleParts& parts, const Head& head) {
    return head.number * static_cast<std::size_t>(parts.spec.heads.kv_count()) /
           static_cast<std::size_t>(parts.spec.heads.count());
}
Matrix of_kv_head(const OracleParts& parts, const Matrix& x, const Head& head) {
    return columns_of_head(x, kv_head_of(parts, head), static_cast<std::size_t>(parts.spec.heads.kv_count()));
}

void add_attention_pooling(const OracleParts& parts, reference::Setting& setting) {
    reference::AttentionPooling pooling;
    if (word_of(parts, "query") == "learned")
        pooling.seeds = projected_by(setting.to_query, parts.parameters.matrix("seeds"));
    pooling.mean_is_key = word_of(parts, "query") == "mean_token";
    pooling.is_one_sequence = parts.spec.source.type == SourceType::self;
    pooling.steps = number_of(parts, "steps");
    if (is_on(parts, "block"))
        pooling.layer = layer_of(parts, "W_pooled", "b_pooled");
    const Number given = option<double>(parts.spec.algorithm.options, "beta");
    setting.algorithm_of_all_heads = [=](const std::vector<Head>& heads) {
        reference::AttentionPooling scaled = pooling;
        scaled.beta = given > 0 ? given : 1 / std::sqrt(static_cast<Number>(heads.front().k.cols));
        return reference::attention_pooling(heads, scaled);
    };
}

void add_hierarchical_pooling(const OracleParts& parts, reference::Setting& setting) {
    const auto level = [&](const std::string& name) -> reference::PoolingLevel {
        return {layer_of(parts, "W_" + name, "b_" + name), parts.parameters.row("u_" + name)};
    };
    std::vector<std::size_t> lengths;
    for (const Index length : option<std::vector<Index>>(parts.spec.algorithm.options, "sentences"))
        lengths.push_back(static_cast<std::size_t>(length));
    setting.algorithm = [=, words = level("word"), sentences = level("sentence")](const Head& head) {
        return reference::hierarchical_pooling(head, words, sentences, lengths);
    };
}

void add_memory_hops(const OracleParts& parts, reference::Setting& setting) {
    reference::MemoryHops hops{.hops = number_of(parts, "hops"), .scale = 1, .mapping = {}, .values = {}};
    const bool is_layer_wise = word_of(parts, "tying") == "layer_wise";
    if (is_layer_wise)
        hops.mapping = parts.parameters.matrix("H_hops");
    setting.algorithm = [=, all = parts.parameters.matrix("C_hops")](const Head& head) {
        reference::MemoryHops of_head = hops;
        if (is_on(parts, "scaled"))
            of_head.scale = 1 / std::sqrt(static_cast<Number>(head.k.cols));
        for (std::size_t hop = 0; !is_layer_wise && hop + 1 < hops.hops; ++hop) {
            Matrix C(head.y.cols, all.cols);
            for (std::size_t row = 0; row < C.rows; ++row)
                for (std::size_t column = 0; column < C.cols; ++column)
                    C(row, column) = all(hop * C.rows + row, column);
            of_head.values.push_back(of_kv_head(parts, project(head.y, {C, {}}), head));
        }
        return reference::memory_hops(head, of_head);
    };
}

void add_memory_tokens(const OracleParts& parts, reference::Setting& setting) {
    const Matrix memory = parts.parameters.matrix("memory_tokens");
    const Matrix keys = projected_by(setting.to_key, memory);
    const Matrix values = setting.values_are_keys ? keys : projected_by(setting.to_value, memory);
    setting.algorithm = [=](const Head& head) {
        return reference::memory_tokens(head, of_kv_head(parts, keys, head), of_kv_head(parts, values, head));
    };
}

void add_slot_attention(const OracleParts& parts, reference::Setting& setting) {
    reference::SlotAttention slots;
    slots.rounds = number_of(parts, "rounds");
    slots.is_normed = is_on(parts, "norm");
    slots.to_query = setting.to_query;
    if (is_on(parts, "cell")) {
        slots.cell_input = layer_of(parts, "W_cell", "b_cell");
        slots.cell_state = layer_of(parts, "U_cell", "c_cell");
    }
    if (is_on(parts, "layer")) {
        slots.hidden = layer_of(parts, "W_slot_hidden", "b_slot_hidden");
        slots.layer = layer_of(parts, "W_slot", "b_slot");
    }
    setting.algorithm_of_all_heads = [=](const std::vector<Head>& heads) {
        return reference::slot_attention(heads, slots);
    };
}

}  // namespace

void add_pooling_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    switch (parts.spec.algorithm.type) {
    case AlgorithmType::attention_pooling:
        return add_attention_pooling(parts, setting);
    case AlgorithmType::additive_pooling:
        setting.algorithm = [pooling = reference::AdditivePooling{
                                 parts.parameters.matrix("V_pool"),
                                 is_on(parts, "gated") ? parts.parameters.matrix("U_pool") : Matrix(),
                                 parts.parameters.matrix("w_pool")}](const Head& head) {
            return reference::additive_pooling(head, pooling);
        };
        return;
    case AlgorithmType::hierarchical_pooling:
        return add_hierarchical_pooling(parts, setting);
    case AlgorithmType::class_residual:
        setting.algorithm = [classes = parts.parameters.matrix("W_classes"),
                             sharpness = option<double>(parts.spec.algorithm.options, "sharpness"),
                             lambda =
                                 option<double>(parts.spec.algorithm.options, "lambda")](const Head& head) {
            return reference::class_residual(head, classes, sharpness, lambda);
        };
        return;
    case AlgorithmType::memory_hops:
        return add_memory_hops(parts, setting);
    case AlgorithmType::memory_tokens:
        return add_memory_tokens(parts, setting);
    case AlgorithmType::slot_attention:
        return add_slot_attention(parts, setting);
    default:
        return;
    }
}

}  // namespace headlight
