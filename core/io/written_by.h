#pragma once

#include "core/io/session.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace headlight {

/// Tells the weights of a model from others, by its name inside the program or its folder: "fnv1a64:" and the
/// 64 bits of FNV-1a over its model.safetensors, in hexadecimal. It is no protection against forgery. Empty
/// where there is no such model.
std::string weights_hash(const std::string& name_or_folder);

/// Tells what a capture or a trace holds from anything else, in the same way over its files
/// (captured_files()): their sizes, and the bytes of each up to hashed_bytes; of a larger one parts of it,
/// spread evenly, so that a capture of any size is soon told from another. Empty where it cannot be read.
std::string capture_hash(const std::string& file);
inline constexpr std::size_t hashed_bytes = std::size_t(16) << 20;

/// What a document of `session` says of who wrote it: the program, its version, weights_hash() of the model
/// or capture_hash() of the capture, and the same of what these are compared with.
nlohmann::json written_by(const Session& session);

/// What to say when `text`, which `session` was read from, was written with other weights of its models, or
/// another content of its captures, than are here now; else empty, also where it does not say.
std::string changed_data_note(std::string_view text, const Session& session);

}  // namespace headlight
