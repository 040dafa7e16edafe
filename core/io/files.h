#pragma once

#include "core/tensor/error.h"

#include <cstddef>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace headlight {

/// Larger files are neither read nor worth writing.
inline constexpr std::size_t largest_file = std::size_t(1) << 30;

/// The whole file. Throws Error, without waiting, when it is a folder, a pipe, a socket or a device, when it
/// cannot be read, or when it is larger than `limit` bytes (checked before allocating); the message then ends
/// with `advice`, what else would do.
std::string read_file(const std::filesystem::path& path, std::size_t limit = largest_file,
                      std::string_view advice = {});

/// What `read` returns. Its refusals, and the one for memory that ran out in it, begin with the file's
/// `name`.
template <class Read>
auto in_file(const std::string& name, const Read& read) {
    try {
        return read();
    } catch (const Error& error) {
        throw error.within(name);
    } catch (const std::bad_alloc&) {
        throw Error({"read file", name, "a file whose content fits in memory", "a larger one"});
    } catch (const std::length_error&) {
        throw Error({"read file", name, "a file whose content fits in memory", "a larger one"});
    }
}

/// Writes beside `path`, flushes to the disk, then renames: readers see the old file or the new one, never
/// half of it. Nothing is left behind on failure, nor by a signal where remove_live_temporaries() is called
/// for it. A link is followed, also to a file that is not there yet. Removes what killed writers left beside
/// it.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Writes a file that is not there yet and flushes it, in a folder that nobody else sees. Refusals call it
/// `named`.
void write_new_file(const std::filesystem::path& path, std::string_view bytes,
                    const std::filesystem::path& named);

/// ".json" for "a/B.JSON"; empty when there is none.
std::string extension_of(const std::filesystem::path& path);

}  // namespace headlight
