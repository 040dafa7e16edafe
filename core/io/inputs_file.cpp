#include "core/io/inputs_file.h"

#include "core/io/capture_notes.h"
#include "core/io/files.h"
#include "core/io/foreign_file.h"
#include "core/io/json_text.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

/// Throws Error where the text is that of notes beside an array of NumPy.
void refuse_notes(const std::filesystem::path& path, std::string_view text) {
    for (const char* extension : {".npz", ".npy"}) {
        std::filesystem::path array = path;
        array.replace_extension(extension);
        if (std::error_code ignored; !std::filesystem::exists(array, ignored))
            continue;
        try {
            parse_capture_notes(text);
        } catch (const Error&) {
            return;
        }
        const std::string name = array.filename().string();
        throw Error({"read inputs", "", "token vectors", "the notes of " + name + ": open " + name});
    }
}

}  // namespace

Inputs parse_inputs_json_in(const std::filesystem::path& path, std::string_view text,
                            const ParameterNames& own) {
    try {
        return parse_inputs_json(text, own);
    } catch (const Error&) {
        refuse_notes(path, text);
        throw;
    }
}

Inputs read_inputs(const std::filesystem::path& path, const ParameterNames& own) {
    const std::string extension = extension_of(path);
    const bool is_json = extension == ".json", is_safetensors = extension == ".safetensors";
    return unless_foreign("read inputs", path, path.string(), [&] {
        if (std::error_code unknown; std::filesystem::is_directory(path, unknown))
            throw Error(
                {"read inputs", path.string(), "a file named .json, .safetensors or .csv", "a folder"});
        if (!is_json && !is_safetensors && extension != ".csv")
            throw Error({"read inputs", path.string(), "a file named .json, .safetensors or .csv",
                         extension.empty() ? "no extension" : '"' + excerpt(extension) + '"'});
        const std::string bytes = read_document(path);
        return in_file(path.string(), [&] {
            return is_json          ? parse_inputs_json_in(path, bytes, own)
                   : is_safetensors ? parse_inputs_safetensors(bytes, own)
                                    : parse_inputs_csv(bytes);
        });
    });
}

}  // namespace headlight
