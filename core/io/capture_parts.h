#pragma once

#include "core/io/capture_notes.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headlight {

/// What a capture holds.
struct Capture {
    std::vector<LabelledMaps> maps;
    /// What was made of the file: `"attn" [2, 1, 4, 6, 6] is [layer, batch, head, query, key].` Empty of
    /// formats whose axes are fixed.
    std::string reading;

    /// Adds what was read of some arrays.
    void add(LabelledMaps more, const std::string& read);
    /// Says what was read of some arrays.
    void say(const std::string& read);
};

/// The files of a capture that several processes wrote, "x.1-of-4.npz" and on, by any of their names; the
/// path itself of any other. Throws Error for a part that cannot be one, "x.5-of-4.npz".
std::vector<std::filesystem::path> part_files(const std::filesystem::path& path);

/// A part of a capture, and along which axis the parts follow one another.
struct CapturePart {
    Capture capture;
    JoinedMaps::Axis axis = JoinedMaps::Axis::head;
};

/// The maps of the same name of all parts as one. Throws Error where a part lacks some, or is of another
/// text.
Capture joined_parts(const std::vector<CapturePart>& parts);

}  // namespace headlight
