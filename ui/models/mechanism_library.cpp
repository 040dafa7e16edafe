#include "ui/models/mechanism_library.h"

#include "core/attention/component.h"
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

fs::path drafts_in(const fs::path& folder) { return folder / "drafts"; }

void write_to_folder(const fs::path& folder, const CustomMechanism& mechanism) {
    std::error_code already;
    fs::create_directories(folder, already);
    write_file_atomically(file_for(folder, mechanism.name), write_mechanism(mechanism));
}

void remove_from_folder(const fs::path& folder, const std::string& name) {
    std::error_code gone;
    fs::remove(file_for(folder, name), gone);
}

const CustomMechanism* mechanism_named(const std::vector<CustomMechanism>& list, const QString& name) {
    const auto found = std::ranges::find(list, name.toStdString(), &CustomMechanism::name);
    return found == list.end() ? nullptr : &*found;
}

}  // namespace

bool same_spec(const AttentionSpec& a, const AttentionSpec& b) {
    try {
        return a == b || complete_spec(a) == complete_spec(b);
    } catch (const Error&) {
        return false;
    }
}

MechanismLibrary::MechanismLibrary(fs::path folder, QObject* parent)
    : QObject(parent), folder_(std::move(folder)) {
    add("read the mechanisms",
        [this, place = folder_]() -> Job::Delivery { return [this, kept = read(place)] { take(kept); }; });
}

MechanismLibrary::Kept MechanismLibrary::read(const fs::path& folder) {
    return {read_folder(folder), read_folder(drafts_in(folder))};
}

void MechanismLibrary::add(const std::string& name, Job::Work work) {
    work_.add({name, std::move(work), [this](const Error& error) { emit problem(error); }});
}

const CustomMechanism* MechanismLibrary::find(const QString& name) const {
    return mechanism_named(kept_.saved, name);
}

bool MechanismLibrary::has(const CustomMechanism& mechanism) const {
    const CustomMechanism* saved = mechanism_named(kept_.saved, QString::fromStdString(mechanism.name));
    return saved && same_spec(saved->spec, mechanism.spec);
}

const CustomMechanism* MechanismLibrary::find_draft(const QString& name) const {
    return mechanism_named(kept_.drafts, name);
}

QString MechanismLibrary::free_name(const QString& name) const {
    QString free = name;
    for (int number = 2; keeps(free); ++number)
        free = QStringLiteral("%1 %2").arg(name).arg(number);
    return free;
}

void MechanismLibrary::save(const CustomMechanism& mechanism) {
    add("save the mechanism", [this, place = folder_, mechanism]() -> Job::Delivery {
        write_to_folder(place, mechanism);
        remove_from_folder(drafts_in(place), mechanism.name);
        return [this, kept = read(place), name = QString::fromStdString(mechanism.name)] {
            take(kept);
            emit saved(name);
        };
    });
}

void MechanismLibrary::keep_draft(const CustomMechanism& mechanism) {
    add("keep a draft", [this, place = folder_, mechanism]() -> Job::Delivery {
        write_to_folder(drafts_in(place), mechanism);
        return [this, kept = read(place)] { take(kept); };
    });
}

void MechanismLibrary::remove(const QString& name) {
    add("remove the mechanism", [this, place = folder_, name]() -> Job::Delivery {
        remove_from_folder(place, name.toStdString());
        remove_from_folder(drafts_in(place), name.toStdString());
        return [this, kept = read(place)] { take(kept); };
    });
}

void MechanismLibrary::take(Kept kept) {
    if (kept == kept_)
        return;
    kept_ = std::move(kept);
    emit changed();
}

}  // namespace headlight
