#include "core/attention/spec_json.h"

#include "core/attention/component.h"
#include "core/attention/json_object.h"
#include "core/attention/spec_words.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {

using nlohmann::json;

namespace {

constexpr const char* mask_name = "mask";

std::vector<bool> allowed_row(const json& row, const std::string& where) {
    if (!row.is_array())
        throw Error({mask_name, where, "a row of 0 and 1", describe(row)});
    std::vector<bool> cells;
    for (const json& cell : row) {
        const bool is_one = cell.is_boolean() ? cell.get<bool>() : cell == 1;
        if (!cell.is_boolean() && cell != 0 && cell != 1)
            throw Error({mask_name, pointer_to(where, cells.size()), "0, 1, false or true", describe(cell)});
        cells.push_back(is_one);
    }
    return cells;
}

MatrixMask matrix_mask(const json& rows, const std::string& where) {
    if (!rows.is_array())
        throw Error({mask_name, where, "a list of rows, one per query", describe(rows)});
    MatrixMask mask;
    for (const json& row : rows) {
        const std::string place = pointer_to(where, mask.allowed.size());
        mask.allowed.push_back(allowed_row(row, place));
        const std::size_t width = mask.allowed.front().size();
        if (mask.allowed.back().size() != width)
            throw Error({mask_name, place, std::to_string(width) + " cells, as in the first row",
                         std::to_string(mask.allowed.back().size())});
    }
    return mask;
}

/// The type of a mask leaf that is a pattern; nothing when it is one of the others.
const MaskComponent* pattern_of(JsonObject& object) {
    const json* type = object.find("type");
    if (!type || !type->is_string())
        return nullptr;
    const auto found =
        std::ranges::find(mask_components(), type->get_ref<const std::string&>(), &MaskComponent::word);
    return found == mask_components().end() ? nullptr : &*found;
}

MaskLeaf leaf_type(JsonObject& object) {
    std::vector<std::string> accepted = spellings<MaskLeaf>();
    const std::string typed = object.text("type", to_word(MaskLeaf::none));
    if (const auto leaf = value_of<MaskLeaf>(typed))
        return *leaf;
    for (const MaskComponent& component : mask_components())
        accepted.push_back(component.word);
    object.refuse("type", list_of(accepted), quoted_with_hint(excerpt(typed), accepted));
}

Mask leaf_mask(JsonObject& object) {
    if (const MaskComponent* pattern = pattern_of(object))
        return {
            PatternMask{pattern->type, complete_options(pattern->options, object.options(pattern->options),
                                                        mask_name, mask_name)}};
    const MaskLeaf type = leaf_type(object);
    const CausalAlignment alignment = object.word("align", CausalAlignment::top_left);
    const std::optional<Index> key_lengths = object.optional_integer("key_lengths", 0, largest_width);
    // A prohibition that would be ignored is refused: the person believes that it holds.
    const json* allowed = object.find("allowed");
    if (key_lengths && type != MaskLeaf::padding)
        object.refuse("key_lengths", "the mask's type to be \"padding\"", '"' + to_word(type) + '"');
    if (allowed && type != MaskLeaf::matrix)
        object.refuse("allowed", "the mask's type to be \"matrix\"", '"' + to_word(type) + '"');
    switch (type) {
    case MaskLeaf::none:
        return {NoMask{}};
    case MaskLeaf::causal:
        return {CausalMask{alignment}};
    case MaskLeaf::padding:
        return {PaddingMask{key_lengths}};
    case MaskLeaf::matrix:
        return {matrix_mask(object.required("allowed", "a list of rows, one per query"),
                            object.pointer("allowed"))};
    }
    return {};
}

/// `count`: the masks that were read before this one.
Mask read_mask(const json& document, const std::string& where, int depth, int& count) {
    if (depth > deepest_mask)
        throw Error({mask_name, where,
                     "at most " + std::to_string(deepest_mask) + " masks inside one another", "one more"});
    if (++count > most_masks)
        throw Error(
            {mask_name, where, "at most " + std::to_string(most_masks) + " masks in all", "one more"});
    JsonObject object(document, mask_name, where);
    const auto masks = [&](const json& list, const std::string& place) {
        if (!list.is_array())
            throw Error({mask_name, place, "a list of masks", describe(list)});
        std::vector<Mask> parts;
        for (const json& part : list)
            parts.push_back(read_mask(part, pointer_to(place, parts.size()), depth + 1, count));
        return parts;
    };
    Mask mask;
    if (const json* all = object.find("all"))
        mask.rule = AllOf{masks(*all, object.pointer("all"))};
    else if (const json* any = object.find("any"))
        mask.rule = AnyOf{masks(*any, object.pointer("any"))};
    else if (const json* inner = object.find("not"))
        mask.rule = Not{{read_mask(*inner, object.pointer("not"), depth + 1, count)}};
    else
        mask = leaf_mask(object);
    object.refuse_other_fields();
    return mask;
}

/// What the component of a part's type declares, all of it.
template <class Type>
Options options_of(JsonObject& object, Type type) {
    static const std::vector<Option> none;
    const auto* component = component_of(type);
    const std::vector<Option>& declared = component ? component->options : none;
    return complete_options(declared, object.options(declared), object.what(), object.pointer("type"));
}

Projections projections_from(JsonObject object) {
    Projections projections;
    projections.type = object.word("type", projections.type);
    projections.bias = object.boolean("bias", projections.bias);
    projections.dimension = object.optional_integer("dimension", 1, largest_width);
    object.refuse_other_fields();
    return projections;
}

Score score_from(JsonObject object) {
    Score score;
    score.type = object.word("type", score.type);
    score.activation = object.word("activation", score.activation);
    score.bias = object.boolean("bias", score.bias);
    score.attention_dimension = object.optional_integer("attention_dimension", 1, largest_width);
    score.vector_norm = object.word("vector_norm", score.vector_norm);
    score.softcap = object.optional_number("softcap");
    if (score.softcap && !(*score.softcap > 0))
        object.refuse("softcap", "a number above 0, or null", describe(*object.find("softcap")));
    score.options = options_of(object, score.type);
    object.refuse_other_fields();
    return score;
}

Normalizer normalizer_from(JsonObject object) {
    Normalizer normalizer;
    normalizer.type = object.word("type", normalizer.type);
    normalizer.temperature = object.number("temperature", normalizer.temperature);
    if (!(normalizer.temperature > 0) || !std::isfinite(normalizer.temperature))
        object.refuse("temperature", "a number above 0 (its limit 0 is the type \"hard\")",
                      describe(*object.find("temperature")));
    normalizer.mode = object.word("mode", normalizer.mode);
    normalizer.draws = object.integer("draws", normalizer.draws, 1, most_draws);
    normalizer.options = options_of(object, normalizer.type);
    object.refuse_other_fields();
    return normalizer;
}

Position position_from(JsonObject object) {
    Position position;
    position.type = object.word("type", position.type);
    position.second = object.word("second", position.second);
    const std::vector<Option> declared = position_options(position.type, position.second);
    position.options =
        complete_options(declared, object.options(declared), object.what(), object.pointer("type"));
    object.refuse_other_fields();
    return position;
}

Heads heads_from(JsonObject object) {
    Heads heads;
    heads.type = object.word("type", heads.type);
    heads.heads = object.integer("heads", heads.heads, 1, largest_width);
    heads.kv_heads = object.integer("kv_heads", heads.kv_heads, 1, largest_width);
    heads.sharing = object.word("sharing", heads.sharing);
    heads.gate = object.word("gate", heads.gate);
    object.refuse_other_fields();
    return heads;
}

Source source_from(JsonObject object) {
    Source source;
    source.type = object.word("type", source.type);
    object.refuse_other_fields();
    return source;
}

/// A part that is its type and the options of that.
template <class Part>
Part part_from(JsonObject object) {
    Part part;
    part.type = object.word("type", part.type);
    part.options = options_of(object, part.type);
    object.refuse_other_fields();
    return part;
}

/// `object` with the options beside its own fields.
json with_options(json object, const Options& options) {
    for (const auto& [name, value] : options)
        std::visit([&field = object[name]](const auto& each) { field = each; }, value);
    return object;
}

json number_or_null(const auto& number) { return number ? json(*number) : json(nullptr); }

json list_of_masks(const std::vector<Mask>& masks) {
    json list = json::array();
    for (const Mask& mask : masks)
        list.push_back(to_json(mask));
    return list;
}

struct MaskWriter {
    json operator()(const NoMask&) const { return {{"type", "none"}}; }
    json operator()(const CausalMask& mask) const {
        return {{"type", "causal"}, {"align", to_word(mask.alignment)}};
    }
    json operator()(const PaddingMask& mask) const {
        return {{"type", "padding"}, {"key_lengths", number_or_null(mask.key_lengths)}};
    }
    json operator()(const MatrixMask& mask) const {
        json rows = json::array();
        for (const std::vector<bool>& row : mask.allowed) {
            json cells = json::array();
            for (const bool cell : row)
                cells.push_back(cell ? 1 : 0);
            rows.push_back(std::move(cells));
        }
        return {{"type", "matrix"}, {"allowed", std::move(rows)}};
    }
    json operator()(const PatternMask& mask) const {
        return with_options({{"type", to_word(mask.type)}}, mask.options);
    }
    json operator()(const AllOf& mask) const { return {{"all", list_of_masks(mask.masks)}}; }
    json operator()(const AnyOf& mask) const { return {{"any", list_of_masks(mask.masks)}}; }
    json operator()(const Not& mask) const { return {{"not", to_json(mask.mask.at(0))}}; }
};

}  // namespace

Mask mask_from_json(const json& document, const std::string& where) {
    int count = 0;
    return read_mask(document, where, 1, count);
}

json to_json(const Mask& mask) { return std::visit(MaskWriter{}, mask.rule); }

AttentionSpec spec_from_json(const json& document, const std::string& pointer) {
    JsonObject object(document, "attention spec", pointer);
    AttentionSpec spec;
    spec.source = source_from(object.object("source"));
    spec.projections = projections_from(object.object("projections"));
    spec.score = score_from(object.object("score"));
    spec.position = position_from(object.object("position"));
    if (const json* mask = object.find("mask"))
        spec.mask = mask_from_json(*mask, object.pointer("mask"));
    spec.mask_order = object.word("mask_order", spec.mask_order);
    spec.mask_value = object.optional_number("mask_value");
    spec.selection = part_from<KeySelection>(object.object("selection"));
    spec.normalizer = normalizer_from(object.object("normalizer"));
    spec.heads = heads_from(object.object("heads"));
    spec.algorithm = part_from<Algorithm>(object.object("algorithm"));
    object.refuse_other_fields();
    return spec;
}

json to_json(const Source& source) { return {{"type", to_word(source.type)}}; }

json to_json(const Projections& projections) {
    return {{"type", to_word(projections.type)},
            {"bias", projections.bias},
            {"dimension", number_or_null(projections.dimension)}};
}

json to_json(const Score& score) {
    return with_options({{"type", to_word(score.type)},
                         {"activation", to_word(score.activation)},
                         {"bias", score.bias},
                         {"attention_dimension", number_or_null(score.attention_dimension)},
                         {"vector_norm", to_word(score.vector_norm)},
                         {"softcap", number_or_null(score.softcap)}},
                        score.options);
}

json to_json(const Position& position) {
    return with_options({{"type", to_word(position.type)}, {"second", to_word(position.second)}},
                        position.options);
}

json to_json(const KeySelection& selection) {
    return with_options({{"type", to_word(selection.type)}}, selection.options);
}

json to_json(const Normalizer& normalizer) {
    return with_options({{"type", to_word(normalizer.type)},
                         {"temperature", normalizer.temperature},
                         {"mode", to_word(normalizer.mode)},
                         {"draws", normalizer.draws}},
                        normalizer.options);
}

json to_json(const Heads& heads) {
    return {{"type", to_word(heads.type)},
            {"heads", heads.heads},
            {"kv_heads", heads.kv_heads},
            {"sharing", to_word(heads.sharing)},
            {"gate", to_word(heads.gate)}};
}

json to_json(const Algorithm& algorithm) {
    return with_options({{"type", to_word(algorithm.type)}}, algorithm.options);
}

json to_json(const AttentionSpec& spec) {
    return {
        {"source", to_json(spec.source)},
        {"projections", to_json(spec.projections)},
        {"score", to_json(spec.score)},
        {"position", to_json(spec.position)},
        {"mask", to_json(spec.mask)},
        {"mask_order", to_word(spec.mask_order)},
        {"mask_value", number_or_null(spec.mask_value)},
        {"selection", to_json(spec.selection)},
        {"normalizer", to_json(spec.normalizer)},
        {"heads", to_json(spec.heads)},
        {"algorithm", to_json(spec.algorithm)},
    };
}

}  // namespace headlight
