#include "core/io/foreign_file.h"

#include "core/io/mechanism_file.h"
#include "core/tensor/visible_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace headlight {
namespace {

using Holds = ForeignFile::Holds;
using namespace std::string_view_literals;

/// Bytes by which a format is known, wherever it says that they stand.
struct Mark {
    std::size_t offset;
    std::string_view bytes;
    std::string_view name;
    Holds holds;
};

constexpr std::array marks{
    Mark{0, "\x93NUMPY"sv, "a NumPy array (.npy)", Holds::numbers},
    Mark{4, "TFL3"sv, "a TensorFlow Lite model", Holds::model},
    Mark{0, "ggml"sv, "a model in the old GGML format", Holds::model},
    Mark{0, "lmgg"sv, "a model in the old GGML format", Holds::model},
    Mark{0, "tjgg"sv, "a model in the old GGML format", Holds::model},
    Mark{0, "PAR1"sv, "a Parquet table", Holds::numbers},
    Mark{0, "ARROW1"sv, "an Arrow table", Holds::numbers},
    Mark{0, "MATLAB 5.0"sv, "a MATLAB file", Holds::numbers},
    Mark{0, "SQLite format 3"sv, "an SQLite database", Holds::other},
    Mark{0, "%PDF-"sv, "a PDF without a Headlight session", Holds::picture},
    Mark{0, "\x89PNG\r\n\x1a\n"sv, "a PNG picture without a Headlight session", Holds::picture},
    Mark{0, "\xff\xd8\xff"sv, "a JPEG picture", Holds::picture},
    Mark{0, "GIF8"sv, "a GIF picture", Holds::picture},
    Mark{8, "WEBP"sv, "a WebP picture", Holds::picture},
    Mark{0, "II*\0"sv, "a TIFF picture", Holds::picture},
    Mark{0, "MM\0*"sv, "a TIFF picture", Holds::picture},
    Mark{8, "WAVE"sv, "a sound (WAV)", Holds::other},
    Mark{0, "ID3"sv, "a sound (MP3)", Holds::other},
    Mark{0, "OggS"sv, "a sound (Ogg)", Holds::other},
    Mark{0, "fLaC"sv, "a sound (FLAC)", Holds::other},
    Mark{4, "ftyp"sv, "a film or sound (MP4)", Holds::other},
    Mark{0, "\x1a\x45\xdf\xa3"sv, "a film (Matroska or WebM)", Holds::other},
    Mark{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, "an Office document of the old kind (.doc, .xls, .ppt)",
         Holds::text},
    Mark{0, "{\\rtf"sv, "a document in rich text (.rtf)", Holds::text},
    Mark{0, "\xff\xfe"sv, "text in UTF-16", Holds::text},
    Mark{0, "\xfe\xff"sv, "text in UTF-16", Holds::text},
    Mark{0, "\x1f\x8b"sv, "an archive (gzip)", Holds::other},
    Mark{0, "BZh"sv, "an archive (bzip2)", Holds::other},
    Mark{0,
         "\xfd"
         "7zXZ"sv,
         "an archive (xz)", Holds::other},
    Mark{0, "7z\xbc\xaf\x27\x1c"sv, "an archive (7-Zip)", Holds::other},
    Mark{0, "\x28\xb5\x2f\xfd"sv, "an archive (Zstandard)", Holds::other},
    Mark{0, "Rar!"sv, "an archive (RAR)", Holds::other},
    Mark{257, "ustar"sv, "an archive (tar)", Holds::other},
    Mark{0,
         "\x7f"
         "ELF"sv,
         "a program or library", Holds::other},
    Mark{0, "MZ"sv, "a program for Windows", Holds::other},
};

bool has(std::string_view bytes, std::string_view part) { return bytes.find(part) != std::string_view::npos; }

template <class Number>
std::optional<Number> number_at(std::string_view bytes, std::size_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(Number))
        return std::nullopt;
    Number number;
    std::memcpy(&number, bytes.data() + offset, sizeof number);
    return number;
}

// Containers whose content says what they are

/// "GGUF", version, two counts, then keys and values. By custom the architecture comes first.
/// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
ForeignFile gguf(std::string_view head) {
    constexpr std::string_view key = "general.architecture";
    constexpr std::size_t longest = 40;
    std::string name = "a GGUF model";
    if (const std::size_t at = head.find(key); at != std::string_view::npos) {
        const std::size_t length_at = at + key.size() + sizeof(std::uint32_t);  // behind the value's type
        const auto length = number_at<std::uint64_t>(head, length_at);
        const std::size_t text_at = length_at + sizeof(std::uint64_t);
        if (length && *length > 0 && *length <= longest && text_at + *length <= head.size())
            name = "a GGUF model (" + visible(head.substr(text_at, *length)) + ')';
    }
    return {name, Holds::model};
}

/// The names in a ZIP archive's directory as far as it lies in `tail`, else of its first file.
std::vector<std::string_view> zip_names(std::string_view head, std::string_view tail) {
    constexpr std::string_view entry = "PK\1\2", first_file = "PK\3\4";
    constexpr std::size_t most = 4096;
    std::vector<std::string_view> names;
    for (std::size_t at = tail.find(entry); at != std::string_view::npos && names.size() < most;
         at = tail.find(entry, at + entry.size()))
        if (const auto length = number_at<std::uint16_t>(tail, at + 28); length && at + 46 <= tail.size())
            names.push_back(tail.substr(at + 46, *length));
    const auto length = number_at<std::uint16_t>(head, 26);
    if (names.empty() && head.starts_with(first_file) && length && head.size() > 30)
        names.push_back(head.substr(30, *length));
    return names;
}

ForeignFile zip(std::string_view head, std::string_view tail) {
    const std::vector<std::string_view> names = zip_names(head, tail);
    const auto any = [&](const auto& is) { return std::ranges::any_of(names, is); };
    const auto ends = [&](std::string_view end) {
        return any([end](std::string_view name) { return name.ends_with(end); });
    };
    const auto begins = [&](std::string_view start) {
        return any([start](std::string_view name) { return name.starts_with(start); });
    };
    if (ends("data.pkl"))
        return {"a PyTorch checkpoint", Holds::model};
    if (ends("model.weights.h5"))
        return {"a Keras model", Holds::model};
    if (ends(".npy"))
        return {"NumPy arrays (.npz)", Holds::numbers};
    if (begins("word/"))
        return {"a Word document", Holds::text};
    if (begins("xl/"))
        return {"an Excel workbook", Holds::numbers};
    if (begins("ppt/"))
        return {"a PowerPoint presentation", Holds::text};
    if (head.starts_with("PK") && has(head.substr(0, 200), "application/vnd.oasis.opendocument"))
        return {"a LibreOffice document", Holds::text};
    if (has(head.substr(0, 200), "application/epub+zip"))
        return {"a book (EPUB)", Holds::text};
    return {"a ZIP archive", Holds::other};
}

ForeignFile hdf5(std::string_view head) {
    return has(head, "keras_version") || has(head, "model_weights") || has(head, "layer_names")
               ? ForeignFile{"a Keras model (HDF5)", Holds::model}
               : ForeignFile{"an HDF5 file", Holds::numbers};
}

// Formats without a mark of their own

/// Python's pickle begins with its protocol's number: 2 is what PyTorch writes.
std::optional<ForeignFile> pickle(std::string_view head, std::string_view extension) {
    const bool is_pickle = head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
    if (!is_pickle)
        return std::nullopt;
    const bool is_torch =
        has(head, "torch") || extension == ".pt" || extension == ".pth" || extension == ".bin";
    return is_torch ? ForeignFile{"a PyTorch checkpoint of the old kind", Holds::model}
                    : ForeignFile{"Python objects (pickle)", Holds::numbers};
}

/// Messages of Protocol Buffers: ONNX begins with its version and its producer, a SentencePiece tokenizer
/// with its first piece.
std::optional<ForeignFile> protobuf(std::string_view head, std::string_view extension) {
    const std::string_view start = head.substr(0, 64);
    if (extension == ".onnx" && start.starts_with('\x08'))
        return ForeignFile{"an ONNX model", Holds::model};
    if (start.size() > 4 && start[0] == '\x08' && start[2] == '\x12' &&
        (has(start, "pytorch") || has(start, "onnx")))
        return ForeignFile{"an ONNX model", Holds::model};
    if (start.starts_with('\x0a') && (has(start, "<unk>") || has(start, "<pad>") || has(start, "<s>")))
        return ForeignFile{"a SentencePiece tokenizer", Holds::model};
    return std::nullopt;
}

bool is_text(std::string_view head) {
    const auto is_control = [](unsigned char c) {
        return (c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f') || c == 0x7f;
    };
    if (std::ranges::any_of(head, is_control))
        return false;
    constexpr std::size_t longest_character = 4;
    std::string_view rest = head;
    while (!rest.empty()) {
        const bool may_be_cut = rest.size() < longest_character;
        const bool is_ascii = static_cast<unsigned char>(rest.front()) < 0x80;
        const bool is_utf8 = !next_visible(rest).starts_with("\\x");
        if (!is_ascii && !is_utf8 && !may_be_cut)
            return false;
    }
    return true;
}

/// Whose name says that it is a page: no server answered with it in place of another file.
bool is_named_as_page(std::string_view extension) {
    constexpr std::array names{".html"sv, ".htm"sv, ".xhtml"sv, ".xht"sv, ".shtml"sv, ".php"sv};
    return std::ranges::find(names, extension) != names.end();
}

std::optional<ForeignFile> text(std::string_view head, std::string_view extension) {
    const bool is_read_as_text =
        extension == ".json" || extension == ".csv" || extension == ".txt" || extension == formula_extension;
    if (!is_text(head) || is_read_as_text)
        return std::nullopt;
    std::string start(head.substr(0, 1000));
    std::ranges::transform(start, start.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (has(start, "<svg"))
        return ForeignFile{"an SVG picture without a Headlight session", Holds::picture};
    // What a script does before its page begins may be longer than what is looked at.
    if (has(start, "<!doctype html") || has(start, "<html") || start.starts_with("<?php"))
        return ForeignFile{"a web page", is_named_as_page(extension) ? Holds::text : Holds::answer};
    if (has(start, "version https://git-lfs"))
        return ForeignFile{"a pointer of Git LFS in place of the file", Holds::other};
    return ForeignFile{"plain text", Holds::text};
}

}  // namespace

std::optional<ForeignFile> foreign_bytes(std::string_view head, std::string_view tail,
                                         std::string_view extension) {
    if (head.empty())
        return ForeignFile{"an empty file", Holds::other};
    if (head.starts_with("GGUF"))
        return gguf(head);
    if (head.starts_with("PK\3\4") || head.starts_with("PK\5\6"))
        return zip(head, tail);
    if (head.starts_with("\x89HDF\r\n\x1a\n"))
        return hdf5(head);
    for (const Mark& mark : marks)
        if (head.size() > mark.offset && head.substr(mark.offset).starts_with(mark.bytes))
            return ForeignFile{std::string(mark.name), mark.holds};
    if (auto found = pickle(head, extension))
        return found;
    if (auto found = protobuf(head, extension))
        return found;
    return text(head, extension);
}

}  // namespace headlight
