#include "core/io/capture_parts.h"

#include "core/map/site_name.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <regex>
#include <set>
#include <utility>

namespace headlight {

namespace fs = std::filesystem;

namespace {

bool are_of_other_texts(const LabelledMaps& a, const LabelledMaps& b) {
    return !a.tokens.query.empty() && !b.tokens.query.empty() &&
           (a.tokens.query != b.tokens.query || a.tokens.key != b.tokens.key);
}

const LabelledMaps& same_maps(const CapturePart& part, const LabelledMaps& maps) {
    const auto same = std::ranges::find_if(part.capture.maps, [&](const LabelledMaps& candidate) {
        return candidate.name == maps.name &&
               (part.axis == JoinedMaps::Axis::layer || candidate.sites == maps.sites);
    });
    if (same == part.capture.maps.end())
        throw Error(
            {"join parts", "", "the array \"" + excerpt(maps.name) + "\" in every part", "one without it"});
    if (are_of_other_texts(*same, maps))
        throw Error({"join parts", "", "parts of one text, with the same tokens in each",
                     "one with other tokens: give each text a file of its own"});
    return *same;
}

/// The sites of layers one after another. Where two parts have the same layer each has counted its own.
std::vector<std::string> joined_sites(const std::vector<const LabelledMaps*>& parts) {
    std::vector<std::string> sites;
    Index count = 0;
    for (const LabelledMaps* part : parts)
        for (Index layer = 0; layer < part->maps->extents().layers; ++layer, ++count)
            sites.push_back(part->sites.empty() ? site_of(part->name, count) : site_at(*part, layer));
    if (std::set(sites.begin(), sites.end()).size() < sites.size())
        sites.clear();
    return sites;
}

}  // namespace

void Capture::add(LabelledMaps more, const std::string& read) {
    maps.push_back(std::move(more));
    say(read);
}

void Capture::say(const std::string& read) {
    if (reading.ends_with('.'))
        reading.back() = ';';
    reading += (reading.empty() ? "" : " ") + read + '.';
}

std::vector<fs::path> part_files(const fs::path& path) {
    static const std::regex pattern(R"((.*\.)([0-9]{1,4})-of-([0-9]{1,4})(\.[a-z]+))");
    const std::string name = path.filename().string();
    std::smatch match;
    if (!std::regex_match(name, match, pattern))
        return {path};
    const Index number = std::stol(match[2]), count = std::stol(match[3]);
    if (number < 1 || number > count)
        throw Error({"read capture", path.string(),
                     "a part from 1 to as many as there are, as in x.2-of-4.npz",
                     match[2].str() + "-of-" + match[3].str()});
    std::vector<fs::path> files;
    for (Index part = 1; part <= count; ++part)
        files.push_back(path.parent_path() / (match[1].str() + std::to_string(part) + "-of-" +
                                              std::to_string(count) + match[4].str()));
    return files;
}

Capture joined_parts(const std::vector<CapturePart>& parts) {
    const JoinedMaps::Axis axis = parts.front().axis;
    Capture whole = parts.front().capture;
    for (LabelledMaps& maps : whole.maps) {
        std::vector<const LabelledMaps*> all;
        std::vector<std::shared_ptr<const MapSource>> sources, values;
        for (const CapturePart& part : parts) {
            all.push_back(&same_maps(part, maps));
            sources.push_back(all.back()->maps);
            if (all.back()->values)
                values.push_back(all.back()->values);
        }
        if (!values.empty() && values.size() < parts.size())
            throw Error({"join parts", "", "values in every part, or in none", "a part without them"});
        if (axis == JoinedMaps::Axis::layer)
            maps.sites = joined_sites(all);
        maps.maps = std::make_shared<JoinedMaps>(std::move(sources), axis);
        if (!values.empty())
            maps.values = std::make_shared<JoinedMaps>(std::move(values), axis);
    }
    whole.reading = std::to_string(parts.size()) + " parts along " +
                    (axis == JoinedMaps::Axis::layer ? "layers" : "heads") + ", of the first " +
                    whole.reading;
    return whole;
}

}  // namespace headlight
