#include "tests/reference/inner_layers.h"

#include "tests/reference/softmax.h"

#include <cmath>
#include <utility>

namespace headlight::reference {
namespace {

Matrix through_optional(const Matrix& x, const std::optional<Linear>& linear) {
    return linear ? project(x, *linear) : x;
}

void add_rows(Matrix& to, const Matrix& more) {
    for (std::size_t at = 0; at < to.values.size(); ++at)
        to.values[at] += more.values[at];
}

Matrix joined_contexts(const std::vector<HeadResult>& found) {
    const std::size_t d = found.front().context.cols;
    Matrix joined(found.front().context.rows, found.size() * d);
    for (std::size_t head = 0; head < found.size(); ++head)
        for (std::size_t i = 0; i < joined.rows; ++i)
            for (std::size_t c = 0; c < d; ++c)
                joined(i, head * d + c) = found[head].context(i, c);
    return joined;
}

/// q . k / sqrt(d) of the pairs that may meet; 0 of others.
Matrix products_of_layer(const Matrix& q, const Matrix& k, const Allowed& allowed) {
    Matrix scores(q.rows, k.rows);
    for (std::size_t i = 0; i < q.rows; ++i)
        for (std::size_t j = 0; j < k.rows; ++j)
            if (allowed[i][j])
                scores(i, j) = product(q.row(i), k.row(j)) / std::sqrt(static_cast<Number>(k.cols));
    return scores;
}

HeadResult attended_by_layer(const Matrix& scores, const Matrix& v, const Allowed& allowed) {
    HeadResult result{Matrix(scores.rows, scores.cols), Matrix(scores.rows, v.cols)};
    for (std::size_t i = 0; i < scores.rows; ++i) {
        const Row weights = softmax(scores.row(i), allowed[i], 1);
        for (std::size_t j = 0; j < scores.cols; ++j) {
            result.weights(i, j) = weights[j];
            for (std::size_t c = 0; c < v.cols && weights[j] != 0; ++c)  // padding may hold anything
                result.context(i, c) += weights[j] * v(j, c);
        }
    }
    return result;
}

Matrix queries_of_layer(const std::vector<Head>& heads, const InnerLayers& setting, std::size_t layer,
                        const Matrix& x, std::size_t head) {
    return setting.turn(
        columns_of_head(through_optional(x, setting.layers[layer].to_query), head, heads.size()), false,
        head);
}

/// Keys and values of a head in a layer that looks at `source`.
std::pair<Matrix, Matrix> keys_of_layer(const std::vector<Head>& heads, const InnerLayers& setting,
                                        std::size_t layer, const Matrix& source, std::size_t head) {
    if (layer == 0)
        return {heads[head].k, heads[head].v};
    const LayerMatrices& matrices = setting.layers[layer];
    const std::size_t kv = head / (heads.size() / setting.kv_heads);
    const Matrix key = columns_of_head(through_optional(source, matrices.to_key), kv, setting.kv_heads);
    const Matrix& tokens = setting.is_one_sequence ? source : setting.value_tokens;
    const Matrix value =
        setting.values_are_keys
            ? key
            : columns_of_head(through_optional(tokens, matrices.to_value), kv, setting.kv_heads);
    return {setting.turn(key, true, kv), value};
}

/// What the queries find in each other in a layer.
Matrix found_among(const Matrix& x, const LayerMatrices& matrices, std::size_t heads,
                   const Allowed& allowed) {
    const Matrix q = through_optional(x, matrices.to_query), k = through_optional(x, matrices.to_key),
                 v = through_optional(x, matrices.to_value);
    std::vector<HeadResult> found;
    for (std::size_t head = 0; head < heads; ++head)
        found.push_back(attended_by_layer(
            products_of_layer(columns_of_head(q, head, heads), columns_of_head(k, head, heads), allowed),
            columns_of_head(v, head, heads), allowed));
    return through_optional(joined_contexts(found), matrices.to_output);
}

/// v of a head above the first layer, with the values of the first one.
void mix_values(Matrix& v, const Matrix& first, const Matrix& input, const LayerStack& setting,
                std::size_t layer, std::size_t kv) {
    Matrix gates;
    if (!setting.value_gates.empty())
        gates = project(input, setting.value_gates[layer - 1]);
    for (std::size_t j = 0; j < v.rows; ++j) {
        Number of_first, own;
        if (setting.value_gates.empty()) {
            of_first = setting.value_shares(layer - 1, 0);
            own = setting.value_shares(layer - 1, 1);
        } else {
            own = 1 / (1 + std::exp(-gates(j, kv)));
            of_first = 1 - own;
        }
        for (std::size_t c = 0; c < v.cols; ++c)
            v(j, c) = of_first * first(j, c) + own * v(j, c);
    }
}

/// sum_i softmax_i(w . RMSNorm(v_i)) v_i, token by token.
Matrix looked_down(const std::vector<Matrix>& outputs, const Row& w) {
    Matrix input(outputs.front().rows, outputs.front().cols);
    for (std::size_t token = 0; token < input.rows; ++token) {
        Row scores;
        for (const Matrix& each : outputs) {
            const Row v = each.row(token);
            scores.push_back(product(w, v) /
                             std::sqrt(product(v, v) / static_cast<Number>(v.size()) + Number(1e-6L)));
        }
        const Row weights = softmax_of_all(scores);
        for (std::size_t below = 0; below < outputs.size(); ++below)
            for (std::size_t c = 0; c < input.cols; ++c)
                input(token, c) += weights[below] * outputs[below](token, c);
    }
    return input;
}

}  // namespace

std::vector<HeadResult> layer_stack(const std::vector<Head>& heads, const LayerStack& setting) {
    const InnerLayers& inner = setting.inner;
    Matrix input = heads.front().x;
    std::vector<Matrix> outputs{input}, scores_below(heads.size());
    std::vector<HeadResult> found;
    for (std::size_t layer = 0;; ++layer) {
        Matrix asking = input, output(input.rows, input.cols);
        if (!setting.among.empty()) {
            output = found_among(input, setting.among[layer], heads.size(),
                                 inner.is_one_sequence ? heads.front().allowed
                                                       : everything(input.rows, input.rows));
            add_rows(asking, output);
        }
        found.clear();
        for (const Head& head : heads) {
            const Matrix q = layer == 0 && setting.among.empty()
                                 ? head.q
                                 : queries_of_layer(heads, inner, layer, asking, head.number);
            auto [k, v] =
                keys_of_layer(heads, inner, layer, inner.is_one_sequence ? input : head.y, head.number);
            Matrix scores = products_of_layer(q, k, head.allowed);
            if (setting.link == LayerLink::scores && layer > 0)
                add_rows(scores, scores_below[head.number]);
            scores_below[head.number] = scores;
            if (setting.link == LayerLink::values && layer > 0)
                mix_values(v, head.v, input, setting, layer, head.number / (heads.size() / inner.kv_heads));
            found.push_back(attended_by_layer(scores, v, head.allowed));
        }
        if (layer + 1 == inner.layers.size())
            return found;
        add_rows(output, through_optional(joined_contexts(found), inner.layers[layer].to_output));
        outputs.push_back(output);
        if (setting.link == LayerLink::outputs)
            input = looked_down(outputs, setting.depth_queries.row(layer));
        else
            add_rows(input, output);
    }
}

std::vector<HeadResult> two_stream(const std::vector<Head>& heads, const InnerLayers& setting,
                                   Matrix stream) {
    Matrix content = heads.front().x;
    for (std::size_t layer = 0;; ++layer) {
        std::vector<HeadResult> of_stream, of_content;
        for (const Head& head : heads) {
            const auto [k, v] = keys_of_layer(heads, setting, layer, content, head.number);
            Allowed others = head.allowed;
            for (std::size_t i = 0; i < others.size(); ++i)
                others[i][i] = false;
            const Matrix g = queries_of_layer(heads, setting, layer, stream, head.number),
                         h = queries_of_layer(heads, setting, layer, content, head.number);
            of_stream.push_back(attended_by_layer(products_of_layer(g, k, others), v, others));
            of_content.push_back(attended_by_layer(products_of_layer(h, k, head.allowed), v, head.allowed));
        }
        if (layer + 1 == setting.layers.size())
            return of_stream;
        add_rows(stream, through_optional(joined_contexts(of_stream), setting.layers[layer].to_output));
        add_rows(content, through_optional(joined_contexts(of_content), setting.layers[layer].to_output));
    }
}

}  // namespace headlight::reference
