#pragma once

// Readers of captures and of the trees of HeadVis, for tests/fuzz/readers.h.

#include "core/analysis/head_statistics.h"
#include "core/io/capture_file.h"
#include "core/io/headvis_tree.h"
#include "core/tensor/extents.h"
#include "tests/fuzz/refused.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::test {

/// What a capture holds can be read.
inline bool read_capture_of(std::string_view extension, std::string_view bytes) {
    return unless_refused([&] {
        constexpr double largest = 1 << 12;
        for (const LabelledMaps& each :
             parse_capture(std::make_shared<HeldBytes>(std::string(bytes)), extension)) {
            const auto& [layers, heads, queries, keys] = each.maps->extents();
            if (elements(layers, heads, queries, keys) <= largest)
                statistics_of(each, {layers - 1, heads - 1});
        }
    });
}
inline bool read_capture_npz(std::string_view bytes) { return read_capture_of(".npz", bytes); }
/// Queries, keys and the decay of a linear layer.
inline bool read_capture_implied(std::string_view bytes) {
    return unless_refused([&] {
        CaptureNotes notes;
        notes.implied =
            ImpliedNotes{{.scale = 0.5, .causal = true, .normalised = true}, Decay::Form::logarithm};
        constexpr double largest = 1 << 12;
        for (const LabelledMaps& each :
             parse_capture(std::make_shared<HeldBytes>(std::string(bytes)), ".npz", notes)) {
            const auto& [layers, heads, queries, keys] = each.maps->extents();
            require(each.maps->is_implied(layers - 1), "implied weights are marked");
            if (elements(layers, heads, queries, keys) <= largest)
                statistics_of(each, {layers - 1, heads - 1});
        }
    });
}
inline bool read_capture_npy(std::string_view bytes) { return read_capture_of(".npy", bytes); }
inline bool read_capture_json(std::string_view bytes) { return read_capture_of(".json", bytes); }
inline bool read_capture_notes(std::string_view bytes) {
    return unless_refused([&] { parse_capture_notes(bytes).labels.of("all", "cross", {1, 1, 1, 1}); });
}

inline bool read_headvis_config(std::string_view bytes) {
    return unless_refused([&] {
        const HeadVisTree tree = parse_headvis_config(bytes);
        headvis_head_file(tree, tree.heads.back());
    });
}
inline bool read_headvis_metrics(std::string_view bytes) {
    return unless_refused([&] {
        const std::vector<std::string> names{"qk_distance", "induction_score"};
        const std::vector<std::size_t> columns{0, 1};
        head_table_csv(parse_headvis_metrics(bytes, names), names, columns);
    });
}
inline bool read_headvis_head(std::string_view bytes) {
    return unless_refused([&] {
        for (const LabelledMaps& each : parse_headvis_head(bytes, "some")) {
            const auto& [layers, heads, queries, keys] = each.maps->extents();
            constexpr Index part = MapSource::widest_fold;
            const Index rows = std::min(queries, part), columns = std::min(keys, part);
            std::vector<double> block(static_cast<std::size_t>(rows * columns));
            each.maps->read_block({}, {queries - rows, rows, keys - columns, columns}, block);
            std::vector<FoldedCell> cells(static_cast<std::size_t>((keys + part - 1) / part));
            each.maps->read_folded({}, 0, rows, part, cells);
            statistics_of(each, {layers - 1, heads - 1});
        }
    });
}

}  // namespace headlight::test
