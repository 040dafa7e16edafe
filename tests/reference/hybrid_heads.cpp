#include "tests/reference/hybrid_heads.h"

#include "tests/reference/linear_mixers.h"

#include <cmath>

namespace headlight::reference {
namespace {

bool is_seen_by_any(const Allowed& allowed, std::size_t key) {
    for (const auto& row : allowed)
        if (row[key])
            return true;
    return false;
}

std::size_t newest_of(const std::vector<bool>& row) {
    std::size_t newest = 0;
    for (std::size_t j = 0; j < row.size(); ++j)
        if (row[j])
            newest = j;
    return newest;
}

/// Numbers of all tokens, from their vectors.
struct StateTokens {
    Matrix reads, writes;        ///< [n, states], [m, states]
    Matrix values, steps, gate;  ///< [m, h d_v], [m, h d_v], [n, h d_v]
};

StateTokens state_tokens(const HybridHeads& hybrid, const Matrix& x, const Matrix& y) {
    StateTokens tokens{project(x, {hybrid.reads, {}}), project(y, {hybrid.writes, {}}),
                       project(y, {hybrid.values, {}}), project(y, {hybrid.steps, hybrid.step_bias}),
                       project(x, {hybrid.gate, {}})};
    for (Number& step : tokens.steps.values)
        step = softplus(step);
    for (Number& open : tokens.gate.values)
        open *= sigmoid(open);
    return tokens;
}

/// What the states of one channel give to query `i`.
Number read_of_channel(const HybridHeads& hybrid, const StateTokens& tokens, const Allowed& allowed,
                       std::size_t i, std::size_t channel) {
    Number sum = 0;
    for (std::size_t j = 0; j < allowed[i].size(); ++j) {
        if (!allowed[i][j])
            continue;
        Number faded_for = 0;
        for (std::size_t l = j + 1; l <= newest_of(allowed[i]); ++l)
            faded_for += is_seen_by_any(allowed, l) ? tokens.steps(l, channel) : 0;
        for (std::size_t s = 0; s < tokens.reads.cols; ++s)
            sum += tokens.reads(i, s) * std::exp(-faded_for * std::exp(hybrid.log_rates(channel, s))) *
                   tokens.writes(j, s) * tokens.steps(j, channel) * tokens.values(j, channel);
    }
    return sum;
}

/// All heads side by side, [n, h d].
Matrix side_by_side(const std::vector<HeadResult>& results) {
    const std::size_t n = results.front().context.rows, width = results.front().context.cols;
    Matrix joined(n, results.size() * width);
    for (std::size_t h = 0; h < results.size(); ++h)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t c = 0; c < width; ++c)
                joined(i, h * width + c) = results[h].context(i, c);
    return joined;
}

/// g x / sqrt(mean x^2 + 1e-6) over blocks of so many numbers of each row.
Matrix normed_blocks(Matrix x, std::size_t width, const Row& gain) {
    for (std::size_t i = 0; i < x.rows; ++i)
        for (std::size_t begin = 0; begin < x.cols; begin += width) {
            Number squares = 0;
            for (std::size_t c = begin; c < begin + width; ++c)
                squares += x(i, c) * x(i, c) / static_cast<Number>(width);
            for (std::size_t c = begin; c < begin + width; ++c)
                x(i, c) *= gain[c] / std::sqrt(squares + Number(1e-6));
        }
    return x;
}

}  // namespace

void hybrid_heads(const HybridHeads& hybrid, const std::vector<Head>& heads,
                  std::vector<HeadResult>& results) {
    const Head& any = heads.front();
    const StateTokens tokens = state_tokens(hybrid, any.x, any.y);
    const Matrix attended = side_by_side(results);
    Matrix found(attended.rows, attended.cols);
    for (std::size_t i = 0; i < found.rows; ++i)
        for (std::size_t c = 0; c < found.cols; ++c)
            found(i, c) = tokens.gate(i, c) * read_of_channel(hybrid, tokens, any.allowed, i, c);
    const std::size_t width = results.front().context.cols,
                      normed = hybrid.norms_each_head ? width : found.cols;
    const Matrix first = normed_blocks(attended, normed, hybrid.attention_gain),
                 second = normed_blocks(found, normed, hybrid.gain);
    const bool learns = hybrid.mix.rows > 0;
    const Matrix mix = learns ? project(any.x, {hybrid.mix, {}}) : Matrix();
    for (std::size_t h = 0; h < results.size(); ++h)
        for (std::size_t i = 0; i < found.rows; ++i) {
            const Number share = learns ? sigmoid(mix(i, h)) : Number(0.5);
            for (std::size_t c = 0; c < width; ++c)
                results[h].context(i, c) =
                    (1 - share) * first(i, h * width + c) + share * second(i, h * width + c);
        }
}

}  // namespace headlight::reference
