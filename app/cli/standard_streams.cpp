#include "app/cli/standard_streams.h"

#include "app/cli/output.h"
#include "core/io/files.h"
#include "core/tensor/memory.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace headlight {
namespace {

/// A folder for the files that stand for streams, removed when the program ends.
class StreamFolder {
public:
    StreamFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "headlight-XXXXXX").string();
        if (!mkdtemp(name.data()))
            throw Error({"read", "standard input", "a folder for temporary files that can be written",
                         std::strerror(errno)});
        path_ = name;
    }
    ~StreamFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    StreamFolder(const StreamFolder&) = delete;
    StreamFolder& operator=(const StreamFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

const std::filesystem::path& stream_folder() {
    static const StreamFolder folder;
    return folder.path();
}

/// Whether anything was piped in or out so far.
bool& has_piped() {
    static bool has = false;
    return has;
}

/// Everything behind an open file; `where` names it in a message.
std::string read_whole(int descriptor, const std::string& where) {
    std::string bytes;
    char block[1 << 16];
    while (true) {
        const ssize_t count = ::read(descriptor, block, sizeof block);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            throw Error({"read", where, "bytes", std::strerror(errno)});
        if (count == 0)
            return bytes;
        require_memory("read", where, static_cast<double>(bytes.size()) + static_cast<double>(count));
        bytes.append(block, static_cast<std::size_t>(count));
    }
}

/// The ending of a file that begins like this: some readers go by it.
std::string ending_of(const std::string& bytes) {
    constexpr std::string_view utf8_mark = "\xef\xbb\xbf";
    constexpr std::size_t header_length = 8;  // of safetensors: the length of the JSON behind it
    std::string_view text = bytes;
    if (text.starts_with(utf8_mark))
        text.remove_prefix(utf8_mark.size());
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    constexpr std::pair<std::string_view, const char*> beginnings[] = {
        {"PK\x03\x04", ".npz"}, {"\x93NUMPY", ".npy"}, {"\x89PNG", ".png"}, {"%PDF", ".pdf"},
        {"%!PS", ".eps"},       {"GIF8", ".gif"},      {"RIFF", ".webp"},   {"\xff\xd8\xff", ".jpg"},
        {"{", ".json"},         {"[", ".json"},        {"<?xml", ".svg"},   {"<svg", ".svg"},
        {"<!DOCTYPE", ".html"}, {"<html", ".html"}};
    for (const auto& [beginning, ending] : beginnings)
        if (text.starts_with(beginning))
            return ending;
    if (bytes.size() > header_length && bytes[header_length] == '{')
        return ".safetensors";
    return ".csv";
}

/// Standard input, or what the shell has opened for the program: a pipe, or a file whose name says nothing.
/// Other pipes and devices may have no end: readers refuse them.
bool is_stream(const std::string& path) {
    struct stat status {};
    return is_standard_stream(path) || ((path == "/dev/stdin" || path.starts_with("/dev/fd/")) &&
                                        ::stat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode));
}

std::string read_stream(const std::string& path) {
    if (is_standard_stream(path))
        return read_whole(STDIN_FILENO, "standard input");
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        throw Error({"read", path, "a file that can be read", std::strerror(errno)});
    try {
        std::string bytes = read_whole(descriptor, path);
        ::close(descriptor);
        return bytes;
    } catch (...) {
        ::close(descriptor);
        throw;
    }
}

constexpr const char* input_name = "standard input";  // also the title of a figure of it

/// A copy of what the stream holds, in a folder of its own.
std::string copied(const std::string& path) {
    static int count = 0;
    const std::string bytes = read_stream(path);
    has_piped() = true;
    const std::filesystem::path folder = stream_folder() / std::to_string(++count);
    std::filesystem::create_directory(folder);
    const std::filesystem::path copy = folder / (input_name + std::string(ending_of(bytes)));
    write_file_atomically(copy, bytes);
    return copy.string();
}

std::string without_last_line_end(std::string text) {
    if (text.ends_with('\n'))
        text.pop_back();
    if (text.ends_with('\r'))
        text.pop_back();
    return text;
}

ErrorDetail with_stream_names(ErrorDetail detail) {
    if (!has_piped())
        return detail;
    const std::string folder = stream_folder().string();
    for (std::string* part : {&detail.what, &detail.where, &detail.expected, &detail.got})
        for (std::size_t at = part->find(folder); at != std::string::npos; at = part->find(folder)) {
            const std::size_t name = part->find(input_name, at);
            if (name == std::string::npos)
                break;
            const std::size_t ending = part->find_first_of(":\", ", name + std::strlen(input_name));
            part->replace(at, std::min(ending, part->size()) - at, input_name);
        }
    return detail;
}

}  // namespace

void take_piped_inputs(Arguments& arguments) {
    bool is_taken = false;
    arguments.replace_inputs([&](std::string_view where, Flag::Reads reads, const std::string& given) {
        const bool is_text = reads == Flag::Reads::text;
        if (is_text ? !is_standard_stream(given) : !is_stream(given))
            return given;
        if (is_standard_stream(given) && std::exchange(is_taken, true))
            arguments.refuse(where, "standard input once", "\"-\" twice");
        return is_text ? without_last_line_end(read_stream(given)) : copied(given);
    });
}

bool is_piped_copy(const std::filesystem::path& file) {
    return has_piped() && file.native().starts_with(stream_folder().native());
}

std::filesystem::path shown_file(const std::filesystem::path& file) {
    return is_piped_copy(file) ? input_name : file;
}

Error with_stream_names(const Error& error) { return Error(with_stream_names(error.detail())); }
UsageError with_stream_names(const UsageError& error) {
    return UsageError(with_stream_names(error.detail()));
}

std::filesystem::path piped_output(const std::string& ending) {
    has_piped() = true;
    return stream_folder() / ("output" + ending);
}

void print_piped_output(const std::filesystem::path& output) {
    if (is_piped_copy(output))
        print(read_file(output));
}

}  // namespace headlight
