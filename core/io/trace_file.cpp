#include "core/io/trace_file.h"

#include "core/io/files.h"
#include "core/io/foreign_file.h"
#include "core/io/json_text.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

bool is_json(const std::filesystem::path& path, const char* what) {
    const std::string extension = extension_of(path);
    if (extension == ".json")
        return true;
    if (extension == ".safetensors")
        return false;
    throw Error({what, path.string(), "a file named .json or .safetensors",
                 extension.empty() ? "no extension" : '"' + excerpt(extension) + '"'});
}

}  // namespace

void write_trace(const Trace& trace, const std::filesystem::path& path) {
    const bool as_json = is_json(path, "write trace");
    std::string bytes;
    try {
        bytes = as_json ? write_trace_json(trace) : write_trace_safetensors(trace);
    } catch (const Error& error) {
        throw error.within(path.string());
    }
    write_file_atomically(path, bytes);
}

Trace read_trace(const std::filesystem::path& path) {
    return unless_foreign("read trace", path, path.string(), [&] {
        const bool as_json = is_json(path, "read trace");
        const std::string bytes = read_document(path);
        return in_file(path.string(),
                       [&] { return as_json ? parse_trace_json(bytes) : parse_trace_safetensors(bytes); });
    });
}

}  // namespace headlight
