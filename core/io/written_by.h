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

/// What a document of `session` says of who wrote it: the program, its version, weights_hash() of the model.
nlohmann::json written_by(const Session& session);

/// What to say when `text`, which `session` was read from, was written with other weights of its model than
/// are here now; else empty, also where it does not say.
std::string changed_weights_note(std::string_view text, const Session& session);

}  // namespace headlight
