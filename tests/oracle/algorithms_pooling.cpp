#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/reference/inner_layers.h"
#include "tests/reference/pooled_rows.h"
#include "tests/reference/position.h"

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
    return static_cast<std::size_t>(parts.spec.algorithm.options.count(name));
}
bool is_on(const OracleParts& parts, const char* name) { return parts.spec.algorithm.options.flag(name); }
std::string word_of(const OracleParts& parts, const char* name) {
    return parts.spec.algorithm.options.word(name);
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
    pooling.is_normed = is_on(parts, "norms");
    const Number given = parts.spec.algorithm.options.number("beta");
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
    for (const Index length : parts.spec.algorithm.options.list("sentences"))
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

/// Matrix number `index` of those of `rows` rows that lie one below the other; none where there is none.
std::optional<Linear> matrix_of_layer(const OracleParts& parts, const std::string& name, std::size_t index,
                                      std::size_t rows) {
    const Matrix all = parts.parameters.matrix(name);
    if (all.rows == 0)
        return {};
    Matrix matrix(rows, all.cols);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < all.cols; ++column)
            matrix(row, column) = all(index * rows + row, column);
    return Linear{matrix, {}};
}

reference::InnerLayers inner_layers_of(const OracleParts& parts, const reference::Setting& setting) {
    reference::InnerLayers inner;
    inner.kv_heads = setting.kv_heads;
    inner.is_one_sequence = parts.spec.source.type == SourceType::self;
    inner.values_are_keys = setting.values_are_keys;
    inner.value_tokens = setting.place_tokens ? setting.place_tokens(setting.value_tokens, true)
                         : setting.sinusoidal_position
                             ? reference::add_sinusoidal_position(setting.value_tokens)
                             : setting.value_tokens;
    inner.turn = [changes = setting.change_vector](Matrix vectors, bool is_key, std::size_t head) {
        for (const auto& change : changes)
            for (std::size_t token = 0; token < vectors.rows; ++token) {
                const reference::Row row = change(vectors.row(token), is_key, head, token);
                for (std::size_t c = 0; c < vectors.cols; ++c)
                    vectors(token, c) = row[c];
            }
        return vectors;
    };
    const std::size_t layers = number_of(parts, "layers"), width = setting.query_tokens.cols,
                      key_width = setting.key_tokens.cols,
                      found = parts.parameters.matrix("W_o_layers").rows / (layers > 1 ? layers - 1 : 1);
    const bool has_own_keys = parts.spec.heads.sharing != Sharing::query_key;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        reference::LayerMatrices matrices{setting.to_query, setting.to_key, setting.to_value, {}};
        if (layer > 0)
            matrices = {
                matrix_of_layer(parts, "W_q_layers", layer - 1, width),
                matrix_of_layer(parts, has_own_keys ? "W_k_layers" : "W_q_layers", layer - 1, key_width),
                matrix_of_layer(parts, "W_v_layers", layer - 1, setting.value_tokens.cols),
                {}};
        if (layer + 1 < layers)
            matrices.to_output = matrix_of_layer(parts, "W_o_layers", layer, found);
        inner.layers.push_back(matrices);
    }
    return inner;
}

void add_layer_stack(const OracleParts& parts, reference::Setting& setting) {
    const std::string link = word_of(parts, "link");
    const std::size_t layers = number_of(parts, "layers"), width = setting.query_tokens.cols;
    reference::LayerStack stack;
    stack.inner = inner_layers_of(parts, setting);
    stack.link = link == "none"      ? reference::LayerLink::none
                 : link == "scores"  ? reference::LayerLink::scores
                 : link == "outputs" ? reference::LayerLink::outputs
                                     : reference::LayerLink::values;
    stack.value_shares = parts.parameters.matrix("value_shares");
    if (link == "values") {
        stack.value_shares = Matrix(layers, 2);
        stack.value_shares.values.assign(layers * 2, Number(0.5L));
    }
    for (std::size_t above = 0; link == "gated_values" && above + 1 < layers; ++above) {
        stack.value_gates.push_back(*matrix_of_layer(parts, "W_value_gate", above, width));
        stack.value_gates.back().bias = parts.parameters.matrix("b_value_gate").row(above);
    }
    stack.depth_queries = parts.parameters.matrix("w_depth");
    for (std::size_t layer = 0; is_on(parts, "among") && layer < layers; ++layer) {
        const std::size_t found = parts.parameters.matrix("W_o_among").rows / layers;
        stack.among.push_back({matrix_of_layer(parts, "W_q_among", layer, width),
                               matrix_of_layer(parts, "W_k_among", layer, width),
                               matrix_of_layer(parts, "W_v_among", layer, width),
                               matrix_of_layer(parts, "W_o_among", layer, found)});
    }
    setting.algorithm_of_all_heads = [=](const std::vector<Head>& heads) {
        return reference::layer_stack(heads, stack);
    };
}

void add_two_stream(const OracleParts& parts, reference::Setting& setting) {
    // What the position adds to a vector is what it makes of zeros.
    Matrix stream(parts.queries, setting.query_tokens.cols);
    if (setting.place_tokens)
        stream = setting.place_tokens(stream, false);
    else if (setting.sinusoidal_position)
        stream = reference::add_sinusoidal_position(stream);
    const reference::Row begins = parts.parameters.row("w_stream");
    for (std::size_t i = 0; i < stream.rows; ++i)
        for (std::size_t c = 0; c < stream.cols; ++c)
            stream(i, c) += begins[c];
    setting.algorithm_of_all_heads =
        [=, inner = inner_layers_of(parts, setting)](const std::vector<Head>& heads) {
            return reference::two_stream(heads, inner, stream);
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
                             sharpness = parts.spec.algorithm.options.number("sharpness"),
                             lambda = parts.spec.algorithm.options.number("lambda")](const Head& head) {
            return reference::class_residual(head, classes, sharpness, lambda);
        };
        return;
    case AlgorithmType::memory_hops:
        return add_memory_hops(parts, setting);
    case AlgorithmType::memory_tokens:
        return add_memory_tokens(parts, setting);
    case AlgorithmType::slot_attention:
        return add_slot_attention(parts, setting);
    case AlgorithmType::layer_stack:
        return add_layer_stack(parts, setting);
    case AlgorithmType::two_stream:
        return add_two_stream(parts, setting);
    default:
        return;
    }
}

}  // namespace headlight
