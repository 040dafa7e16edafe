#pragma once

#include "core/attention/trace.h"
#include "core/map/map_source.h"

#include <memory>
#include <string>
#include <vector>

namespace headlight {

/// A trace, and what it is compared with, cell by cell.
struct ComparedTraces {
    Trace trace;
    std::shared_ptr<const Trace> other;  ///< null where it is compared with nothing
    std::string reading{};               ///< of captures: what was made of their files (Capture::reading)
};

/// Maps, and what the text, model or file is called that they are of.
struct NamedMaps {
    std::string name;
    std::vector<LabelledMaps> maps;
};

/// The maps of both on the tokens that both have (aligned()). No two names are alike in what is returned.
/// Throws Error where there is nothing to compare, and when the maps take more memory than there may be.
ComparedTraces compared_traces(const NamedMaps& first, const NamedMaps& second);

/// The first trace as it is, with every stage. The second, too, where each token of the one stands for one of
/// the other; else its weights, in the places of the first one's tokens (spread()).
ComparedTraces compared_traces(Trace first, Trace second);

/// The first maps on the tokens that both have, each with the second beside it, and AlignedMaps::left_out.
struct ComparedMaps {
    std::vector<LabelledMaps> maps;
    std::string left_out;
};
ComparedMaps compared_maps(const std::vector<LabelledMaps>& first, const std::vector<LabelledMaps>& second);

}  // namespace headlight
