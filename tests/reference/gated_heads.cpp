#include "tests/reference/gated_heads.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/mixed_heads.h"
#include "tests/reference/positions_rotary.h"
#include "tests/reference/splitmix.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

/// x through one matrix after another.
Row through(Row x, const std::vector<Matrix>& matrices) {
    for (const Matrix& W : matrices) {
        Row next(W.cols, Number(0));
        for (std::size_t c = 0; c < W.cols; ++c)
            for (std::size_t a = 0; a < W.rows; ++a)
                next[c] += x[a] * W(a, c);
        x = next;
    }
    return x;
}

/// sigma(x W) of the experts of a head that are among the largest, of equal ones the first, else 0.
Row gates_of_experts(const Row& x, const Matrix& router, std::size_t head, const SwitchHead& setting) {
    const Row all = through(x, {router});
    Row gates;
    for (std::size_t e = 0; e < setting.experts; ++e) {
        const Number own = all[head * setting.experts + e];
        std::size_t before = 0;
        for (std::size_t other = 0; other < setting.experts; ++other) {
            const Number theirs = all[head * setting.experts + other];
            before += theirs > own || (theirs == own && other < e);
        }
        gates.push_back(before < setting.active ? sigmoid(own) : 0);
    }
    return gates;
}

/// The numbers [first, first + count) of a row.
Row part_of(const Row& row, std::size_t first, std::size_t count) {
    return {row.begin() + static_cast<std::ptrdiff_t>(first),
            row.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

/// With its last `count` numbers turned by the place, pairs of neighbours.
Row turned_at_end(Row row, std::size_t count, std::size_t place) {
    const std::size_t first = row.size() - count;
    RotaryRule neighbours;
    neighbours.interleaved = true;
    neighbours.dimensions = count;
    const Row turned = rotated(neighbours, part_of(row, first, count), place);
    std::ranges::copy(turned, row.begin() + static_cast<std::ptrdiff_t>(first));
    return row;
}

Row latent_of_group(const Row& token, const GroupedLatents& setting, std::size_t group) {
    const std::size_t width = setting.compress.cols / setting.groups;
    Row latent = part_of(through(token, {setting.compress}), group * width, width);
    const Number size = std::sqrt(product(latent, latent) / static_cast<Number>(width) + Number(1e-6));
    for (std::size_t c = 0; c < width; ++c)
        latent[c] *= setting.gain[group * width + c] / size;
    return latent;
}

struct KeyAndValue {
    Row key, value;
};
/// Returns what a token has for the group of a head, without the turned part of the key.
KeyAndValue of_group(const Row& token, const GroupedLatents& setting, std::size_t head, std::size_t heads,
                     std::size_t content) {
    const std::size_t group = head / (heads / setting.groups);
    const auto block = [&](const Row& all, std::size_t number, std::size_t blocks) {
        return part_of(all, number * (all.size() / blocks), all.size() / blocks);
    };
    if (setting.tied.rows > 0) {
        const Row state = block(through(token, {setting.tied}), group, setting.groups);
        return {part_of(state, 0, content), state};
    }
    if (setting.compress.rows > 0) {
        const Row latent = latent_of_group(token, setting, group);
        return {block(through(latent, {setting.key}), head, heads),
                block(through(latent, {setting.value}), head, heads)};
    }
    return {block(through(token, {setting.shared_key}), group, setting.groups),
            block(through(token, {setting.shared_value}), group, setting.groups)};
}

}  // namespace

std::vector<HeadResult> output_gate(const std::vector<Head>& heads, const OutputGate& gate) {
    std::vector<HeadResult> results;
    for (const Head& head : heads)
        results.push_back(softmax_attention(head.q, head.k, head.v, head.allowed));
    const std::size_t width = results.front().context.cols;
    for (std::size_t i = 0; i < heads.front().q.rows; ++i) {
        Row found, opening = gate.b;
        for (const HeadResult& result : results)
            for (std::size_t c = 0; c < width; ++c)
                found.push_back(result.context(i, c));
        const auto add = [&](const Row& part) {
            for (std::size_t c = 0; c < opening.size(); ++c)
                opening[c] += part[c];
        };
        if (!gate.of_token.empty())
            add(through(heads.front().x.row(i), gate.of_token));
        if (!gate.of_output.empty())
            add(through(found, gate.of_output));
        for (std::size_t h = 0; h < results.size(); ++h)
            for (std::size_t c = 0; c < width; ++c) {
                const Number raw = opening[h * width + c];
                results[h].context(i, c) *= gate.is_silu ? raw * sigmoid(raw) : sigmoid(raw);
            }
    }
    return results;
}

HeadResult switch_head(const Head& head, const SwitchHead& setting) {
    const std::size_t width = head.v.cols / setting.experts;
    Matrix mixed(head.v.rows, width);
    for (std::size_t j = 0; j < head.v.rows; ++j) {
        const Row gates = gates_of_experts(head.y.row(j), setting.value_router, head.number, setting);
        for (std::size_t e = 0; e < setting.experts; ++e)
            for (std::size_t c = 0; c < width; ++c)
                mixed(j, c) += gates[e] * head.v(j, e * width + c);
    }
    const HeadResult found = softmax_attention(head.q, head.k, mixed, head.allowed);
    HeadResult result{found.weights, Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const Row gates = gates_of_experts(head.x.row(i), setting.output_router, head.number, setting);
        for (std::size_t e = 0; e < setting.experts; ++e)
            for (std::size_t c = 0; c < width; ++c)
                result.context(i, e * width + c) = gates[e] * found.context(i, c);
    }
    return result;
}

std::vector<HeadResult> grouped_latents(const std::vector<Head>& heads, const GroupedLatents& setting) {
    const std::size_t width = heads.front().q.cols, turned = setting.rotary.cols, n = heads.front().q.rows;
    std::vector<HeadResult> results;
    for (const Head& head : heads) {
        Matrix query = head.q, key(head.y.rows, width), value;
        for (std::size_t i = 0; i < n; ++i) {
            Row own = head.q.row(i);
            if (setting.narrow.rows > 0) {
                Row all;
                for (const Head& each : heads)
                    for (const Number number : each.q.row(i))
                        all.push_back(number);
                own = part_of(through(all, {setting.narrow, setting.widen}), head.number * width, width);
            }
            if (turned > 0)
                own = turned_at_end(own, turned, i);
            for (std::size_t c = 0; c < width; ++c)
                query(i, c) = own[c];
        }
        for (std::size_t j = 0; j < head.y.rows; ++j) {
            const Row token = head.y.row(j);
            KeyAndValue made = of_group(token, setting, head.number, heads.size(), width - turned);
            if (turned > 0) {
                for (const Number number : through(token, {setting.rotary}))
                    made.key.push_back(number);
                made.key = turned_at_end(made.key, turned, j);
            }
            for (std::size_t c = 0; c < width; ++c)
                key(j, c) = made.key[c];
            if (value.rows == 0)
                value = Matrix(head.y.rows, made.value.size());
            for (std::size_t c = 0; c < value.cols; ++c)
                value(j, c) = made.value[c];
        }
        results.push_back(softmax_attention(query, key, value, head.allowed));
    }
    return results;
}

Matrix grouped_output(const Matrix& rows, const Matrix& A, const Matrix& B, std::size_t groups) {
    const std::size_t width = rows.cols / groups, rank = A.cols;
    Matrix output(rows.rows, B.cols);
    for (std::size_t i = 0; i < rows.rows; ++i)
        for (std::size_t g = 0; g < groups; ++g)
            for (std::size_t r = 0; r < rank; ++r) {
                Number narrow = 0;
                for (std::size_t c = 0; c < width; ++c)
                    narrow += rows(i, g * width + c) * A(g * width + c, r);
                for (std::size_t c = 0; c < B.cols; ++c)
                    output(i, c) += narrow * B(g * rank + r, c);
            }
    return output;
}

Number hard_concrete(Number a) {
    return std::clamp(sigmoid(a) * Number(1.2L) - Number(0.1L), Number(0), Number(1));
}

Number drawn_hard_concrete(Number a, Number temperature, std::uint64_t seed, std::size_t head) {
    const Number drawn =
        static_cast<Number>(child(child(seed, head), 1) >> 11) / 9007199254740992.0L;  // 2^53
    const Number u = Number(1e-6L) + (1 - Number(2e-6L)) * drawn;
    return hard_concrete((std::log(u) - std::log(1 - u) + a) / temperature);
}

Matrix over_root_mean_square(const Matrix& values, const Row& gain) {
    Matrix normed = values;
    for (std::size_t j = 0; j < values.rows; ++j) {
        const Row row = values.row(j);
        const Number size = std::sqrt(product(row, row) / static_cast<Number>(row.size()));
        for (std::size_t c = 0; c < row.size(); ++c)
            normed(j, c) = size > 0 ? gain[c] * row[c] / size : 0;
    }
    return normed;
}

}  // namespace headlight::reference
