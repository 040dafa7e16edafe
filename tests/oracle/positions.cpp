#include "tests/reference/positions.h"
#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/reference/pairs_in_space.h"
#include "tests/reference/positions_grid.h"
#include "tests/reference/positions_relative.h"
#include "tests/reference/positions_rotary.h"
#include "tests/reference/positions_scores.h"

#include <cmath>

namespace headlight {
namespace {

using reference::Head;
using reference::Matrix;
using reference::Row;

Matrix sum(Matrix a, const Matrix& b) {
    for (std::size_t at = 0; at < a.values.size(); ++at)
        a.values[at] += b.values[at];
    return a;
}

/// `term` of each head is added to the scores that the setting has so far.
void add_to_scores(reference::Setting& setting, const std::function<Matrix(const Head&)>& term) {
    setting.scores = [before = setting, term](const Head& head) {
        return sum(reference::raw_scores(before, head), term(head));
    };
}

std::size_t count_of(const Options& options, const char* name) {
    return static_cast<std::size_t>(options.count(name));
}

Number scale_of(const OracleParts& parts, const reference::Setting& setting, std::size_t width) {
    if (setting.scale)
        return *setting.scale;
    if (parts.spec.score.type == ScoreType::learned_scale)
        return setting.score.g;
    return parts.spec.score.type == ScoreType::scaled_dot ? 1 / std::sqrt(Number(width)) : 1;
}

void add_alibi(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const Number slope = options.number("slope");
    const std::string form = options.word("form");
    setting.bias = [=, heads = setting.heads](const Head& head) {
        const Number m = slope > 0 ? slope : reference::alibi_slope(head.number, heads);
        return reference::alibi_bias(head.q.rows, head.k.rows, m, form);
    };
}

/// A projection that gives every second head, counted from `first` on, what the one before it has.
reference::Linear queries_of_pairs(const reference::Setting& setting, std::size_t first) {
    const std::size_t tokens = setting.query_tokens.cols;
    reference::Linear given;
    if (setting.to_query) {
        given = *setting.to_query;
    } else {
        given.weight = Matrix(tokens, tokens);
        for (std::size_t c = 0; c < tokens; ++c)
            given.weight(c, c) = 1;
    }
    reference::Linear paired = given;
    const std::size_t width = given.weight.cols / setting.heads;
    for (std::size_t head = first + 1; head < setting.heads; head += 2)
        for (std::size_t c = head * width; c < (head + 1) * width; ++c) {
            for (std::size_t row = 0; row < given.weight.rows; ++row)
                paired.weight(row, c) = given.weight(row, c - width);
            if (!given.bias.empty())
                paired.bias[c] = given.bias[c - width];
        }
    return paired;
}

void add_rope(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    reference::RotaryRule rule{.interleaved = options.word("layout") == "interleaved",
                               .dimensions = static_cast<std::size_t>(options.count("dimensions")),
                               .base = options.number("base"),
                               .scaling = options.word("scaling"),
                               .factor = options.number("factor"),
                               .original_length = static_cast<Number>(options.count("original_length")),
                               .ramp_over_turns = options.word("yarn_ramp") == "turns",
                               .turned_share = options.number("turned_share"),
                               .tokens = std::max(parts.queries, parts.keys)};
    for (const Index hundredths : options.list("pair_factors"))
        rule.pair_factors.push_back(Number(hundredths) / 100);
    const Index turned = options.count("turned_heads");
    const auto first = static_cast<std::size_t>(
        turned > 0 ? std::max<Index>(0, static_cast<Index>(setting.heads) - turned) : 0);
    const bool in_pairs = options.flag("quarter_heads");
    if (in_pairs)
        setting.to_query = queries_of_pairs(setting, first);
    setting.change_vector.push_back(
        [rule, first, in_pairs](const Row& vector, bool is_key, std::size_t head, std::size_t token) {
            if (head < first)
                return vector;
            reference::RotaryRule here = rule;
            if (here.dimensions == 0)
                here.dimensions = vector.size();
            const Row in_place = reference::rotated(here, vector, token);
            return in_pairs && !is_key && (head - first) % 2 == 1
                       ? reference::turned_back_a_quarter(here, in_place)
                       : in_place;
        });
}

void add_xpos(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const reference::RotaryRule rule{.interleaved = options.word("layout") == "interleaved",
                                     .base = options.number("base")};
    const Number scale_base = options.number("scale_base");
    setting.change_vector.push_back([=](const Row& vector, bool is_key, std::size_t, std::size_t token) {
        reference::RotaryRule here = rule;
        here.dimensions = vector.size();
        return reference::rotated(here, vector, token,
                                  reference::xpos_lengths(vector.size(), token, scale_base, is_key ? -1 : 1));
    });
}

void add_fope(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const reference::FourierRule rule{.base = options.number("base"),
                                      .original_length =
                                          static_cast<Number>(options.count("original_length")),
                                      .leaves_out = options.word("slow") == "left_out",
                                      .cosines = {},
                                      .sines = {}};
    setting.change_vector.push_back([rule, cosines = parts.parameters.matrix("fope_cosines"),
                                     sines = parts.parameters.matrix("fope_sines"), heads = setting.heads,
                                     kv_heads = setting.kv_heads](const Row& vector, bool is_key,
                                                                  std::size_t head, std::size_t token) {
        const std::size_t own = is_key ? head : head / (heads / kv_heads), waves = cosines.rows / kv_heads;
        const auto of_head = [&](const Matrix& all) {
            Matrix part(waves, all.cols);
            for (std::size_t row = 0; row < waves; ++row)
                for (std::size_t column = 0; column < all.cols; ++column)
                    part(row, column) = all(own * waves + row, column);
            return part;
        };
        reference::FourierRule here = rule;
        here.cosines = of_head(cosines);
        here.sines = of_head(sines);
        return reference::turned_by_series(here, vector, token);
    });
}

void add_grid_rope(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const auto& sections = options.list("sections");
    const reference::GridRotaryRule rule{.columns = count_of(options, "columns"),
                                         .rows = count_of(options, "rows"),
                                         .text = count_of(options, "text"),
                                         .sections = {sections.begin(), sections.end()},
                                         .shared_speeds = options.word("speeds") == "shared",
                                         .interleaved = options.word("layout") == "interleaved",
                                         .base = options.number("base")};
    const std::size_t unplaced = count_of(options, "unplaced");
    setting.change_vector.push_back([rule, unplaced, keys = parts.keys](const Row& vector, bool is_key,
                                                                        std::size_t, std::size_t token) {
        return is_key && token + unplaced >= keys ? vector : reference::rotated_on_grid(rule, vector, token);
    });
}

void add_shaw(const OracleParts& parts, reference::Setting& setting) {
    add_to_scores(setting, [a = parts.parameters.matrix("a_K")](const Head& head) {
        return reference::shaw_scores(head, a);
    });
    if (parts.spec.position.options.flag("values"))
        setting.add_to_context = [a = parts.parameters.matrix("a_V")](const Head&, const Matrix& weights) {
            return reference::shaw_context(weights, a);
        };
}

void add_t5(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const auto buckets = static_cast<std::size_t>(options.count("buckets"));
    const auto max_distance = static_cast<std::size_t>(options.count("max_distance"));
    const bool both_ways = options.flag("bidirectional");
    setting.bias = [=, table = parts.parameters.matrix("relative_bias")](const Head& head) {
        Matrix bias(head.q.rows, head.k.rows);
        for (std::size_t i = 0; i < bias.rows; ++i)
            for (std::size_t j = 0; j < bias.cols; ++j)
                bias(i, j) = table(reference::t5_bucket(long(j) - long(i), buckets, max_distance, both_ways),
                                   head.number);
        return bias;
    };
    if (!options.flag("gate"))
        return;
    setting.bias = [plain = setting.bias, heads = setting.heads, W = parts.parameters.matrix("W_bias_gate"),
                    b = parts.parameters.row("b_bias_gate"),
                    c = parts.parameters.row("c_bias_gate")](const Head& head) {
        Matrix bias = plain(head);
        const Matrix own = reference::columns_of_head(head.x, head.number, heads);
        for (std::size_t i = 0; i < bias.rows; ++i)
            for (std::size_t j = 0; j < bias.cols; ++j)
                bias(i, j) = reference::gated_bias(bias(i, j), own.row(i), W, b, c[head.number]);
        return bias;
    };
}

/// How wide the keys of a head are.
std::size_t key_width(const reference::Setting& setting) {
    return (setting.to_key ? setting.to_key->weight.cols : setting.key_tokens.cols) / setting.kv_heads;
}

void add_deberta(const OracleParts& parts, reference::Setting& setting) {
    const std::string& terms = parts.spec.position.options.word("terms");
    reference::DebertaRule rule{parts.parameters.matrix("P_relative"), {}, {}};
    rule.as_released = parts.spec.position.options.word("p2c") == "released";
    if (terms != "position_to_content")
        rule.W_kr = parts.parameters.matrix("W_kr");
    if (terms != "content_to_position")
        rule.W_qr = parts.parameters.matrix("W_qr");
    setting.scale = scale_of(parts, setting, key_width(setting)) / std::sqrt(terms == "both" ? 3.0 : 2.0);
    add_to_scores(setting, [rule](const Head& head) { return reference::deberta_scores(head, rule); });
}

void add_kerple(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const std::string form = options.word("form");
    const auto number = [&](const std::string& name) {
        const Number given = options.number(name);
        return given > 0 ? Row(setting.heads, given) : parts.parameters.row(name);
    };
    setting.bias = [form, r_1 = number("r_1"), r_2 = number("r_2"),
                    middles = options.list("middles")](const Head& head) {
        const Index middle = middles.empty() ? 0 : middles[head.number % middles.size()];
        return reference::kerple_bias(head.q.rows, head.k.rows, std::abs(r_1[head.number]),
                                      std::abs(r_2[head.number]), form, static_cast<Number>(middle));
    };
}

void add_fire(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const reference::FireRule rule{options.number("c"),
                                   options.number("L"),
                                   parts.parameters.row("W_fire_1"),
                                   parts.parameters.row("b_fire_1"),
                                   parts.parameters.matrix("W_fire_2"),
                                   parts.parameters.row("b_fire_2")};
    setting.bias = [rule](const Head& head) {
        return reference::fire_bias(head.q.rows, head.k.rows, rule, head.number);
    };
}

void add_grid_bias(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const std::size_t columns = count_of(options, "columns"), window = count_of(options, "window");
    const std::string& form = options.word("form");
    if (form == "table") {
        setting.bias = [=, table = parts.parameters.matrix("grid_table")](const Head& head) {
            return reference::grid_table_bias(head.q.rows, head.k.rows, columns, window, table, head.number);
        };
        return;
    }
    const reference::ContinuousRule rule{
        columns, form == "released" ? window : 0, parts.parameters.matrix("W_grid_1"),
        parts.parameters.row("b_grid_1"), parts.parameters.matrix("W_grid_2")};
    setting.bias = [rule](const Head& head) {
        return reference::continuous_bias(head.q.rows, head.k.rows, rule, head.number);
    };
}

void add_dynamic_bias(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const OracleParameters& given = parts.parameters;
    reference::OffsetNetwork network{.columns = count_of(options, "columns"),
                                     .logarithmic = options.flag("logarithm"),
                                     .is_relu = options.word("activation") == "relu",
                                     .W = {},
                                     .b = {},
                                     .g = {},
                                     .s = {},
                                     .W_out = given.matrix("W_offset_out"),
                                     .b_out = given.row("b_offset_out")};
    for (std::size_t layer = 1; layer <= count_of(options, "depth"); ++layer) {
        const std::string number = std::to_string(layer);
        network.W.push_back(given.matrix("W_offset_" + number));
        network.b.push_back(given.row("b_offset_" + number));
        if (!options.flag("norm"))
            continue;
        network.g.push_back(given.row("g_offset_" + number));
        network.s.push_back(given.row("s_offset_" + number));
    }
    setting.bias = [network](const Head& head) {
        return reference::dynamic_bias(head.q.rows, head.k.rows, network, head.number);
    };
}

void add_pope(const OracleParts& parts, reference::Setting& setting) {
    setting.scores = [delta = parts.parameters.matrix("delta_pope"), heads = setting.heads,
                      base = parts.spec.position.options.number("base")](const Head& head) {
        return reference::pope_scores(head.q, head.k, delta.row(head.number * delta.rows / heads), base);
    };
}

void add_wall(const OracleParts& parts, reference::Setting& setting) {
    setting.scores = [W = parts.parameters.matrix("W_wall"), b = parts.parameters.row("b_wall")](
                         const Head& head) { return reference::wall_scores(head, W, b); };
}

void add_tupe(const OracleParts& parts, reference::Setting& setting) {
    const OracleParameters& given = parts.parameters;
    const reference::TupeRule rule{given.matrix("P_untied"), given.matrix("U_Q"), given.matrix("U_K"),
                                   given.row("theta_1"), given.row("theta_2")};
    setting.scale = scale_of(parts, setting, key_width(setting)) / std::sqrt(Number(2));
    setting.bias = [rule](const Head& head) { return reference::tupe_bias(head, rule); };
}

void add_decomposed(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    setting.bias = [columns = count_of(options, "columns"), is_scaled = options.flag("scaled"),
                    R_h = parts.parameters.matrix("R_h"),
                    R_w = parts.parameters.matrix("R_w")](const Head& head) {
        Matrix terms = reference::decomposed_terms(head, columns, R_h, R_w);
        for (Number& term : terms.values)
            term /= is_scaled ? std::sqrt(Number(head.q.cols)) : 1;
        return terms;
    };
}

reference::PairTurning pair_turning(const Options& options) {
    return {options.word("layout") == "interleaved", options.number("base")};
}

void add_rotary_values(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const reference::PairTurning turning = pair_turning(options);
    setting.add_to_context = [turning](const Head& head, const Matrix& weights) {
        return reference::turned_values(head, weights, turning);
    };
    if (!options.flag("products"))
        return;
    setting.change_vector.push_back([turning](const Row& vector, bool, std::size_t, std::size_t token) {
        const reference::RotaryRule rule{
            .interleaved = turning.interleaved, .dimensions = vector.size(), .base = turning.base};
        return reference::rotated(rule, vector, token);
    });
}

void add_self_extend(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const reference::ExtendRule rule{count_of(options, "window"), count_of(options, "group"),
                                     options.word("far"), pair_turning(options)};
    setting.scores = [rule, forbids = !parts.spec.mask_value](const Head& head) {
        return reference::extended_scores(
            head.q, head.k, rule, forbids ? head.allowed : reference::everything(head.q.rows, head.k.rows));
    };
}

void add_dual_chunk(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const reference::ChunkRule rule{count_of(options, "chunk"), count_of(options, "window"),
                                    pair_turning(options)};
    setting.scores = [rule](const Head& head) { return reference::chunk_scores(head.q, head.k, rule); };
}

void add_temperature_tuning(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    setting.change_vector.push_back([length = count_of(options, "length"), growth = options.number("growth")](
                                        Row vector, bool is_key, std::size_t, std::size_t token) {
        for (Number& each : vector)
            each *= is_key ? 1 : reference::query_temperature(token, length, growth);
        return vector;
    });
}

void add_graphormer(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const auto& edges = options.list("edges");
    const auto& kinds = options.list("edge_kinds");
    setting.bias = [paths = reference::GraphPaths{.graph = options.word("graph"),
                                                  .edges = {edges.begin(), edges.end()},
                                                  .kinds = {kinds.begin(), kinds.end()},
                                                  .of_lengths = parts.parameters.matrix("spatial_bias"),
                                                  .of_edges = parts.parameters.matrix("edge_bias")}](
                       const Head& head) { return reference::graph_bias(head.q.rows, paths, head.number); };
}

void add_learned(const OracleParts& parts, reference::Setting& setting) {
    const auto& given = parts.spec.position.options.list("segments");
    setting.place_tokens = [places = parts.parameters.matrix("E_pos"),
                            lengths = std::vector<std::size_t>(given.begin(), given.end()),
                            segments = parts.parameters.matrix("E_segment")](const Matrix& tokens, bool) {
        const Matrix placed = reference::add_learned_position(tokens, places);
        return lengths.empty() ? placed : reference::add_segments(placed, lengths, segments);
    };
}

void add_complex_order(const OracleParts& parts, reference::Setting& setting) {
    setting.place_tokens = [W = parts.parameters.matrix("W_order"),
                            base = parts.spec.position.options.number("base"),
                            sequence = setting.query_tokens.values](const Matrix& tokens, bool) {
        return tokens.values == sequence ? reference::turned_words(tokens, W, base) : tokens;
    };
}

void add_convolutional(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    reference::PlaceKernel kernel{.columns = count_of(options, "columns"),
                                  .size = count_of(options, "size"),
                                  .looks_back = options.word("window") == "past",
                                  .K = parts.parameters.matrix("K_place"),
                                  .b = parts.parameters.row("b_place")};
    if (options.word("kernel") == "shift")
        kernel = reference::shifting(kernel, setting.query_tokens.cols);
    std::vector<bool> is_read(parts.keys, setting.mask_value.has_value());
    for (const std::vector<bool>& row : setting.allowed)
        for (std::size_t key = 0; key < row.size(); ++key)
            is_read[key] = is_read[key] || row[key];
    // Values that are given apart stay as they are.
    setting.place_tokens = [kernel, is_read, sequence = setting.query_tokens.values](const Matrix& tokens,
                                                                                     bool) {
        return tokens.values == sequence ? reference::convolved_tokens(tokens, kernel, is_read) : tokens;
    };
}

void add_outer_product(const OracleParts& parts, reference::Setting& setting) {
    std::vector<bool> is_read(parts.keys, setting.mask_value.has_value());
    for (const std::vector<bool>& row : setting.allowed)
        for (std::size_t key = 0; key < row.size(); ++key)
            is_read[key] = is_read[key] || row[key];
    setting.bias = [=, columns = count_of(parts.spec.position.options, "columns"),
                    first = parts.parameters.matrix("W_outer_first"),
                    second = parts.parameters.matrix("W_outer_second"),
                    pairs = parts.parameters.matrix("W_pairs")](const Head& head) {
        reference::OuterProduct given{columns, first, second, Matrix(first.cols, first.cols)};
        for (std::size_t c = 0; c < first.cols; ++c)
            for (std::size_t d = 0; d < first.cols; ++d)
                given.pairs(c, d) = pairs(head.number * first.cols + c, d);
        return reference::outer_product_bias(head.x, given, is_read);
    };
}

void add_invariant_points(const OracleParts& parts, reference::Setting& setting) {
    const bool has_pairs = parts.spec.position.options.count("pairs") > 0;
    std::vector<reference::InvariantPoints> of_heads;
    for (std::size_t head = 0; head < setting.heads; ++head) {
        const OracleParameters& all = parts.parameters;
        const auto columns = [&](const char* name) {
            return reference::columns_of_head(all.matrix(name), head, setting.heads);
        };
        const auto rows = [&](const char* name) {
            const Matrix whole = all.matrix(name);
            Matrix own(whole.rows / setting.heads, whole.cols);
            for (std::size_t row = 0; row < own.rows; ++row)
                for (std::size_t column = 0; column < own.cols; ++column)
                    own(row, column) = whole(head * own.rows + row, column);
            return own;
        };
        of_heads.push_back({.frame = all.matrix("W_frame"),
                            .shift = all.row("b_frame"),
                            .asked = columns("W_points_q"),
                            .offered = columns("W_points_k"),
                            .given = columns("W_points_v"),
                            .rate = all.row("g_points")[head],
                            .to_context = rows("W_points_o")});
        if (!has_pairs)
            continue;
        of_heads.back().first = all.matrix("W_pair_first");
        of_heads.back().second = all.matrix("W_pair_second");
        of_heads.back().of_pair = all.matrix("W_pair_bias").row(head);
        of_heads.back().pairs_to_context = rows("W_pair_o");
    }
    setting.scale = scale_of(parts, setting, key_width(setting)) / std::sqrt(Number(has_pairs ? 3 : 2));
    setting.bias = [of_heads](const Head& head) {
        return reference::distance_bias(head.x, of_heads[head.number]);
    };
    setting.add_to_context = [of_heads](const Head& head, const Matrix& weights) {
        return reference::points_found(head.x, weights, of_heads[head.number]);
    };
}

void add_forgetting(const OracleParts& parts, reference::Setting& setting) {
    const OracleParameters& given = parts.parameters;
    setting.bias = [W_f = given.matrix("W_f"), b_f = given.row("b_f"), W_behind = given.matrix("W_f_behind"),
                    b_behind = given.row("b_f_behind"),
                    is_two_sided = parts.spec.position.options.flag("two_sided")](const Head& head) {
        reference::Matrix bias = reference::forgetting_bias(head, W_f, b_f);
        if (is_two_sided) {
            const reference::Matrix behind = reference::forgetting_bias(head, W_behind, b_behind);
            for (std::size_t i = 0; i < bias.rows; ++i)
                for (std::size_t j = i + 1; j < bias.cols; ++j)
                    bias(i, j) = behind(i, j);
        }
        return bias;
    };
}

void add_cope(const OracleParts& parts, reference::Setting& setting) {
    const auto scale = [scaled = setting, parts](std::size_t width) {
        return scale_of(parts, scaled, width);
    };
    setting.bias = [before = setting, scale, e = parts.parameters.matrix("e_p"),
                    everything_open = parts.spec.mask_value.has_value()](const Head& head) {
        Matrix scores = reference::raw_scores(before, head);
        for (Number& score : scores.values)
            score *= scale(head.k.cols);
        return reference::cope_bias(head, scores, e, everything_open);
    };
}

}  // namespace

void add_position_oracle(const OracleParts& parts, PositionType type, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const OracleParameters& given = parts.parameters;
    switch (type) {
    case PositionType::learned:
        return add_learned(parts, setting);
    case PositionType::rope:
        return add_rope(parts, setting);
    case PositionType::xpos:
        return add_xpos(parts, setting);
    case PositionType::shaw:
        return add_shaw(parts, setting);
    case PositionType::t5:
        return add_t5(parts, setting);
    case PositionType::alibi:
        return add_alibi(parts, setting);
    case PositionType::transformer_xl:
        return add_to_scores(setting, [W_r = given.matrix("W_r"), u = given.row("u_content"),
                                       v = given.row("u_position")](const Head& head) {
            return reference::transformer_xl_scores(head, W_r, u, v);
        });
    case PositionType::deberta:
        return add_deberta(parts, setting);
    case PositionType::cope:
        return add_cope(parts, setting);
    case PositionType::forgetting:
        return add_forgetting(parts, setting);
    case PositionType::pair_forgetting:
        setting.bias = [to_queries = given.matrix("W_gate_query"), to_keys = given.matrix("W_gate_key"),
                        width = count_of(parts.spec.position.options, "width")](const Head& head) {
            return reference::pair_forgetting_bias(head, to_queries, to_keys, width);
        };
        return;
    case PositionType::path:
        setting.scores = [W_path = given.matrix("W_path"), W_beta = given.matrix("W_beta"),
                          strength = options.number("strength")](const Head& head) {
            return reference::path_scores(head, W_path, W_beta, strength);
        };
        return;
    case PositionType::kerple:
        return add_kerple(parts, setting);
    case PositionType::fire:
        return add_fire(parts, setting);
    case PositionType::distance_curves:
        setting.bias = [W = given.matrix("W_curves"), D = given.matrix("curves")](const Head& head) {
            return reference::distance_curves_bias(head, W, D);
        };
        return;
    case PositionType::fope:
        return add_fope(parts, setting);
    case PositionType::grid_rope:
        return add_grid_rope(parts, setting);
    case PositionType::grid_bias:
        return add_grid_bias(parts, setting);
    case PositionType::dynamic_bias:
        return add_dynamic_bias(parts, setting);
    case PositionType::pope:
        return add_pope(parts, setting);
    case PositionType::wall:
        return add_wall(parts, setting);
    case PositionType::tupe:
        return add_tupe(parts, setting);
    case PositionType::decomposed:
        return add_decomposed(parts, setting);
    case PositionType::rotary_values:
        return add_rotary_values(parts, setting);
    case PositionType::self_extend:
        return add_self_extend(parts, setting);
    case PositionType::dual_chunk:
        return add_dual_chunk(parts, setting);
    case PositionType::temperature_tuning:
        return add_temperature_tuning(parts, setting);
    case PositionType::graphormer:
        return add_graphormer(parts, setting);
    case PositionType::outer_product:
        return add_outer_product(parts, setting);
    case PositionType::invariant_points:
        return add_invariant_points(parts, setting);
    case PositionType::convolutional:
        return add_convolutional(parts, setting);
    case PositionType::complex_order:
        return add_complex_order(parts, setting);
    default:
        return;
    }
}

}  // namespace headlight
