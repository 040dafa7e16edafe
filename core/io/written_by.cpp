#include "core/io/written_by.h"

#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/io/shipped_models.h"
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

namespace headlight {

using nlohmann::json;

namespace {

/// Fowler, Noll and Vo: http://www.isthe.com/chongo/tech/comp/fnv
std::string fnv1a64(std::string_view bytes) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char byte : bytes) {
        hash ^= static_cast<unsigned char>(byte);
        hash *= 1099511628211U;
    }
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
    return std::string("fnv1a64:") + digits.data();
}

std::string hash_of(const std::string& name_or_folder, const std::filesystem::path& weights) {
    std::error_code ignored;
    if (std::filesystem::exists(name_or_folder, ignored))
        return fnv1a64(read_file(weights));
    const auto shipped = std::ranges::find(shipped_models(), name_or_folder, &ShippedModel::name);
    return shipped == shipped_models().end() ? std::string() : fnv1a64(shipped->weights);
}

}  // namespace

std::string weights_hash(const std::string& name_or_folder) try {
    // A session is written after every edit: weights are read once, and again when their file has changed.
    using Changed = std::pair<std::filesystem::file_time_type, std::uintmax_t>;
    static std::mutex mutex;
    static std::map<std::string, std::pair<Changed, std::string>> known;
    const std::filesystem::path weights = std::filesystem::path(name_or_folder) / "model.safetensors";
    std::error_code ignored;
    const Changed changed{std::filesystem::last_write_time(weights, ignored),
                          std::filesystem::file_size(weights, ignored)};
    const std::lock_guard lock(mutex);
    const auto found = known.find(name_or_folder);
    if (found != known.end() && found->second.first == changed)
        return found->second.second;
    std::string hash = hash_of(name_or_folder, weights);
    known.insert_or_assign(name_or_folder, std::pair(changed, hash));
    return hash;
} catch (const Error&) {
    return {};  // whoever runs the model is told what is wrong with it
}

json written_by(const Session& session) {
    json written_by = {{"program", "headlight"}, {"version", program_version()}};
    if (std::string weights = session.model ? weights_hash(session.model->name) : ""; !weights.empty())
        written_by["weights"] = std::move(weights);
    return written_by;
}

std::string changed_weights_note(std::string_view text, const Session& session) {
    if (!session.model)
        return {};
    const JsonDocument document = parse_json(text);
    const auto written = document->find("written_by");
    if (written == document->end() || !written->is_object())
        return {};
    const auto weights = written->find("weights");
    if (weights == written->end() || !weights->is_string())
        return {};
    const std::string here = weights_hash(session.model->name);
    if (here.empty() || here == weights->get<std::string>())
        return {};
    return "It was drawn with other weights of the model " + excerpt(session.model->name) +
           " than are here now: its numbers may have been others.";
}

}  // namespace headlight
