#include "core/io/sequence_json.h"

#include "core/io/inputs_json.h"
#include "core/io/picture_json.h"
#include "core/io/session_words.h"

#include <algorithm>

namespace headlight {

using nlohmann::json;

namespace {

json to_json(const VectorSettings& vectors) {
    return {{"kind", to_word(vectors.kind)},
            {"dimension", vectors.dimension},
            {"reduction", to_word(vectors.reduction)},
            {"seed", vectors.seed}};
}

VectorSettings vectors_from(JsonObject object) {
    VectorSettings vectors;
    vectors.kind = object.word("kind", vectors.kind);
    vectors.dimension = object.integer("dimension", vectors.dimension, 1, largest_dimension);
    vectors.reduction = object.word("reduction", vectors.reduction);
    vectors.seed = object.unsigned_integer("seed", vectors.seed);
    return vectors;
}

/// Without parameters that only a formula had which the session has no longer: it could not be read again.
json file_to_json(const SequenceSettings& sequence, const ParameterNames& own) {
    const auto is_strange = [&](const auto& parameter) { return !is_known_parameter(parameter.first, own); };
    if (std::ranges::none_of(sequence.file->parameters, is_strange))
        return inputs_to_json(*sequence.file);
    Inputs known = *sequence.file;
    std::erase_if(known.parameters, is_strange);
    return inputs_to_json(known);
}

}  // namespace

json sequence_to_json(const SequenceSettings& sequence, const ParameterNames& own) {
    json object = {{"query_text", sequence.query_text},
                   {"key_text", sequence.key_text},
                   {"split", to_word(sequence.split)},
                   {"vectors", to_json(sequence.vectors)}};
    if (sequence.file)
        object["file"] = {{"name", sequence.file_name}, {"inputs", file_to_json(sequence, own)}};
    if (sequence.image) {
        object["image"] = picture_to_json(sequence.image);
        object["image"]["name"] = sequence.image_name;
    }
    return object;
}

SequenceSettings sequence_from_json(JsonObject object, const ParameterNames& own) {
    SequenceSettings sequence;
    sequence.query_text = object.text("query_text", {});
    sequence.key_text = object.text("key_text", {});
    sequence.split = object.word("split", sequence.split);
    sequence.vectors = vectors_from(object.object("vectors"));
    if (object.find("file")) {
        JsonObject file = object.object("file");
        sequence.file_name = file.text("name", {});
        sequence.file = std::make_shared<const Inputs>(
            inputs_from_json(file.required("inputs", "the inputs of the file"), file.pointer("inputs"), own));
    }
    if (object.find("image")) {
        JsonObject image = object.object("image");
        sequence.image_name = image.text("name", {});
        sequence.image = picture_from_json(image);
    }
    return sequence;
}

}  // namespace headlight
