#pragma once

// A small HeadVis tree as its pipelines write one, of numbers that are made here: layers 0 and 5, two heads
// each, with three sequences a head that differ in length.

#include "tests/support/temporary_folder.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace headlight::test {

/// The tokens of a head's sequences; how many there are, and the first, tell which it is.
inline std::vector<std::string> headvis_tokens(int layer, int head, int sequence) {
    std::vector<std::string> tokens{"L" + std::to_string(layer) + "H" + std::to_string(head)};
    for (int i = 1; i < 3 + sequence; ++i)
        tokens.push_back(" t" + std::to_string(i));
    return tokens;
}

/// Has two weights of each row q: on itself, 0.5 + q / 16, and on the first token, 0.25.
inline nlohmann::json headvis_sequence(int layer, int head, int sequence, int interval, double largest) {
    const auto tokens = headvis_tokens(layer, head, sequence);
    const int count = static_cast<int>(tokens.size());
    std::vector<int> indices;
    std::vector<double> values;
    for (int query = 0; query < count; ++query) {
        if (query > 0) {
            indices.push_back(query * count);
            values.push_back(0.25);
        }
        indices.push_back(query * count + query);
        values.push_back(0.5 + query / 16.0);
    }
    return {{"sequence_id", 100 + sequence}, {"interval", interval},       {"tokens", tokens},
            {"attention_indices", indices},  {"attention_values", values}, {"seq_len", count},
            {"max_activation", largest}};
}

inline nlohmann::json headvis_head(int layer, int head) {
    return {{"sequences",
             {headvis_sequence(layer, head, 0, 1, 0.2), headvis_sequence(layer, head, 1, 5, 0.7),
              headvis_sequence(layer, head, 2, 5, 0.9)}},
            {"histogram", {{"bin_edges", {0, 0.5, 1}}, {"bin_values", {1, 2}}}},
            {"statistics", {{"n_samples", 3}, {"mean_max_activation", nullptr}}}};
}

inline nlohmann::json headvis_config() {
    return {{"model_name", "somebody/small"},
            {"heads", {{0, 0}, {0, 1}, {5, 0}, {5, 1}}},
            {"n_layers", 6},
            {"n_heads", 2},
            {"n_intervals", 5},
            {"metrics", {"pattern_entropy", "induction_score"}},
            {"metric_descriptions", nlohmann::json::object()},
            {"head_data_pattern", "L{layer}H{head}.json"},
            {"pipeline_config", {{"sparse_topk_per_row", 8}, {"sparse_threshold", 0.005}}}};
}

/// Writes the tree into the folder; returns its own folder.
inline std::filesystem::path write_headvis_tree(const TemporaryFolder& folder) {
    std::filesystem::create_directories(folder / "tree/heads");
    const nlohmann::json config = headvis_config();
    folder.write("tree/config.json", config.dump(2));
    nlohmann::json metrics = nlohmann::json::array();
    for (const auto& head : config["heads"]) {
        const int layer = head[0], number = head[1];
        metrics.push_back({{"layer", layer},
                           {"head", number},
                           {"pattern_entropy", 1.5 + layer},
                           {"induction_score", number == 0 ? nlohmann::json() : nlohmann::json(0.125)}});
        folder.write("tree/heads/L" + std::to_string(layer) + "H" + std::to_string(number) + ".json",
                     headvis_head(layer, number).dump());
    }
    folder.write("tree/scatter_data.json", metrics.dump());
    return folder / "tree";
}

}  // namespace headlight::test
