#include "ui/render/exporter.h"

#include "core/tensor/error.h"
#include "core/tensor/words.h"
#include "ui/render/exporter_declarations.h"

#include <QStringList>

#include <algorithm>
#include <cassert>
#include <vector>

namespace headlight {
namespace {

std::vector<Exporter> declared() {
    std::vector<Exporter> all;
    for (const Declaration<Exporter>& each : exporter_declarations())
        all.push_back(each.declare());
    std::ranges::sort(all, {}, &Exporter::order);
    return all;
}

std::vector<Exporter>& registry() {
    static std::vector<Exporter> all = declared();
    return all;
}

/// Returns a file name's extension, in small letters and without the dot.
std::string bare_extension(const std::filesystem::path& path) {
    return QString::fromStdString(path.extension().string()).mid(1).toLower().toStdString();
}

/// ".png" and its like.
std::vector<std::string> extensions_of(bool (*is_listed)(const Exporter&)) {
    std::vector<std::string> extensions;
    for (const Exporter& each : exporters())
        if (!is_listed || is_listed(each))
            extensions.push_back(std::string(".").append(each.format.extension()));
    return extensions;
}

const Exporter* find_exporter(const std::filesystem::path& path) {
    const std::string extension = bare_extension(path);
    const auto found = std::ranges::find_if(
        exporters(), [&](const Exporter& each) { return each.format.extension() == extension; });
    return found == exporters().end() ? nullptr : &*found;
}

}  // namespace

std::span<const Exporter> exporters() { return registry(); }

const Exporter& exporter(ExportFormat format) {
    const auto found = std::ranges::find(exporters(), format, &Exporter::format);
    assert(found != exporters().end());
    return *found;
}

void add_exporter(Exporter exporter) {
    registry().push_back(std::move(exporter));
    std::ranges::stable_sort(registry(), {}, &Exporter::order);
}

ExportFormat export_format(const std::filesystem::path& path) {
    if (const Exporter* found = find_exporter(path))
        return found->format;
    const std::string extension = bare_extension(path);
    throw Error({"export a figure", path.string(), "a name that ends in " + extension_list(),
                 extension.empty() ? "no extension" : "." + extension});
}

std::string extension_list(bool (*is_listed)(const Exporter&)) {
    return list_in_words(extensions_of(is_listed), "or");
}

QString name_patterns(bool (*is_listed)(const Exporter&)) {
    QStringList patterns;
    for (const std::string& extension : extensions_of(is_listed))
        patterns += QStringLiteral("*") + QString::fromStdString(extension);
    return patterns.join(QLatin1Char(' '));
}

bool carries_session(const Exporter& exporter) { return exporter.session_in; }

bool may_move(const Exporter& exporter) { return exporter.write_moving; }

bool may_carry_session(const std::filesystem::path& path) {
    const Exporter* found = find_exporter(path);
    return found && carries_session(*found);
}

}  // namespace headlight
