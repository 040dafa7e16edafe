#pragma once

#include "core/io/capture_axes.h"
#include "core/io/stored_bytes.h"
#include "core/io/stored_types.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// An array of a file that may hold attention, none of whose numbers has been read.
struct FoundArray {
    std::string name;
    Shape shape;
    std::string type_name;               ///< as the file has it
    const StoredNumber* type = nullptr;  ///< null for what is not read as numbers
    std::shared_ptr<const StoredBytes> bytes;
    std::size_t begin = 0;
    ArrayOrder order = ArrayOrder::c;
    std::vector<std::string> texts{};  ///< of an array of text that is named as labels are

    /// Written by pickle, which would run a program of the file to be read.
    bool is_pickled() const { return !type && type_name.ends_with('O'); }
    bool is_of_fractions() const {
        return type && (type->name.starts_with('F') || type->name.starts_with("BF"));
    }
};

/// Whose tokens an array of text has by its name, as people name them: "tokens", "words", "src_tokens".
enum class LabelledAxis { both, query, key };
std::optional<LabelledAxis> labelled_axis(std::string_view array);

/// Whether a text begins as an object of JSON does that has weights as lists in lists, "attentions",
/// "attention" or "weights".
bool is_object_of_weights(std::string_view text);

/// `array "NAME"`, as refusals call it.
std::string array_place(const FoundArray& array);

/// What becomes of the entries of an archive that are compressed.
enum class Compressed { unpacked, passed_over };

/// The arrays of a capture by the extension of its file: of an .npz every .npy in the order of the archive,
/// but for what macOS adds when it packs a folder; of an .npy the one; of a .safetensors every tensor, by
/// name, numbers in names as numbers; of anything else lists in lists of a JSON text, or what an object has
/// of them beside its tokens, where null is a layer that lacks. Throws Error; where what an archive unpacks
/// to takes more than memory_limit(), before anything is unpacked.
std::vector<FoundArray> arrays_of_capture(const std::shared_ptr<const StoredBytes>& file,
                                          std::string_view extension,
                                          Compressed compressed = Compressed::unpacked);

}  // namespace headlight
