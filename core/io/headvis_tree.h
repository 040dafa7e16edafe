#pragma once

#include "core/analysis/head_table.h"
#include "core/attention/trace.h"
#include "core/map/map_source.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// Heads over a distribution of texts, as HeadVis and Neuronpedia publish them: a folder in which config.json
/// says which heads there are, scatter_data.json has metrics of each, and heads/L5H8.json the sequences of
/// one, here of layer 5 and head 8, both from 0.
struct HeadVisTree {
    std::filesystem::path folder;
    std::vector<MapPlace> heads;       ///< at least one
    std::vector<std::string> metrics;  ///< names of what scatter_data.json has of each head
    std::string left_out;              ///< by its heads' sparse rows: MapSource::left_out()
};

/// Whether the path is the folder of a tree, or its config.json. Throws nothing but for lack of memory.
bool is_headvis_tree(const std::filesystem::path& path);

/// Whether the path is the file of one head: by its name and what it begins with. Throws as the above.
bool is_headvis_head(const std::filesystem::path& path);

/// What config.json says; no file of a head is read. Throws Error naming the file.
HeadVisTree read_headvis_tree(const std::filesystem::path& path);

/// The same of its text; without the folder.
HeadVisTree parse_headvis_config(std::string_view text);

/// The tree that the file of a head is in; nothing where it stands alone, and of other files. Throws as
/// read_headvis_tree().
std::optional<HeadVisTree> headvis_tree_around(const std::filesystem::path& head);

/// Where the sequences of a head are. Throws Error when the tree has no such head.
std::filesystem::path headvis_head_file(const HeadVisTree& tree, MapPlace head);

/// The sequences of one head, each as a map [1, 1, query, key] of sparse rows with its tokens: those of the
/// highest interval first, and of one interval those with the largest weights. Of a file in a tree the
/// config.json says what the rows leave out. Throws Error naming the file, the place in it, what was expected
/// and found.
std::vector<LabelledMaps> read_headvis_head(const std::filesystem::path& file);

/// The same of the text of a file.
std::vector<LabelledMaps> parse_headvis_head(std::string_view text, const std::string& left_out);

/// A row for each head of scatter_data.json, with a number for each of the tree's metrics. They were counted
/// on whole rows, over every text that was processed. Throws Error naming the file.
std::vector<HeadRow> read_headvis_metrics(const HeadVisTree& tree);

/// The same for the trace of the head whose file it is. Null of any other file, and where the metrics cannot
/// be read: the maps are there all the same. Throws nothing.
std::shared_ptr<const CountedHeads> counted_heads_around(const std::filesystem::path& head);

/// The same of the text of a file.
std::vector<HeadRow> parse_headvis_metrics(std::string_view text, const std::vector<std::string>& metrics);

}  // namespace headlight
