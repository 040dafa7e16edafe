#include "tests/reference/selections.h"
#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/reference/balanced_hashing.h"
#include "tests/reference/chosen_shares.h"
#include "tests/reference/eviction.h"
#include "tests/reference/frame_heads.h"
#include "tests/reference/image_regions.h"
#include "tests/reference/neighbour_chunks.h"
#include "tests/reference/pooled_gates.h"

#include <algorithm>

namespace headlight {
namespace {

using reference::Allowed;
using reference::Head;
using reference::Matrix;

std::size_t count(const Options& options, const std::string& name) {
    return static_cast<std::size_t>(options.count(name));
}

/// A finite mask value forbids nothing.
Allowed seen(const AttentionSpec& spec, const Head& head) {
    return spec.mask_value ? reference::everything(head.q.rows, head.k.rows) : head.allowed;
}

/// Queries before any norm or rotation.
Matrix plain_query(const reference::Setting& setting, const Head& head) {
    const Matrix all = setting.to_query ? reference::project(head.x, *setting.to_query) : head.x;
    return reference::columns_of_head(all, head.number, setting.heads);
}

/// The keys that the head reads, before any norm or rotation.
Matrix plain_key(const reference::Setting& setting, const Head& head) {
    const Matrix all = setting.to_key ? reference::project(head.y, *setting.to_key) : head.y;
    return reference::columns_of_head(all, head.number / (setting.heads / setting.kv_heads),
                                      setting.kv_heads);
}

void add_pooled_gates(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.selection.options;
    const reference::PooledGates gates{.size = count(options, "size"),
                                       .keeps_best = options.word("rule") == "best",
                                       .threshold = options.number("threshold"),
                                       .blocks = count(options, "blocks"),
                                       .dense = count(options, "dense"),
                                       .has_places = options.flag("places"),
                                       .base = options.number("base"),
                                       .is_one_sequence = parts.spec.source.type == SourceType::self,
                                       .to_gate = {}};
    setting.select = [=, spec = parts.spec, &setting,
                      W = parts.parameters.matrix("W_pooled_gate")](const Head& head, const Matrix&) {
        reference::PooledGates of_head = gates;
        const auto first = W.values.begin() + static_cast<std::ptrdiff_t>(3 * head.number * W.cols * W.cols);
        of_head.to_gate =
            Matrix(3 * W.cols, W.cols, {first, first + static_cast<std::ptrdiff_t>(3 * W.cols * W.cols)});
        return reference::pooled_gates(plain_query(setting, head), plain_key(setting, head), seen(spec, head),
                                       of_head);
    };
}

void add_head_windows(const AttentionSpec& spec, reference::Setting& setting) {
    if (spec.selection.options.list("reaches").empty())
        return;
    setting.select = [spec](const Head& head, const Matrix&) {
        const auto of_head = [&](const char* name, Index otherwise) {
            const auto& numbers = spec.selection.options.list(name);
            return numbers.empty() ? otherwise : numbers[head.number % numbers.size()];
        };
        return reference::in_head_window(seen(spec, head),
                                         {.reach = static_cast<std::size_t>(of_head("reaches", 0)),
                                          .shift = static_cast<std::ptrdiff_t>(of_head("shifts", 0)),
                                          .stride = static_cast<std::size_t>(of_head("strides", 1)),
                                          .first = static_cast<std::size_t>(of_head("first", 0))});
    };
}

void add_predicted_window(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.selection.options;
    const auto radius = static_cast<Number>(options.count("radius"));
    const Number given = options.number("sigma");
    const Number sigma = given > 0 ? given : radius / 2;
    const auto places = [spec = parts.spec, &setting, W_p = parts.parameters.matrix("W_p"),
                         v_p = parts.parameters.row("v_p")](const Head& head) {
        return reference::predicted_places(plain_query(setting, head), seen(spec, head), W_p, v_p);
    };
    setting.select = [=, spec = parts.spec](const Head& head, const Matrix&) {
        return reference::around(places(head), seen(spec, head), radius);
    };
    setting.change_weights = [=](const Head& head, const Matrix& weights) {
        return reference::gaussian_weights(weights, places(head), sigma);
    };
}

void add_eviction(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.selection.options;
    const auto& policy = options.word("policy");
    const Number temperature = parts.spec.normalizer.temperature;
    const auto select = [&](const auto& kept) {
        if (options.flag("together"))
            setting.select_together = [=, spec = parts.spec](const Head& head,
                                                             const std::vector<Matrix>& scores) {
                return kept(scores, seen(spec, head));
            };
        else
            setting.select = [=, spec = parts.spec](const Head& head, const Matrix& scores) {
                return kept({scores}, seen(spec, head));
            };
    };
    if (policy == "snapkv") {
        const reference::PromptEviction prompt{.budget = count(options, "budget"),
                                               .window = count(options, "recent"),
                                               .prompt = count(options, "prompt"),
                                               .pooling = count(options, "pooling"),
                                               .temperature = temperature};
        select([=](const std::vector<Matrix>& scores, const Allowed& allowed) {
            return reference::left_of_prompt(scores, allowed, prompt);
        });
        return;
    }
    const reference::Eviction eviction{.budget = count(options, "budget"),
                                       .recent = count(options, "recent"),
                                       .accumulates = policy == "h2o",
                                       .temperature = temperature};
    select([=](const std::vector<Matrix>& scores, const Allowed& allowed) {
        return reference::left_in_cache(scores, allowed, eviction);
    });
}

void add_balanced_hashing(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.selection.options;
    const bool by_signs = options.word("hash") == "signs", by_values = options.word("chances") == "values";
    const auto shared = [by_signs, spec = parts.spec,
                         directions = parts.parameters.matrix(by_signs ? "hash_signs" : "hash_directions"),
                         clusters = count(options, "clusters")](const Head& head) {
        return by_signs
                   ? reference::shared_blocks_by_signs(head.q, head.k, seen(spec, head), directions, clusters)
                   : reference::shared_balanced_blocks(head.q, head.k, seen(spec, head), directions,
                                                       clusters);
    };
    const bool counts_rounds = options.word("merge") == "sums";
    const std::size_t samples = count(options, "samples");
    const auto drawn = [=, spec = parts.spec, seed = parts.seed](const Head& head) {
        if (by_values)
            return reference::drawn_by_chances(reference::chances_by_values(seen(spec, head), head.v),
                                               samples, seed);
        return reference::drawn_keys(seen(spec, head), head.k.rows, samples, seed);
    };
    setting.select = [=, spec = parts.spec](const Head& head, const Matrix&) {
        const Matrix blocks = shared(head);
        const reference::Row draws = drawn(head);
        Allowed kept = seen(spec, head);
        for (std::size_t i = 0; i < head.q.rows; ++i)
            for (std::size_t j = 0; j < head.k.rows; ++j)
                kept[i][j] = kept[i][j] && (blocks(i, j) > 0 || draws[j] > 0);
        return kept;
    };
    if (!counts_rounds && samples == 0)
        return;
    setting.change_weights = [=, spec = parts.spec](const Head& head, const Matrix& weights) {
        Number real = 0;
        const Allowed allowed = seen(spec, head);
        for (std::size_t j = 0; j < head.k.rows; ++j)
            real += std::ranges::any_of(allowed, [&](const auto& row) { return row[j]; }) ? 1 : 0;
        const auto draws = static_cast<Number>(std::max<std::size_t>(samples, 1));
        reference::Row stands_for(head.k.rows, real / draws);
        if (by_values) {
            stands_for = reference::chances_by_values(allowed, head.v);
            for (Number& chance : stands_for)
                chance = chance == 0 ? 0 : 1 / (chance * draws);
        }
        return reference::counted_weights(weights, shared(head), drawn(head), stands_for, counts_rounds);
    };
}

void add_sparq(const AttentionSpec& spec, reference::Setting& setting) {
    const auto keys = [spec](const Head& head) {
        return reference::sparq(
            head.q, head.k, seen(spec, head),
            {.numbers = count(spec.selection.options, "r"), .keys = count(spec.selection.options, "k")});
    };
    setting.select = [keys](const Head& head, const Matrix&) { return keys(head).kept; };
    if (spec.selection.options.flag("mean"))
        setting.change_weights = [keys, spec](const Head& head, const Matrix& weights) {
            return reference::with_mean_value(weights, seen(spec, head), keys(head).read_share);
        };
}

void add_prefill_patterns(const AttentionSpec& spec, reference::Setting& setting) {
    const Options& options = spec.selection.options;
    const reference::PrefillPatterns patterns{.last = count(options, "last"),
                                              .columns = count(options, "vertical"),
                                              .diagonals = count(options, "slash"),
                                              .first = count(options, "first"),
                                              .recent = count(options, "recent"),
                                              .size = count(options, "size"),
                                              .blocks = count(options, "blocks"),
                                              .temperature = spec.normalizer.temperature};
    setting.select = [=, word = options.word("pattern")](const Head& head, const Matrix& scores) {
        const Allowed allowed = seen(spec, head);
        const std::vector<std::string> in_turn{"a_shape", "vertical_slash", "blocks"};
        const std::string& pattern = word == "in_turn" ? in_turn[head.number % 3] : word;
        if (pattern == "a_shape")
            return reference::a_shape(allowed, patterns);
        return pattern == "blocks" ? reference::pooled_blocks(head.q, head.k, allowed, patterns)
                                   : reference::vertical_slash(scores, allowed, patterns);
    };
}

void add_antidiagonals(const AttentionSpec& spec, reference::Setting& setting) {
    const Options& options = spec.selection.options;
    setting.select_reads_forbidden = true;  // the authors’ code masks whole groups, after the sum
    setting.select =
        [spec, blocks = reference::Antidiagonals{.stride = count(options, "stride"),
                                                 .groups = count(options, "groups"),
                                                 .p = options.number("p"),
                                                 .temperature = spec.normalizer.temperature,
                                                 .keeps_ends = options.flag("ends"),
                                                 .is_one_sequence = spec.source.type == SourceType::self}](
            const Head& head, const Matrix& scores) {
            return reference::antidiagonals(scores, seen(spec, head), blocks);
        };
}

}  // namespace

void add_selection_oracle(const OracleParts& parts, reference::Setting& setting) {
    const AttentionSpec& spec = parts.spec;
    const Options& options = spec.selection.options;
    switch (spec.selection.type) {
    case SelectionType::top_k:
        setting.select = [=, k = count(options, "k")](const Head& head, const Matrix& scores) {
            return reference::top_k(scores, seen(spec, head), k);
        };
        return;
    case SelectionType::head_windows:
        return add_head_windows(spec, setting);
    case SelectionType::predicted_window:
        return add_predicted_window(parts, setting);
    case SelectionType::hashing:
        if (count(options, "directions") > 0)
            setting.select = [=, R = parts.parameters.matrix("rotations"), chunk = count(options, "chunk"),
                              rounds = count(options, "rounds")](const Head& head, const Matrix&) {
                if (chunk > 0)
                    return reference::near_in_hash_order(head.q, head.k, seen(spec, head), R, rounds, chunk,
                                                         spec.source.type == SourceType::self);
                return reference::same_bucket(head.q, head.k, seen(spec, head), R, rounds);
            };
        if (options.word("own") == "otherwise")
            setting.select = [spec, before = setting.select](const Head& head, const Matrix& scores) {
                return reference::own_key_last(before ? before(head, scores) : seen(spec, head));
            };
        return;
    case SelectionType::pages:
        setting.select = [=, size = count(options, "size"), kept = count(options, "pages")](const Head& head,
                                                                                            const Matrix&) {
            return reference::pages(head.q, head.k, seen(spec, head), size, kept);
        };
        return;
    case SelectionType::block_means:
        setting.select = [=, size = count(options, "size"), kept = count(options, "blocks")](const Head& head,
                                                                                             const Matrix&) {
            return reference::block_means(head.q, head.k, seen(spec, head), size, kept,
                                          spec.source.type == SourceType::self);
        };
        return;
    case SelectionType::indexer:
        setting.select = [=, W_q = parts.parameters.matrix("W_index_q"),
                          W_k = parts.parameters.matrix("W_index_k"),
                          W_w = parts.parameters.matrix("W_index_w"),
                          k = count(options, "k")](const Head& head, const Matrix&) {
            return reference::exactly_top_k(reference::index_scores(head.x, head.y, W_q, W_k, W_w),
                                            seen(spec, head), k);
        };
        return;
    case SelectionType::block_indexer:
        setting.select = [=, W_q = parts.parameters.matrix("W_index_q"),
                          W_k = parts.parameters.matrix("W_index_k"), size = count(options, "size"),
                          kept = count(options, "blocks"),
                          groups = static_cast<std::size_t>(spec.heads.kv_count())](const Head& head,
                                                                                    const Matrix&) {
            return reference::block_indexer(reference::columns_of_head(reference::project(head.x, {W_q, {}}),
                                                                       key_head_of(parts, head), groups),
                                            reference::project(head.y, {W_k, {}}), seen(spec, head), size,
                                            kept, spec.source.type == SourceType::self);
        };
        return;
    case SelectionType::clusters:
        setting.select = [=, centroids = parts.parameters.matrix("centroids"),
                          members = count(options, "members")](const Head& head, const Matrix&) {
            return reference::same_cluster(head.q, head.k, seen(spec, head), centroids, members);
        };
        return;
    case SelectionType::eviction:
        return add_eviction(parts, setting);
    case SelectionType::balanced_hashing:
        return add_balanced_hashing(parts, setting);
    case SelectionType::frame_heads:
        setting.select = [=, masks = reference::FrameMasks{.frame = count(options, "frame"),
                                                           .reach = count(options, "reach"),
                                                           .samples = count(options, "samples"),
                                                           .temperature = spec.normalizer.temperature}](
                             const Head& head, const Matrix& scores) {
            return reference::frame_heads(scores, head.v, seen(spec, head), masks);
        };
        return;
    case SelectionType::stripes:
        setting.select = [=, columns = count(options, "columns"), width = count(options, "width"),
                          heads = static_cast<std::size_t>(spec.heads.count())](const Head& head,
                                                                                const Matrix&) {
            const std::size_t first_half = (heads + 1) / 2;
            return reference::both(seen(spec, head), reference::same_stripe(head.q.rows, head.k.rows, columns,
                                                                            width, head.number < first_half));
        };
        return;
    case SelectionType::pooled_gates:
        return add_pooled_gates(parts, setting);
    case SelectionType::region_means:
        setting.select_for_all =
            [=, regions = reference::ImageRegions{.columns = count(options, "columns"),
                                                  .side = count(options, "side"),
                                                  .kept = count(options, "regions"),
                                                  .is_one_sequence = spec.source.type == SourceType::self}](
                const std::vector<Head>& heads) {
                return reference::best_regions(heads, seen(spec, heads.front()), regions);
            };
        return;
    case SelectionType::neighbour_chunks:
        setting.select =
            [=, search = reference::ChunkSearch{.chunk = count(options, "chunk"),
                                                .neighbours = count(options, "neighbours"),
                                                .is_continued = options.flag("continued"),
                                                .is_one_sequence = spec.source.type == SourceType::self}](
                const Head& head, const Matrix&) {
                return reference::neighbour_chunks(head.x, head.y, seen(spec, head), search);
            };
        return;
    case SelectionType::top_p:
        setting.select = [=, p = options.number("p")](const Head& head, const Matrix& scores) {
            return reference::top_p(scores, seen(spec, head), p, spec.normalizer.temperature);
        };
        return;
    case SelectionType::sparq:
        return add_sparq(spec, setting);
    case SelectionType::prefill_patterns:
        return add_prefill_patterns(spec, setting);
    case SelectionType::antidiagonals:
        return add_antidiagonals(spec, setting);
    default:
        return;
    }
}

}  // namespace headlight
