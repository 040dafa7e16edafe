#include "core/io/headvis_tree.h"

#include "core/attention/json_object.h"
#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/io/stored_bytes.h"
#include "core/io/tensor_json.h"
#include "core/map/sparse_maps.h"
#include "core/tensor/error.h"
#include "core/tensor/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <regex>
#include <tuple>
#include <utility>

namespace headlight {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* config_document = "read config of a HeadVis tree";
constexpr const char* head_document = "read head of a HeadVis tree";
constexpr const char* metrics_document = "read metrics of a HeadVis tree";

constexpr std::size_t largest_config = std::size_t(16) << 20;
constexpr Index largest_number = 1'000'000;  ///< of a layer, a head, or an interval
/// Pipelines keep some twenty to two hundred.
constexpr std::size_t most_sequences = 4'096;
/// Pipelines cut texts at some 512. A map has the square of it, however few of its weights a file has.
constexpr Index most_tokens = 32'768;

fs::path config_of(const fs::path& tree) {
    return tree.filename() == "config.json" ? tree : tree / "config.json";
}

/// L5H8
std::string name_of(MapPlace head) {
    return 'L' + std::to_string(head.layer) + 'H' + std::to_string(head.head);
}

const json& list_in(JsonObject& object, const std::string& key, const std::string& of) {
    const json& list = object.required(key, of);
    if (!list.is_array() && !list.is_binary())
        object.refuse(key, of, describe(list));
    return list;
}

// config.json

/// A pair [layer, head].
MapPlace place_from(const json& value, const std::string& pointer) {
    const auto is_number = [](const json& number) {
        return number.is_number_integer() && number >= 0 && number <= largest_number;
    };
    if (!value.is_array() || value.size() != 2 || !is_number(value[0]) || !is_number(value[1]))
        throw Error({config_document, pointer, "[layer, head], two whole numbers from 0", describe(value)});
    return {value[0].get<Index>(), value[1].get<Index>()};
}

/// What sparse rows leave out; `pipeline` is empty where nobody says how they were made.
std::string left_out_by(JsonObject pipeline) {
    const auto most = pipeline.optional_integer("sparse_topk_per_row", 1, std::numeric_limits<Index>::max());
    const auto least = pipeline.optional_number("sparse_threshold");
    std::string weights = "all but the largest weights of each row";
    if (most)
        weights = "all but the " + std::to_string(*most) + " largest weights of each row";
    if (least)
        weights += ", and those under " + number_text(*least);
    return weights + " (sparse rows: what is not there is missing, not zero)";
}

std::string unexplained_left_out() {
    static const json nothing = json::object();
    return left_out_by({nothing, config_document});
}

// heads/L5H8.json

struct Sequence {
    Index interval = 0;  ///< 0: not said
    std::optional<double> largest;
    LabelledMaps maps;
};

std::vector<SparseMaps::Weight> weights_from(JsonObject& sequence, Index tokens) {
    constexpr const char *cells_name = "attention_indices", *weights_name = "attention_values";
    const auto numbers = [&](const char* name) {
        const json& list = list_in(sequence, name, "a list of numbers");
        const Tensor tensor = tensor_from_json(list, head_document, sequence.pointer(name));
        if (tensor.rank() != 1)
            sequence.refuse(name, "a list of numbers", "a list of lists");
        return tensor;
    };
    const Tensor cells = numbers(cells_name), weights = numbers(weights_name);
    if (cells.size() != weights.size())
        sequence.refuse(weights_name,
                        std::to_string(cells.size()) + " numbers, as " + cells_name + " has them",
                        std::to_string(weights.size()));
    const Index end = tokens * tokens;
    std::vector<SparseMaps::Weight> known;
    known.reserve(static_cast<std::size_t>(cells.size()));
    for (Index i = 0; i < cells.size(); ++i) {
        const auto refuse = [&](const char* list, const std::string& expected, double got) {
            throw Error({head_document, pointer_to(sequence.pointer(list), static_cast<std::size_t>(i)),
                         expected, number_to_json(got).dump()});
        };
        if (!(cells[i] >= 0 && cells[i] < static_cast<double>(end) && cells[i] == std::floor(cells[i])))
            refuse(cells_name,
                   "query * " + std::to_string(tokens) + " + key, a whole number from 0 to " +
                       std::to_string(end - 1),
                   cells[i]);
        if (!std::isfinite(weights[i]))
            refuse(weights_name, "a finite number", weights[i]);
        known.push_back({static_cast<Index>(cells[i]), weights[i]});
    }
    std::ranges::sort(known, {}, &SparseMaps::Weight::cell);
    if (const auto twice = std::ranges::adjacent_find(known, {}, &SparseMaps::Weight::cell);
        twice != known.end())
        sequence.refuse(cells_name, "every query with a key once", std::to_string(twice->cell) + " twice");
    return known;
}

Sequence sequence_from(JsonObject object, const std::string& left_out) {
    Sequence sequence;
    sequence.interval = object.optional_integer("interval", 0, largest_number).value_or(0);
    sequence.largest = object.optional_number("max_activation");
    std::vector<std::string> tokens = object.texts("tokens");
    const Index count = std::ssize(tokens);
    if (count == 0 || count > most_tokens)
        object.refuse("tokens", "1 to " + std::to_string(most_tokens) + " tokens", std::to_string(count));
    if (const auto said = object.optional_integer("seq_len", 0, std::numeric_limits<Index>::max());
        said && *said != count)
        object.refuse("seq_len", std::to_string(count) + ", as there are tokens", std::to_string(*said));
    sequence.maps.maps = std::make_shared<SparseMaps>(count, count, weights_from(object, count), left_out);
    sequence.maps.tokens.query = std::move(tokens);
    return sequence;
}

/// "interval 5 #1": a place of the head's trace for each.
void name_in_order(std::vector<Sequence>& sequences) {
    std::ranges::stable_sort(sequences, [](const Sequence& a, const Sequence& b) {
        return a.interval != b.interval ? a.interval > b.interval : a.largest > b.largest;
    });
    std::map<Index, Index> counts;
    for (Sequence& each : sequences) {
        const std::string interval =
            each.interval > 0 ? "interval " + std::to_string(each.interval) : "sequence";
        each.maps.name = interval + " #" + std::to_string(++counts[each.interval]);
        each.maps.sites = {each.maps.name};
    }
}

}  // namespace

bool is_headvis_tree(const fs::path& path) try {
    std::error_code ignored;
    if (path.filename() != "config.json" && !fs::is_directory(path, ignored))
        return false;
    const JsonDocument config =
        parse_json(read_file(config_of(path), largest_config), {.repeated_fields = true});
    const auto has_list = [&](const char* key) {
        const auto found = config->find(key);
        return found != config->end() && found->is_array();
    };
    return config->is_object() && !config->contains("format") && has_list("heads") && has_list("metrics");
} catch (const Error&) {
    return false;
}

bool is_headvis_head(const fs::path& path) try {
    static const std::regex name("L[0-9]{1,7}H[0-9]{1,7}\\.json");
    if (!std::regex_match(path.filename().string(), name))
        return false;
    // Before it there are at most a few hundred numbers of histograms.
    constexpr std::size_t part = std::size_t(64) << 10;
    const FileBytes file(path);
    return file.text(0, std::min(file.size(), part)).find("\"sequences\"") != std::string::npos;
} catch (const Error&) {
    return false;
}

HeadVisTree parse_headvis_config(std::string_view text) {
    const JsonDocument document = parse_json(text, {.repeated_fields = true});
    JsonObject config(*document, config_document);
    HeadVisTree tree;
    const json& heads = list_in(config, "heads", "a list of [layer, head]");
    for (const json& each : heads)
        tree.heads.push_back(place_from(each, pointer_to(config.pointer("heads"), tree.heads.size())));
    if (tree.heads.empty())
        config.refuse("heads", "at least one [layer, head]", "none");
    tree.metrics = config.texts("metrics");
    std::erase_if(tree.metrics, [](const std::string& name) { return name == "layer" || name == "head"; });
    // A name from a file is never made part of a path.
    const std::string pattern = "L{layer}H{head}.json";
    if (const std::string given = config.text("head_data_pattern", pattern); given != pattern)
        config.refuse("head_data_pattern", '"' + pattern + '"', '"' + excerpt(given) + '"');
    tree.left_out = left_out_by(config.object("pipeline_config"));
    return tree;
}

HeadVisTree read_headvis_tree(const fs::path& path) {
    const fs::path config = config_of(path);
    const std::string text = read_file(config, largest_config);  // whose refusals name it already
    HeadVisTree tree = in_file(config.string(), [&] { return parse_headvis_config(text); });
    tree.folder = config.parent_path();
    return tree;
}

std::optional<HeadVisTree> headvis_tree_around(const fs::path& head) {
    const fs::path folder = fs::absolute(head).lexically_normal().parent_path().parent_path();
    if (!is_headvis_head(head) || !is_headvis_tree(folder))
        return std::nullopt;
    return read_headvis_tree(folder);
}

fs::path headvis_head_file(const HeadVisTree& tree, MapPlace head) {
    if (std::ranges::find(tree.heads, head) == tree.heads.end())
        throw Error({"choose head", tree.folder.string(),
                     "one of its " + std::to_string(tree.heads.size()) + " heads, " +
                         name_of(std::ranges::min(tree.heads)) + " to " +
                         name_of(std::ranges::max(tree.heads)) + " (layers and heads from 0)",
                     name_of(head)});
    return tree.folder / "heads" / (name_of(head) + ".json");
}

std::vector<LabelledMaps> parse_headvis_head(std::string_view text, const std::string& left_out) {
    static constexpr std::array<std::string_view, 2> numbers{"/sequences/*/attention_indices",
                                                             "/sequences/*/attention_values"};
    const JsonDocument document = parse_json(text, {.repeated_fields = true, .numbers = numbers});
    JsonObject head(*document, head_document);
    const json& given = list_in(head, "sequences", "a list of sequences");
    if (given.empty() || given.size() > most_sequences)
        head.refuse("sequences", "1 to " + std::to_string(most_sequences) + " sequences",
                    std::to_string(given.size()));
    std::vector<Sequence> sequences;
    for (const json& each : given)
        sequences.push_back(sequence_from(
            {each, head_document, pointer_to(head.pointer("sequences"), sequences.size())}, left_out));
    name_in_order(sequences);
    std::vector<LabelledMaps> maps;
    maps.reserve(sequences.size());
    for (Sequence& each : sequences)
        maps.push_back(std::move(each.maps));
    return maps;
}

std::vector<LabelledMaps> read_headvis_head(const fs::path& file) {
    const auto tree = headvis_tree_around(file);
    const std::string left_out = tree ? tree->left_out : unexplained_left_out();
    const std::string text = read_document(file);  // whose refusals name it already
    return in_file(file.string(), [&] { return parse_headvis_head(text, left_out); });
}

std::vector<HeadRow> parse_headvis_metrics(std::string_view text, const std::vector<std::string>& metrics) {
    const JsonDocument document = parse_json(text, {.repeated_fields = true});
    if (!document->is_array())
        throw Error({metrics_document, "", "a list with an object for each head", describe(*document)});
    std::vector<HeadRow> rows;
    for (const json& each : *document) {
        JsonObject object(each, metrics_document, pointer_to("", rows.size()));
        object.required("layer", "the layer of the head, from 0");
        object.required("head", "its number in the layer, from 0");
        HeadRow row;
        row.place = {object.integer("layer", 0, 0, largest_number),
                     object.integer("head", 0, 0, largest_number)};
        for (const std::string& metric : metrics)
            row.numbers.push_back(object.optional_number(metric));
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<HeadRow> read_headvis_metrics(const HeadVisTree& tree) {
    const fs::path file = tree.folder / "scatter_data.json";
    const std::string text = read_document(file);  // whose refusals name it already
    return in_file(file.string(), [&] { return parse_headvis_metrics(text, tree.metrics); });
}

std::shared_ptr<const CountedHeads> counted_heads_around(const fs::path& head) try {
    const auto tree = headvis_tree_around(head);
    if (!tree)
        return nullptr;
    auto counted = std::make_shared<CountedHeads>();
    counted->metrics = tree->metrics;
    for (HeadRow& row : read_headvis_metrics(*tree))
        counted->heads.push_back({row.place.layer, row.place.head, std::move(row.numbers)});
    const std::string name = head.filename().string();
    for (const MapPlace& place : tree->heads)
        if (name_of(place) + ".json" == name)
            std::tie(counted->shown_layer, counted->shown_head) = std::pair(place.layer, place.head);
    return counted;
} catch (const Error&) {
    return nullptr;
}

}  // namespace headlight
