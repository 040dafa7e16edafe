#pragma once

#include "core/io/capture_axes.h"
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

    bool is_empty() const { return everywhere_.query.empty() && everywhere_.key.empty() && by_name_.empty(); }
    /// Returns the labels of the array of that name, which is "encoder", "decoder", "cross" or of no such
    /// kind; no keys where they are the queries. Throws Error where a list is not as long as its axis.
    TokenLabels of(const std::string& name, const std::string& kind, const MapSource::Extents& extents) const;

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

/// The numbers in the model, from 0, of the layers that were captured: of each array by its name, or of all.
struct LayerNumbers {
    std::vector<Index> everywhere;  ///< empty where nobody said
    std::map<std::string, std::vector<Index>> by_name;

    /// Returns the numbers of the layers of the array of that name; empty where nobody said. Throws Error
    /// unless there is one for each of `layers`.
    const std::vector<Index>& of(const std::string& name, Index layers) const;
};

/// What stands beside the numbers of a capture.
struct CaptureNotes {
    CaptureLabels labels;
    AxesNotes axes{};
    LayerNumbers layers{};
    std::optional<QueryKeyTerms> terms{};   ///< of a capture of queries and keys
    std::optional<ImpliedNotes> implied{};  ///< in their place, of a linear layer
    JoinedMaps::Axis parts_along = JoinedMaps::Axis::head;
};

/// A list is the tokens alone. Throws Error with the JSON pointer; for a term, too, that Headlight does not
/// know: the maps would be another model's.
CaptureNotes parse_capture_notes(std::string_view text);

/// What X.json beside X.npz says, and X.tokens.json beside X.json; beside attention-N.json the tokens of
/// sequence N in dodrio's tokens_and_saliency.json. Nothing when there is no such file. Throws Error naming
/// it.
CaptureNotes notes_beside(const std::filesystem::path& capture);

/// The file that notes_beside() reads if it is there: X.json, of X.json X.tokens.json.
std::filesystem::path notes_file(const std::filesystem::path& capture);

}  // namespace headlight
