#pragma once

#include "core/map/map_source.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// What the axes of captured arrays are called.
class CaptureLabels {
public:
    struct Axes {
        std::vector<std::string> query, key;
    };
    CaptureLabels() = default;
    /// `everywhere` of arrays that `by_name` has not.
    CaptureLabels(Axes everywhere, std::map<std::string, Axes> by_name)
        : everywhere_(std::move(everywhere)), by_name_(std::move(by_name)) {}

    /// Of the array of that name; no keys where they are the queries. Throws Error where a list is not as
    /// long as its axis.
    TokenLabels of(const std::string& name, const MapSource::Extents& extents) const;

private:
    Axes everywhere_;
    std::map<std::string, Axes> by_name_;
};

/// Throws Error with the JSON pointer.
CaptureLabels parse_capture_labels(std::string_view text);

/// Those that X.json beside X.npz has; none when there is no such file. Throws Error naming it.
CaptureLabels labels_beside(const std::filesystem::path& capture);

}  // namespace headlight
