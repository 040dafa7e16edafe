#include "ui/models/mechanism_library.h"

#include "core/io/files.h"

#include <algorithm>
#include <cctype>

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 500;
constexpr std::size_t largest_mechanism = 8 << 20;  // a drawn mask of 512 x 512 is half a megabyte

std::vector<CustomMechanism> read_folder(const fs::path& folder) {
    std::vector<CustomMechanism> list;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
        if (list.size() == most_files)
            break;
        if (extension_of(entry.path()) != ".json")
            continue;
        try {
            list.push_back(parse_mechanism(read_file(entry.path(), largest_mechanism)));
        } catch (const Error&) {
            continue;
        }
    }
    std::ranges::sort(list, {}, &CustomMechanism::name);
    return list;
}

/// "Sparse causal" as "Sparse_causal-1f2e3d4c.json": readable, and another one for another name.
fs::path file_for(const fs::path& folder, const std::string& name) {
    constexpr std::size_t readable = 40;
    std::string stem;
    std::uint32_t hash = 2166136261U;  // FNV-1a
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        hash = (hash ^ byte) * 16777619U;
        if (stem.size() < readable)
            stem += byte < 0x80 && std::isalnum(byte) ? c : '_';
    }
    return folder / (stem + '-' + QString::number(hash, 16).toStdString() + ".json");
}

}  // namespace

MechanismLibrary::MechanismLibrary(fs::path folder, QObject* parent)
    : QObject(parent), folder_(std::move(folder)) {
    add("read the mechanisms", [this, place = folder_]() -> Job::Delivery {
        return [this, list = read_folder(place)] { take(list); };
    });
}

void MechanismLibrary::add(const std::string& name, Job::Work work) {
    work_.add({name, std::move(work), [this](const Error& error) { emit problem(error); }});
}

const CustomMechanism* MechanismLibrary::find(const QString& name) const {
    const auto found = std::ranges::find(list_, name.toStdString(), &CustomMechanism::name);
    return found == list_.end() ? nullptr : &*found;
}

void MechanismLibrary::save(const CustomMechanism& mechanism) {
    add("save the mechanism", [this, place = folder_, mechanism]() -> Job::Delivery {
        std::error_code already;
        fs::create_directories(place, already);
        write_file_atomically(file_for(place, mechanism.name), write_mechanism(mechanism));
        return [this, list = read_folder(place), name = QString::fromStdString(mechanism.name)] {
            take(list);
            emit saved(name);
        };
    });
}

void MechanismLibrary::remove(const QString& name) {
    add("remove the mechanism", [this, place = folder_, name]() -> Job::Delivery {
        std::error_code gone;
        fs::remove(file_for(place, name.toStdString()), gone);
        return [this, list = read_folder(place)] { take(list); };
    });
}

void MechanismLibrary::take(std::vector<CustomMechanism> list) {
    if (list == list_)
        return;
    list_ = std::move(list);
    emit changed();
}

}  // namespace headlight
