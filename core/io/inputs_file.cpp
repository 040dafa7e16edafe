#include "core/io/inputs_file.h"

#include "core/io/files.h"
#include "core/io/foreign_file.h"
#include "core/io/json_text.h"
#include "core/tensor/error.h"

namespace headlight {

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
            return is_json          ? parse_inputs_json(bytes, own)
                   : is_safetensors ? parse_inputs_safetensors(bytes, own)
                                    : parse_inputs_csv(bytes);
        });
    });
}

}  // namespace headlight
