#include "core/io/stored_bytes.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace headlight {

std::string StoredBytes::text(std::size_t offset, std::size_t count) const {
    std::string text(count, '\0');
    read(offset, text);
    return text;
}

FileBytes::FileBytes(const std::filesystem::path& path) : path_(path), file_(path) {}

void FileBytes::read(std::size_t offset, std::span<char> to) const {
    for (std::size_t used = 0; used < to.size();) {
        const ssize_t count =
            ::pread(file_.number(), to.data() + used, to.size() - used, static_cast<off_t>(offset + used));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            refuse_to_read(path_, errno);
        if (count == 0)
            throw Error({"read file", path_.string(),
                         std::to_string(file_.size()) + " bytes, as many as when it was opened",
                         std::to_string(offset + used) + " or fewer: it has become shorter"});
        used += static_cast<std::size_t>(count);
    }
}

void HeldBytes::read(std::size_t offset, std::span<char> to) const {
    if (offset > bytes_.size() || to.size() > bytes_.size() - offset)
        throw Error(
            {"read bytes", "", std::to_string(offset + to.size()) + " bytes", std::to_string(bytes_.size())});
    std::copy_n(bytes_.data() + offset, to.size(), to.data());
}

}  // namespace headlight
