#include "core/io/capture_vectors.h"

#include "core/io/capture_names.h"
#include "core/map/implied_maps.h"
#include "core/map/query_key_maps.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr std::size_t fewest_vector_axes = 3, most_vector_axes = 4;

bool is_empty(const FoundArray& array) {
    return std::ranges::find(array.shape, Index(0)) != array.shape.end();
}

bool may_be_vectors(const FoundArray& array) {
    return array.is_of_fractions() && array.shape.size() >= fewest_vector_axes &&
           array.shape.size() <= most_vector_axes && !is_empty(array);
}

const FoundArray* named(const std::vector<FoundArray>& arrays, const char* name) {
    const auto found = std::ranges::find(arrays, name, &FoundArray::name);
    return found == arrays.end() ? nullptr : &*found;
}

const FoundArray* vectors_named(const std::vector<FoundArray>& arrays, const char* name) {
    const FoundArray* array = named(arrays, name);
    return array && may_be_vectors(*array) ? array : nullptr;
}

/// [layer, head, token, d] as maps have their axes; the layer may be missing.
std::shared_ptr<const MapSource> stored_vectors(const FoundArray& array, const Shape& shape) {
    MapAxes axes{{MapAxis::layer, MapAxis::head, MapAxis::query, MapAxis::key}};
    axes.names.erase(axes.names.begin(), axes.names.end() - std::ssize(shape));
    return stored_maps(layout_of(shape, axes, array.order), array.bytes, array.begin, *array.type);
}

std::shared_ptr<const MapSource> stored_vectors(const FoundArray& array) {
    return stored_vectors(array, array.shape);
}

/// An array of numbers that belong to others, whatever its axes are.
void require_readable(const FoundArray& array, const std::string& shapes) {
    if (!array.is_of_fractions())
        throw Error({"read capture", array_place(array), "float16 to float64", excerpt(array.type_name)});
    if (is_empty(array))
        throw Error({"read capture", array_place(array), shapes, to_string(array.shape)});
}

/// A number for each head, for each of its tokens, or for each token and channel: as many axes less than the
/// queries have.
std::shared_ptr<const Decay> stored_decay(const FoundArray& array, std::size_t axes_of_queries,
                                          Decay::Form form, const std::vector<Index>& layers) {
    static const std::string shapes =
        "[layer, head], [layer, head, token] or [layer, head, token, d], the layer where q has one";
    require_readable(array, shapes);
    const std::size_t axes = array.shape.size();
    if (axes + 2 < axes_of_queries || axes > axes_of_queries)
        throw Error({"read capture", "array \"decay\"", shapes, to_string(array.shape)});
    Shape shape = array.shape;
    shape.resize(axes_of_queries, 1);
    return std::make_shared<Decay>(stored_vectors(array, shape), form, layers);
}

/// `arrays` are those of the file. Any that may change the weights otherwise, as a delta rule's strengths do,
/// is refused: the maps would be another layer's.
std::shared_ptr<const MapSource> implied_maps(const FoundArray& queries, const FoundArray& keys,
                                              const std::vector<FoundArray>& arrays,
                                              const ImpliedNotes& notes, const std::vector<Index>& layers) {
    for (const FoundArray& array : arrays)
        if (array.name != "q" && array.name != "k" && array.name != "decay" && array.texts.empty())
            throw Error({"read capture", array_place(array),
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
        stored_vectors(queries), stored_vectors(keys),
        decay ? stored_decay(*decay, queries.shape.size(), *notes.decay, layers) : nullptr, notes.terms);
}

/// A single array of weights, or layers apart.
bool are_of_one_kind(const std::vector<const FoundArray*>& arrays) {
    if (arrays.empty())
        return false;
    const ArrayName first = parse_array_name(arrays.front()->name);
    return arrays.size() == 1 || std::ranges::all_of(arrays, [&](const FoundArray* array) {
               const ArrayName name = parse_array_name(array->name);
               return name.layer && name.family == first.family;
           });
}

/// Throws Error unless there is one for each key of the maps.
std::shared_ptr<const MapSource> stored_values(const FoundArray& array, const MapSource::Extents& maps) {
    const std::string shapes = "values " + to_string(Shape{maps.layers, maps.heads, maps.keys}) +
                               " of layers, heads or groups of these, keys and then d, as the maps have them";
    require_readable(array, shapes);
    const auto refuse = [&] {
        throw Error({"read capture", array_place(array), shapes, to_string(array.shape)});
    };
    if (!may_be_vectors(array))
        refuse();
    const bool has_layers = array.shape.size() == most_vector_axes;
    const Index layers = has_layers ? array.shape[0] : 1, heads = array.shape[has_layers ? 1 : 0],
                tokens = array.shape[has_layers ? 2 : 1];
    if (layers != maps.layers || maps.heads % heads != 0 || tokens != maps.keys)
        refuse();
    return stored_vectors(array);
}

}  // namespace

bool has_queries_and_keys(const std::vector<FoundArray>& arrays) {
    return vectors_named(arrays, "q") && vectors_named(arrays, "k");
}

std::shared_ptr<const MapSource> recomputed_maps(const std::vector<FoundArray>& arrays,
                                                 const CaptureNotes& notes) {
    if (!notes.terms && !notes.implied)
        throw Error({"read capture", "terms",
                     "how weights follow from q and k, beside the tokens: {\"terms\": {\"scale\": 0.125}}",
                     "none"});
    const FoundArray &queries = *vectors_named(arrays, "q"), &keys = *vectors_named(arrays, "k");
    if (notes.terms && named(arrays, "decay"))
        throw Error({"read capture", "/terms/weights",
                     R"("implied", beside an array "decay": after a softmax nothing decays)", "softmax"});
    if (notes.implied) {
        const Index layers = queries.shape.size() == most_vector_axes ? queries.shape[0] : 1;
        return implied_maps(queries, keys, arrays, *notes.implied, notes.layers.of("q", layers));
    }
    return std::make_shared<QueryKeyMaps>(stored_vectors(queries), stored_vectors(keys), *notes.terms);
}

std::string vectors_in_words(const std::vector<FoundArray>& arrays) {
    std::string text;
    for (const char* name : {"q", "k"})
        if (const FoundArray* array = vectors_named(arrays, name))
            text += (text.empty() ? "\"" : ", \"") + std::string(name) + "\" " + to_string(array->shape) +
                    (array->shape.size() == most_vector_axes ? " is [layer, head, token, d]"
                                                             : " is [head, token, d]");
    return text;
}

FoundValues taken_values(std::vector<FoundArray>& arrays) {
    constexpr std::string_view ending = ".v";
    FoundValues values;
    std::vector<const FoundArray*> others;
    for (const FoundArray& array : arrays) {
        const std::string of = array.name.ends_with(ending)
                                   ? array.name.substr(0, array.name.size() - ending.size())
                                   : std::string();
        if (const FoundArray* maps = of.empty() ? nullptr : named(arrays, of.c_str());
            maps && may_be_vectors(*maps))
            values.emplace(of, array);
        else if (array.name != "v" && may_be_vectors(array))
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

void give_values(LabelledMaps& maps, const std::string& name, const FoundValues& values) {
    if (const auto own = values.find(name); own != values.end())
        maps.values = stored_values(own->second, maps.maps->extents());
}

}  // namespace headlight
