#pragma once

#include "app/cli/asked_maps.h"
#include "core/io/capture_parts.h"

#include <optional>
#include <string>

namespace headlight {

/// The maps of a file: a capture, or the weights of whatever read_render_source() reads. With `text`, those
/// of a model, by its folder or its name, that reads the text; with `target` too, that is made to say it.
/// Each with those of what is asked to be compared beside it, and through the lens that is asked for; the
/// reading says how the tokens of both were paired, where some have no partner. Throws Error.
Capture read_maps(const std::string& file, const AskedMaps& asked,
                  const std::optional<std::string>& text = {}, const std::optional<std::string>& target = {});

}  // namespace headlight
