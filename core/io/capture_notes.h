#pragma once

#include "core/map/implied_maps.h"
#include "core/map/joined_maps.h"
#include "core/map/query_key_maps.h"

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
    /// `everywhere` of arrays that `by_name` has not. Where an axis goes on behind its labels, they are
    /// `padding`, unless it is empty.
    CaptureLabels(Axes everywhere, std::map<std::string, Axes> by_name, std::string padding = {})
        : everywhere_(std::move(everywhere)), by_name_(std::move(by_name)), padding_(std::move(padding)) {}

    /// Of the array of that name; no keys where they are the queries. Throws Error where a list is not as
    /// long as its axis.
    TokenLabels of(const std::string& name, const MapSource::Extents& extents) const;

private:
    void fill_up(std::vector<std::string>& labels, Index extent) const;

    Axes everywhere_;
    std::map<std::string, Axes> by_name_;
    std::string padding_;
};

/// What is said of the weights that a linear layer implies.
struct ImpliedNotes {
    ImpliedTerms terms;
    std::optional<Decay::Form> decay;  ///< of the array of that name; none where nothing fades
};

/// What stands beside the numbers of a capture.
struct CaptureNotes {
    CaptureLabels labels;
    std::optional<QueryKeyTerms> terms;     ///< of a capture of queries and keys
    std::optional<ImpliedNotes> implied{};  ///< in their place, of a linear layer
    JoinedMaps::Axis parts_along = JoinedMaps::Axis::head;
};

/// Throws Error with the JSON pointer; for a term, too, that Headlight does not know: the maps would be
/// another model's.
CaptureNotes parse_capture_notes(std::string_view text);

/// What X.json beside X.npz says, and X.tokens.json beside X.json; beside attention-N.json the tokens of
/// sequence N in dodrio's tokens_and_saliency.json. Nothing when there is no such file. Throws Error naming
/// it.
CaptureNotes notes_beside(const std::filesystem::path& capture);

}  // namespace headlight
