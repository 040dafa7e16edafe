#include "core/io/capture_file.h"

#include "core/attention/json_object.h"
#include "core/attention/late_maps.h"
#include "core/io/files.h"
#include "core/io/headvis_tree.h"
#include "core/io/json_text.h"
#include "core/io/numpy_array.h"
#include "core/io/packed_numbers.h"
#include "core/io/safetensors_view.h"
#include "core/io/stored_maps.h"
#include "core/io/zip_archive.h"
#include "core/map/implied_maps.h"
#include "core/map/joined_maps.h"
#include "core/map/query_key_maps.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <regex>

namespace headlight {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t least_axes = 3, most_axes = 4;

/// An array of a file that may be maps.
struct FoundArray {
    std::string name;
    Shape shape;
    std::string type_name;
    const StoredNumber* type = nullptr;  ///< null for what is not read
    std::shared_ptr<const StoredBytes> bytes;
    std::size_t begin = 0;
    bool is_by_columns = false;
};

bool is_of_fractions(const StoredNumber* type) {
    return type && (type->name.starts_with('F') || type->name.starts_with("BF"));
}

bool may_be_maps(const FoundArray& array) {
    return is_of_fractions(array.type) && array.shape.size() >= least_axes &&
           array.shape.size() <= most_axes && std::ranges::find(array.shape, Index(0)) == array.shape.end();
}

MapSource::Extents extents_of(Shape shape) {
    if (shape.size() == least_axes)
        shape.insert(shape.begin(), 1);
    return {shape[0], shape[1], shape[2], shape[3]};
}

// Files

FoundArray numpy_array(std::string name, std::shared_ptr<const StoredBytes> bytes, std::size_t begin,
                       std::size_t size) {
    const NumpyArray array = read_numpy_header(*bytes, begin, size);
    return {std::move(name),  array.shape, array.type_name,    array.type,
            std::move(bytes), array.begin, array.is_by_columns};
}

using Bytes = std::shared_ptr<const StoredBytes>;

enum class Compressed { unpacked, passed_over };

std::vector<FoundArray> arrays_of_npz(const Bytes& file, Compressed compressed = Compressed::unpacked) {
    const ZipArchive archive(file);
    std::vector<FoundArray> arrays;
    for (const ZipArchive::Entry& entry : archive.entries()) {
        if (!entry.name.ends_with(".npy") || (!entry.is_stored && compressed == Compressed::passed_over))
            continue;
        const std::string name = entry.name.substr(0, entry.name.size() - std::strlen(".npy"));
        try {
            if (entry.is_stored) {
                arrays.push_back(numpy_array(name, file, entry.begin, entry.size));
            } else {
                arrays.push_back(numpy_array(name, std::make_shared<const HeldBytes>(archive.unpacked(entry)),
                                             0, entry.size));
            }
        } catch (const Error& error) {
            throw error.within("array \"" + excerpt(name) + '"');
        }
    }
    return arrays;
}

std::vector<FoundArray> arrays_of_npy(const Bytes& file) {
    std::vector<FoundArray> arrays;
    arrays.push_back(numpy_array("", file, 0, file->size()));
    return arrays;
}

std::size_t safetensors_header_bytes(const StoredBytes& file) {
    return SafetensorsHeader::bytes_of(file.text(0, std::min(file.size(), safetensors_length_bytes)),
                                       file.size());
}

SafetensorsHeader safetensors_header(const StoredBytes& file) {
    return {file.text(0, safetensors_header_bytes(file)), file.size()};
}

std::vector<FoundArray> arrays_of_safetensors(const Bytes& file) {
    const SafetensorsHeader header = safetensors_header(*file);
    const std::size_t begin = safetensors_header_bytes(*file);
    std::vector<FoundArray> arrays;
    for (const auto& [name, entry] : header.entries())
        arrays.push_back(
            {name, entry.shape, std::string(entry.type->name), entry.type, file, begin + entry.begin, false});
    return arrays;
}

/// Lists in lists: the inner two are packed, those around them are counted here.
class NestedNumbers {
public:
    explicit NestedNumbers(const json& document) { take(document, 0, ""); }

    FoundArray array() && {
        return {"",
                std::move(shape_),
                "F64",
                find_stored_number("F64"),
                std::make_shared<const HeldBytes>(std::move(bytes_)),
                0,
                false};
    }

private:
    void take(const json& value, std::size_t depth, const std::string& pointer) {
        if (const auto packed = PackedNumbers::find(value); packed && packed->columns() > 0) {
            require(depth, packed->size() / packed->columns(), pointer);
            require(depth + 1, packed->columns(), pointer);
            std::vector<double> numbers(static_cast<std::size_t>(packed->size()));
            packed->copy_to(numbers);
            bytes_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
            return;
        }
        if (!value.is_array() || value.empty() || depth + 2 >= most_axes)
            throw Error({"read capture", pointer, "lists of rows of numbers, [layer, head, query, key]",
                         describe(value)});
        require(depth, std::ssize(value), pointer);
        for (std::size_t i = 0; i < value.size(); ++i)
            take(value[i], depth + 1, pointer_to(pointer, i));
    }

    /// Every list of one depth is as long as the first one.
    void require(std::size_t depth, Index extent, const std::string& pointer) {
        if (shape_.size() == depth)
            shape_.push_back(extent);
        else if (shape_.size() < depth || shape_[depth] != extent)
            throw Error({"read capture", pointer,
                         shape_.size() < depth ? "as many lists in lists as before"
                                               : std::to_string(shape_[depth]) + " elements, as before",
                         std::to_string(extent)});
    }

    Shape shape_;
    std::string bytes_;
};

std::string document_text(const StoredBytes& file) {
    if (file.size() > json_text_limit)
        throw Error({"read capture", "", "at most " + memory_text(json_text_limit) + " of JSON",
                     memory_text(static_cast<double>(file.size()))});
    return file.text(0, file.size());
}

/// Lists around the first thing that is none.
std::size_t depth_of(std::string_view text) {
    std::size_t depth = 0;
    for (const char c : text) {
        if (c == '[')
            ++depth;
        else if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
            break;
    }
    return depth;
}

std::vector<FoundArray> arrays_of_json(const Bytes& file) {
    static constexpr std::string_view matrices_of_heads = "/*", matrices_of_layers = "/*/*";
    const std::string text = document_text(*file);
    const auto& matrices = depth_of(text) == least_axes ? matrices_of_heads : matrices_of_layers;
    const JsonDocument document = parse_json(text, {.numbers = std::span(&matrices, 1)});
    std::vector<FoundArray> arrays;
    arrays.push_back(NestedNumbers(*document).array());
    return arrays;
}

std::vector<FoundArray> arrays_of(const Bytes& file, std::string_view extension) {
    return extension == ".npz"           ? arrays_of_npz(file)
           : extension == ".npy"         ? arrays_of_npy(file)
           : extension == ".safetensors" ? arrays_of_safetensors(file)
                                         : arrays_of_json(file);
}

// What a capture is

std::string described(const std::vector<FoundArray>& arrays) {
    std::string text;
    constexpr std::size_t most_named = 4;
    for (std::size_t i = 0; i < arrays.size() && i < most_named; ++i)
        text += (i == 0 ? "" : ", ") + ('"' + excerpt(arrays[i].name) + "\" " + to_string(arrays[i].shape)) +
                " of " + excerpt(arrays[i].type_name);
    if (arrays.size() > most_named)
        text += ", ...";
    return text.empty() ? "none" : text;
}

std::vector<FoundArray> maps_among(std::vector<FoundArray> arrays) {
    const std::string all = described(arrays);
    std::erase_if(arrays, [](const FoundArray& array) { return !may_be_maps(array); });
    if (arrays.empty())
        throw Error({"read capture", "",
                     "an array [layer, head, query, key] or [head, query, key] of float16 to float64", all});
    for (const FoundArray& array : arrays)
        if (array.is_by_columns)
            throw Error({"read capture", "array \"" + excerpt(array.name) + '"',
                         "C order, as np.ascontiguousarray() gives it", "Fortran order"});
    return arrays;
}

std::shared_ptr<const MapSource> stored_maps(const FoundArray& array) {
    return std::make_shared<StoredMaps>(extents_of(array.shape), array.bytes, array.begin, *array.type);
}

// Queries and keys

const FoundArray* named(const std::vector<FoundArray>& arrays, const char* name) {
    const auto found = std::ranges::find(arrays, name, &FoundArray::name);
    return found == arrays.end() ? nullptr : &*found;
}

bool has_queries_and_keys(const std::vector<FoundArray>& arrays) {
    return named(arrays, "q") && named(arrays, "k");
}

/// An array of numbers that belong to others, whatever its axes are.
void require_readable(const FoundArray& array, const std::string& shapes) {
    const std::string where = "array \"" + excerpt(array.name) + '"';
    if (!is_of_fractions(array.type))
        throw Error({"read capture", where, "float16 to float64", excerpt(array.type_name)});
    if (array.is_by_columns)
        throw Error({"read capture", where, "C order, as np.ascontiguousarray() gives it", "Fortran order"});
    if (std::ranges::find(array.shape, Index(0)) != array.shape.end())
        throw Error({"read capture", where, shapes, to_string(array.shape)});
}

/// A number for each head, for each of its tokens, or for each token and channel: as many axes less than the
/// queries have.
std::shared_ptr<const Decay> stored_decay(const FoundArray& array, std::size_t axes_of_queries,
                                          Decay::Form form) {
    static const std::string shapes =
        "[layer, head], [layer, head, token] or [layer, head, token, d], the layer where q has one";
    require_readable(array, shapes);
    const std::size_t axes = array.shape.size();
    if (axes + 2 < axes_of_queries || axes > axes_of_queries)
        throw Error({"read capture", "array \"decay\"", shapes, to_string(array.shape)});
    Shape shape = array.shape;
    if (axes_of_queries == least_axes)
        shape.insert(shape.begin(), 1);
    shape.resize(most_axes, 1);
    return std::make_shared<Decay>(
        std::make_shared<StoredMaps>(extents_of(shape), array.bytes, array.begin, *array.type), form);
}

/// `arrays` are those of the file. Any that may change the weights otherwise, as a delta rule's strengths do,
/// is refused: the maps would be another layer's.
std::shared_ptr<const MapSource> implied_maps(const FoundArray& queries, const FoundArray& keys,
                                              const std::vector<FoundArray>& arrays,
                                              const ImpliedNotes& notes) {
    for (const FoundArray& array : arrays)
        if (array.name != "q" && array.name != "k" && array.name != "decay")
            throw Error({"read capture", "array \"" + excerpt(array.name) + '"',
                         "q, k, decay and v alone, from which implied weights follow (write strengths are "
                         "multiplied into k, of a delta rule the weights are captured instead)",
                         to_string(array.shape)});
    const FoundArray* decay = named(arrays, "decay");
    if (decay && !notes.decay)
        throw Error(
            {"read capture", "/terms/decay", R"("factor" or "log", what the array "decay" has)", "none"});
    if (!decay && notes.decay)
        throw Error({"read capture", "array \"decay\"", "one beside q and k, as the terms say", "none"});
    return std::make_shared<ImpliedMaps>(
        stored_maps(queries), stored_maps(keys),
        decay ? stored_decay(*decay, queries.shape.size(), *notes.decay) : nullptr, notes.terms);
}

/// `vectors` are those of the file's arrays that may be queries and keys.
LabelledMaps recomputed_maps(const std::vector<FoundArray>& arrays, const std::vector<FoundArray>& vectors,
                             const CaptureNotes& notes) {
    if (!notes.terms && !notes.implied)
        throw Error({"read capture", "terms",
                     "how weights follow from q and k, beside the tokens: {\"terms\": {\"scale\": 0.125}}",
                     "none"});
    const FoundArray &queries = *named(vectors, "q"), &keys = *named(vectors, "k");
    if (notes.terms && named(arrays, "decay"))
        throw Error({"read capture", "/terms/weights",
                     R"("implied", beside an array "decay": after a softmax nothing decays)", "softmax"});
    std::shared_ptr<const MapSource> maps;
    if (notes.implied)
        maps = implied_maps(queries, keys, arrays, *notes.implied);
    else
        maps = std::make_shared<QueryKeyMaps>(stored_maps(queries), stored_maps(keys), *notes.terms);
    TokenLabels tokens = notes.labels.of("", maps->extents());
    return {"", std::move(maps), std::move(tokens)};
}

// Values

/// By the name of the maps whose keys have them; empty for "v" of whatever is the one kind.
using FoundValues = std::map<std::string, FoundArray, std::less<>>;

/// A single array, or layers apart.
bool are_of_one_kind(const std::vector<const FoundArray*>& arrays) {
    const auto is_layer = [](const FoundArray* array) { return array->name.starts_with("arr_"); };
    return arrays.size() == 1 || (!arrays.empty() && std::ranges::all_of(arrays, is_layer));
}

/// Takes the arrays out that are the values of others.
FoundValues taken_values(std::vector<FoundArray>& arrays) {
    constexpr std::string_view ending = ".v";
    FoundValues values;
    std::vector<const FoundArray*> others;
    for (const FoundArray& array : arrays) {
        const std::string of = array.name.ends_with(ending)
                                   ? array.name.substr(0, array.name.size() - ending.size())
                                   : std::string();
        if (const FoundArray* maps = of.empty() ? nullptr : named(arrays, of.c_str());
            maps && may_be_maps(*maps))
            values.emplace(of, array);
        else if (array.name != "v" && may_be_maps(array))
            others.push_back(&array);
    }
    if (const FoundArray* plain = named(arrays, "v");
        plain && (has_queries_and_keys(arrays) || are_of_one_kind(others)))
        values.emplace("", *plain);
    std::erase_if(arrays, [&](const FoundArray& array) {
        return std::ranges::any_of(values, [&](const auto& each) { return each.second.name == array.name; });
    });
    return values;
}

/// Throws Error unless there is one for each key of the maps.
std::shared_ptr<const MapSource> stored_values(const FoundArray& array, const MapSource::Extents& maps) {
    const std::string shapes = "values " + to_string(Shape{maps.layers, maps.heads, maps.keys}) +
                               " of layers, heads or groups of these, keys and then d, as the maps have them";
    require_readable(array, shapes);
    const bool are_vectors = array.shape.size() >= least_axes && array.shape.size() <= most_axes;
    const MapSource::Extents own = are_vectors ? extents_of(array.shape) : MapSource::Extents();
    if (!are_vectors || own.layers != maps.layers || maps.heads % own.heads != 0 || own.queries != maps.keys)
        throw Error({"read capture", "array \"" + excerpt(array.name) + '"', shapes, to_string(array.shape)});
    return stored_maps(array);
}

void give_values(LabelledMaps& maps, const std::string& name, const FoundValues& values) {
    if (const auto own = values.find(name); own != values.end())
        maps.values = stored_values(own->second, maps.maps->extents());
}

// np.savez("x.npz", *attentions) of what a model returns

/// Arrays of one shape and one layer each, that NumPy has named arr_0, arr_1 and so on, in this order; none
/// where there are others.
std::vector<const FoundArray*> unnamed_layers(const std::vector<FoundArray>& arrays) {
    std::map<std::string_view, const FoundArray*> by_name;
    for (const FoundArray& array : arrays)
        if (array.shape == arrays[0].shape && extents_of(array.shape).layers == 1)
            by_name.emplace(array.name, &array);
    std::vector<const FoundArray*> layers;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const auto found = by_name.find("arr_" + std::to_string(i));
        if (found == by_name.end())
            return {};
        layers.push_back(found->second);
    }
    return layers;
}

LabelledMaps joined_layers(const std::vector<const FoundArray*>& arrays, const CaptureNotes& notes) {
    std::vector<std::shared_ptr<const MapSource>> layers;
    layers.reserve(arrays.size());
    for (const FoundArray* array : arrays)
        layers.push_back(stored_maps(*array));
    auto maps = std::make_shared<JoinedMaps>(std::move(layers), JoinedMaps::Axis::layer);
    TokenLabels tokens = notes.labels.of("", maps->extents());
    return {"", std::move(maps), std::move(tokens)};
}

}  // namespace

std::vector<LabelledMaps> parse_capture(const std::shared_ptr<const StoredBytes>& file,
                                        std::string_view extension, const CaptureNotes& notes) {
    std::vector<FoundArray> all = arrays_of(file, extension);
    const FoundValues values = taken_values(all);
    const std::vector<FoundArray> arrays = maps_among(all);
    std::vector<LabelledMaps> maps;
    if (has_queries_and_keys(arrays)) {
        maps.push_back(recomputed_maps(all, arrays, notes));
    } else if (notes.implied) {
        throw Error({"read capture", "", "arrays q and k, as the terms say", described(all)});
    } else if (const auto layers = unnamed_layers(arrays); layers.size() > 1) {
        maps.push_back(joined_layers(layers, notes));
    } else {
        for (const FoundArray& array : arrays) {
            const MapSource::Extents extents = extents_of(array.shape);
            maps.push_back({arrays.size() > 1 ? array.name : "", stored_maps(array),
                            notes.labels.of(array.name, extents)});
            give_values(maps.back(), array.name, values);
        }
    }
    if (maps.size() == 1)
        give_values(maps.front(), "", values);
    return maps;
}

namespace {

// Parts

/// "x.2-of-4.npz" is a part; its number, and its count.
struct PartName {
    std::string before, after;  ///< "x." and ".npz"
    Index number = 1, count = 1;
};

std::optional<PartName> part_name(const fs::path& path) {
    static const std::regex pattern(R"((.*\.)([0-9]{1,4})-of-([0-9]{1,4})(\.[a-z]+))");
    const std::string name = path.filename().string();
    std::smatch match;
    if (!std::regex_match(name, match, pattern))
        return std::nullopt;
    return PartName{match[1], match[4], std::stol(match[2]), std::stol(match[3])};
}

struct ReadPart {
    std::vector<LabelledMaps> maps;
    JoinedMaps::Axis axis;
};

ReadPart read_part(const fs::path& path) {
    const auto file = std::make_shared<const FileBytes>(path);  // whose refusals name it already
    return in_file(path.string(), [&] {
        const CaptureNotes notes = notes_beside(path);
        return ReadPart{parse_capture(file, extension_of(path), notes), notes.parts_along};
    });
}

/// Maps of the same name, one after another.
std::vector<LabelledMaps> joined(const std::vector<ReadPart>& parts) {
    std::vector<LabelledMaps> whole = parts.front().maps;
    for (LabelledMaps& maps : whole) {
        std::vector<std::shared_ptr<const MapSource>> sources, values;
        for (const ReadPart& part : parts) {
            const auto same = std::ranges::find(part.maps, maps.name, &LabelledMaps::name);
            if (same == part.maps.end())
                throw Error({"join parts", "", "the array \"" + excerpt(maps.name) + "\" in every part",
                             "one without it"});
            const bool is_of_another_text =
                !same->tokens.query.empty() && !maps.tokens.query.empty() &&
                (same->tokens.query != maps.tokens.query || same->tokens.key != maps.tokens.key);
            if (is_of_another_text)
                throw Error({"join parts", "", "parts of one text, with the same tokens in each",
                             "one with other tokens: give each text a file of its own"});
            sources.push_back(same->maps);
            if (same->values)
                values.push_back(same->values);
        }
        if (!values.empty() && values.size() < parts.size())
            throw Error({"join parts", "", "values in every part, or in none", "a part without them"});
        maps.maps = std::make_shared<JoinedMaps>(std::move(sources), parts.front().axis);
        if (!values.empty())
            maps.values = std::make_shared<JoinedMaps>(std::move(values), parts.front().axis);
    }
    return whole;
}

}  // namespace

fs::path captured_file(const fs::path& path) {
    if (!is_headvis_tree(path))
        return path;
    const HeadVisTree tree = read_headvis_tree(path);
    return headvis_head_file(tree, tree.heads.front());
}

std::vector<LabelledMaps> read_capture(const fs::path& path) {
    if (const fs::path head = captured_file(path); head != path || is_headvis_head(path))
        return read_headvis_head(head);
    const auto name = part_name(path);
    if (!name)
        return read_part(path).maps;
    std::vector<ReadPart> parts;
    for (Index number = 1; number <= name->count; ++number) {
        const std::string part =
            name->before + std::to_string(number) + "-of-" + std::to_string(name->count) + name->after;
        parts.push_back(read_part(path.parent_path() / part));
    }
    return in_file(path.string(), [&] { return joined(parts); });
}

bool has_large_maps(const fs::path& path) try {
    const std::string extension = extension_of(path);
    if (extension != ".npz" && extension != ".npy" && extension != ".safetensors")
        return false;
    const auto file = std::make_shared<const FileBytes>(path);
    const std::vector<FoundArray> arrays =
        extension == ".npz" ? arrays_of_npz(file, Compressed::passed_over) : arrays_of(file, extension);
    const bool are_vectors = has_queries_and_keys(arrays);
    return std::ranges::any_of(arrays, [&](const FoundArray& array) {
        if (!may_be_maps(array))
            return false;
        const auto [layers, heads, rows, columns] = extents_of(array.shape);
        return static_cast<double>(rows) * static_cast<double>(are_vectors ? rows : columns) >
               static_cast<double>(LateMaps::most_kept);
    });
} catch (const Error&) {
    return false;
}

bool is_capture(const fs::path& path) try {
    if (is_headvis_tree(path) || is_headvis_head(path))
        return true;
    const std::string extension = extension_of(path);
    if (extension == ".json") {
        const FileBytes file(path);
        const std::string begin = file.text(0, std::min<std::size_t>(file.size(), 64));
        const std::size_t first = begin.find_first_not_of(" \t\r\n");
        return first != std::string::npos && begin[first] == '[';
    }
    if (extension == ".safetensors") {
        const SafetensorsHeader header = safetensors_header(FileBytes(path));
        const auto format = header.metadata().find("format");
        const bool is_ours = format != header.metadata().end() && format->second.starts_with("headlight-");
        return !is_ours && std::ranges::any_of(header.entries(), [](const auto& named) {
            return named.second.shape.size() >= least_axes && !named.first.ends_with(".weight");
        });
    }
    return extension == ".npz" || extension == ".npy";
} catch (const Error&) {
    return false;
}

}  // namespace headlight
