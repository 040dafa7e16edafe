#pragma once

#include "core/tensor/error.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// A file or a folder of another program.
struct ForeignFile {
    enum class Holds {
        model,
        numbers,
        text,
        picture,
        answer,  ///< what a server said in place of the file that the name promises
        other,
    };

    std::string name;  ///< as a person would say it: "a Hugging Face Llama checkpoint"
    Holds holds = Holds::other;
};

/// What a file or a folder is; nothing for what Headlight reads, for what nobody here knows, and for what
/// cannot be read. Looks at the first and the last bytes, at the header of safetensors, at JSON of at most 16
/// MB, and at the names in a folder and its config.json. Throws nothing.
std::optional<ForeignFile> foreign_file(const std::filesystem::path& path);

/// By the first bytes of a file and, of archives, its last. `extension` (".onnx") tells formats apart that
/// have no mark of their own.
std::optional<ForeignFile> foreign_bytes(std::string_view head, std::string_view tail,
                                         std::string_view extension);
/// A JSON document that other programs write.
std::optional<ForeignFile> foreign_json(std::string_view text);
/// The header of a safetensors file, from its first byte on: weights that no Headlight wrote.
std::optional<ForeignFile> foreign_safetensors(std::string_view header);

/// "expected ..., got a Hugging Face Llama checkpoint: Headlight cannot run it yet; docs/other-programs.md
/// tells how to bring its attention". `name` is what the message calls the file; `expected` in words, or
/// empty where any file that Headlight reads would do.
Error foreign_refusal(const std::string& what, const std::string& name, const ForeignFile& file,
                      const std::string& expected = {});

/// What `read` returns. Where it refuses what is known to be of another program, the refusal says what it is.
/// Pictures::read: `read` knows more about a broken picture, namely what is wrong with it.
enum class Pictures { foreign, read };
template <class Read>
auto unless_foreign(const std::string& what, const std::filesystem::path& path, const std::string& name,
                    const Read& read, Pictures pictures = Pictures::foreign,
                    const std::string& expected = {}) {
    try {
        return read();
    } catch (const Error&) {
        const auto foreign = foreign_file(path);
        if (foreign && (foreign->holds != ForeignFile::Holds::picture || pictures == Pictures::foreign))
            throw foreign_refusal(what, name, *foreign, expected);
        throw;
    }
}

}  // namespace headlight
