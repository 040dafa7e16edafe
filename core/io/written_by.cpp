#include "core/io/written_by.h"

#include "core/io/capture_file.h"
#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/io/shipped_models.h"
#include "core/io/stored_bytes.h"
#include "core/tensor/error.h"
#include "core/tensor/version.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace headlight {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Fowler, Noll and Vo: http://www.isthe.com/chongo/tech/comp/fnv
class Fnv1a64 {
public:
    void add(std::string_view bytes) {
        for (const char byte : bytes) {
            hash_ ^= static_cast<unsigned char>(byte);
            hash_ *= 1099511628211U;
        }
    }
    std::string text() const {
        std::array<char, 17> digits{};
        std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash_));
        return std::string("fnv1a64:") + digits.data();
    }

private:
    std::uint64_t hash_ = 14695981039346656037U;
};

std::string fnv1a64(std::string_view bytes) {
    Fnv1a64 hash;
    hash.add(bytes);
    return hash.text();
}

std::string hash_of_weights(const std::string& name_or_folder, const fs::path& weights) {
    std::error_code ignored;
    if (fs::exists(name_or_folder, ignored))
        return fnv1a64(read_file(weights));
    const ShippedModel* shipped = find_shipped_model(name_or_folder);
    return shipped ? fnv1a64(shipped->weights) : std::string();
}

/// The size and all bytes of a file, or of one larger than `most` the first, the last, and parts that lie
/// evenly between.
void add_file(Fnv1a64& hash, const fs::path& path, std::size_t most) {
    constexpr std::size_t parts = 64;
    const FileBytes file(path);
    hash.add(std::to_string(file.size()) + ' ');
    if (file.size() <= most)
        return hash.add(file.text(0, file.size()));
    const std::size_t part = most / parts, last = file.size() - part;
    for (std::size_t at = 0; at + 1 < parts; ++at)
        hash.add(file.text(last / (parts - 1) * at, part));
    hash.add(file.text(last, part));
}

std::string hash_of_capture(const std::vector<fs::path>& files) {
    constexpr std::size_t least = std::size_t(64) << 10;
    const std::size_t most = std::max(least, hashed_bytes / files.size());
    Fnv1a64 hash;
    std::error_code ignored;
    if (!fs::exists(files.front(), ignored))
        return {};
    for (const fs::path& file : files)
        if (fs::exists(file, ignored))
            add_file(hash, file, most);
    return hash.text();
}

/// Hashes by name. A session is written after every edit: files are read once, and again when one of them has
/// changed.
class KnownHashes {
public:
    /// `files_of(name)` says what the hash is of, `hash_of(files)` makes it.
    template <class FilesOf, class HashOf>
    std::string of(const std::string& name, const FilesOf& files_of, const HashOf& hash_of) {
        const std::lock_guard lock(mutex_);
        Known& known = known_[name];
        if (known.hash.empty() || !is_unchanged(known)) {
            known = {};
            for (const fs::path& file : files_of(name))
                known.files.emplace_back(file, changed(file));
            known.hash = hash_of(files(known));
        }
        return known.hash;
    }

private:
    using Changed = std::pair<fs::file_time_type, std::uintmax_t>;
    struct Known {
        std::vector<std::pair<fs::path, Changed>> files;
        std::string hash;
    };

    static Changed changed(const fs::path& file) {
        std::error_code ignored;
        return {fs::last_write_time(file, ignored), fs::file_size(file, ignored)};
    }
    static bool is_unchanged(const Known& known) {
        return std::ranges::all_of(known.files,
                                   [](const auto& file) { return changed(file.first) == file.second; });
    }
    static std::vector<fs::path> files(const Known& known) {
        std::vector<fs::path> paths;
        for (const auto& [path, when] : known.files)
            paths.push_back(path);
        return paths;
    }

    std::mutex mutex_;
    std::map<std::string, Known> known_;
};

/// What a session reads and does not have inside.
struct OutsideData {
    const char* field;  ///< of `written_by`, which has its hash
    bool is_model;
    std::string name;

    std::string hash() const { return is_model ? weights_hash(name) : capture_hash(name); }
    std::string change() const {
        return is_model ? "It was drawn with other weights of the model " + excerpt(name) +
                              " than are here now: its numbers may have been others."
                        : "It was drawn when " + excerpt(name) +
                              " held something else: its numbers and tokens may have been others.";
    }
};

std::vector<OutsideData> outside_of(const Session& session) {
    std::vector<OutsideData> data;
    if (session.model)
        data.push_back({"weights", true, session.model->name});
    else if (session.capture)
        data.push_back({"capture", false, session.capture->file});
    if (!session.has_counterpart())
        return data;
    const auto& [kind, value] = *session.counterpart;
    if (kind == Counterpart::Kind::model)
        data.push_back({"other_weights", true, value});
    else if (kind == Counterpart::Kind::capture)
        data.push_back({"other_capture", false, value});
    return data;
}

}  // namespace

std::string weights_hash(const std::string& name_or_folder) try {
    static KnownHashes known;
    return known.of(
        name_or_folder,
        [](const std::string& name) { return std::vector{fs::path(name) / "model.safetensors"}; },
        [&](const std::vector<fs::path>& files) { return hash_of_weights(name_or_folder, files.front()); });
} catch (const Error&) {
    return {};  // whoever runs the model is told what is wrong with it
}

std::string capture_hash(const std::string& file) try {
    static KnownHashes known;
    return known.of(file, captured_files, hash_of_capture);
} catch (const Error&) {
    return {};  // whoever reads the capture is told what is wrong with it
}

json written_by(const Session& session) {
    json written_by = {{"program", "headlight"}, {"version", program_version()}};
    for (const OutsideData& data : outside_of(session))
        if (std::string hash = data.hash(); !hash.empty())
            written_by[data.field] = std::move(hash);
    return written_by;
}

std::string changed_data_note(std::string_view text, const Session& session) {
    const std::vector<OutsideData> all = outside_of(session);
    if (all.empty())
        return {};
    const JsonDocument document = parse_json(text);
    const auto written = document->find("written_by");
    if (written == document->end() || !written->is_object())
        return {};
    std::string note;
    for (const OutsideData& data : all) {
        const auto then = written->find(data.field);
        if (then == written->end() || !then->is_string())
            continue;
        const std::string here = data.hash();
        if (!here.empty() && here != then->get<std::string>())
            note += (note.empty() ? "" : " ") + data.change();
    }
    return note;
}

}  // namespace headlight
