#include "core/io/all_maps.h"

#include "core/io/files.h"
#include "core/io/numpy_array.h"
#include "core/io/zip_archive.h"
#include "core/map/site_name.h"
#include "core/tensor/csv.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"

namespace headlight {
namespace {

/// The array of maps whose kind has no name.
constexpr const char* unnamed_maps = "weights";

double numbers_in(const MapSource::Extents& extents) {
    return static_cast<double>(extents.layers) * static_cast<double>(extents.heads) *
           static_cast<double>(extents.queries) * static_cast<double>(extents.keys);
}

/// Throws Error where so many bytes for each number of all maps are too many.
void require_room(std::span<const LabelledMaps> kinds, const char* operation, double bytes_each) {
    double bytes = 0;
    for (const LabelledMaps& kind : kinds)
        bytes += bytes_each * numbers_in(kind.maps->extents());
    require_memory(operation, "", bytes);
}

/// What each row or column is called; by its number where it has no name.
std::vector<std::string> labels_of(const std::vector<std::string>& names, Index extent) {
    std::vector<std::string> labels = names;
    for (Index at = std::ssize(labels); at < extent; ++at)
        labels.push_back(std::to_string(at + 1));
    return labels;
}

std::vector<std::string> query_labels(const LabelledMaps& kind) {
    return labels_of(kind.tokens.query, kind.maps->extents().queries);
}

std::vector<std::string> key_labels(const LabelledMaps& kind) {
    return labels_of(kind.tokens.key.empty() ? kind.tokens.query : kind.tokens.key,
                     kind.maps->extents().keys);
}

/// Calls `take` with each map, [query, key], which is only there as long as that call.
template <class Take>
void for_each_map(const LabelledMaps& kind, const Take& take) {
    const MapSource::Extents& extents = kind.maps->extents();
    std::vector<double> numbers(static_cast<std::size_t>(extents.queries * extents.keys));
    for (Index layer = 0; layer < extents.layers; ++layer)
        for (Index head = 0; head < extents.heads; ++head) {
            kind.maps->read_rows({layer, head}, 0, extents.queries, numbers);
            take(MapPlace{layer, head}, std::span<const double>(numbers));
        }
}

/// The layers' numbers in the model, from 1; empty where these are their places.
std::vector<double> renumbered_layers(const LabelledMaps& kind) {
    std::vector<double> numbers;
    bool are_places = true;
    for (Index layer = 0; layer < kind.maps->extents().layers; ++layer) {
        const Index number = layer_in_model(kind, layer);
        are_places &= number == layer;
        numbers.push_back(static_cast<double>(number + 1));
    }
    return are_places ? std::vector<double>() : numbers;
}

void append_lines(std::string& csv, const LabelledMaps& kind, bool are_named) {
    const std::vector<std::string> queries = query_labels(kind), keys = key_labels(kind);
    for_each_map(kind, [&](MapPlace place, std::span<const double> numbers) {
        const Index layer = layer_in_model(kind, place.layer);
        const std::string map = (are_named ? csv_field(kind.name) + ',' : "") + std::to_string(layer + 1) +
                                ',' + std::to_string(place.head + 1) + ',';
        auto number = numbers.begin();
        for (std::size_t query = 0; query < queries.size(); ++query)
            for (std::size_t key = 0; key < keys.size(); ++key, ++number)
                csv += map + std::to_string(query + 1) + ',' + std::to_string(key + 1) + ',' +
                       csv_field(queries[query]) + ',' + csv_field(keys[key]) + ',' + csv_number(*number) +
                       "\r\n";
    });
}

}  // namespace

std::string prefix_in_all_maps(const std::string& array) { return array == unnamed_maps ? "" : array + '_'; }

std::string maps_npz(std::span<const LabelledMaps> kinds) {
    constexpr double copies = 3;  // the numbers, their array, the archive
    require_room(kinds, "write NPZ", copies * sizeof(double));
    std::vector<ZipFile> files;
    for (const LabelledMaps& kind : kinds) {
        const MapSource::Extents& extents = kind.maps->extents();
        std::vector<double> all;
        all.reserve(static_cast<std::size_t>(numbers_in(extents)));
        for_each_map(kind, [&](MapPlace, std::span<const double> numbers) {
            all.insert(all.end(), numbers.begin(), numbers.end());
        });
        const std::string array = kind.name.empty() ? unnamed_maps : kind.name;
        const std::string prefix = prefix_in_all_maps(array);
        files.push_back(
            {array + ".npy",
             numpy_array_of({extents.layers, extents.heads, extents.queries, extents.keys}, all)});
        files.push_back({prefix + "queries.npy", numpy_array_of(query_labels(kind))});
        files.push_back({prefix + "keys.npy", numpy_array_of(key_labels(kind))});
        if (const std::vector<double> layers = renumbered_layers(kind); !layers.empty())
            files.push_back({prefix + "layers.npy", numpy_array_of({std::ssize(layers)}, layers)});
    }
    return zip_archive_of(files);
}

std::string maps_csv(std::span<const LabelledMaps> kinds) {
    constexpr double longest_line = 60;
    require_room(kinds, "write CSV", longest_line);
    const bool are_named = kinds.size() > 1;
    std::string csv = are_named ? "kind," : "";
    csv += "layer,head,query,key,query token,key token,weight\r\n";
    for (const LabelledMaps& kind : kinds)
        append_lines(csv, kind, are_named);
    return csv;
}

bool may_have_all_maps(const std::filesystem::path& path) {
    const std::string extension = extension_of(path);
    return extension == ".npz" || extension == ".csv";
}

void require_name_for_all_maps(const std::filesystem::path& path) {
    if (!may_have_all_maps(path))
        throw Error({"export all maps", "", "a file named .npz or .csv", '"' + excerpt(path.string()) + '"'});
}

void save_all_maps(std::span<const LabelledMaps> kinds, const std::filesystem::path& path) {
    write_file_atomically(path, extension_of(path) == ".csv" ? maps_csv(kinds) : maps_npz(kinds));
}

}  // namespace headlight
