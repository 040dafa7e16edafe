#pragma once

#include "core/analysis/token_units.h"
#include "core/attention/trace.h"
#include "core/figure/curve_figures.h"
#include "core/figure/figure.h"
#include "core/io/compared_run.h"
#include "core/io/session.h"
#include "core/map/weight_lens.h"
#include "core/model/transcript.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// What a figure is drawn from.
struct FigureSource {
    std::shared_ptr<const Trace> trace;      ///< null for a training alone
    Comparison comparison;                   ///< of a session that compares mechanisms
    std::shared_ptr<const Trace> untouched;  ///< what this is compared with, map by map (Run::untouched)
    std::shared_ptr<const Trace> before{};   ///< a changed model's run before, where it said something else
    std::shared_ptr<const Transcript> said;  ///< by a model; null where none spoke just now
    std::vector<LearningRun> learning;       ///< trainings that were watched
    /// The session's, or the heatmap of the weights. Of a capture its query is last_row, for which
    /// opening_query() of the site stands; of a model's trace the last one.
    ViewSettings view;
    FigureTheme theme = FigureTheme::paper;  ///< unless another is asked for: that of a figure drawn again
    std::string random_weights;              ///< of parameters that nobody gave (drawn_weights.h)
    std::optional<Session> session;          ///< what the figure then carries
    std::string reading{};                   ///< of a capture: what was made of its file (Capture::reading)
    std::string changed_data{};              ///< changed_data_note() of its file (written_by.h)
};

/// How the maps of a file are read.
struct AskedMaps {
    std::optional<std::string> other, other_text;  ///< what they are compared with: one of the two
    TokenUnit unit = TokenUnit::token;
    std::optional<TokenSpelling> spelling = {};  ///< the file's own way, or text, where nobody asks
    std::optional<DrawnWeights> weights;  ///< what stands for the weights, where something is asked for

    bool are_compared() const { return other || other_text; }
    bool are_plain() const { return !are_compared() && unit == TokenUnit::token; }
};

/// What a session shows once it has run. Throws Error where it cannot run.
FigureSource source_of(Session session);

/// Reads what a panel is drawn from in a file of its own, for a view. Throws Error.
using OpenSource = std::function<FigureSource(const std::string& file, ViewKind view)>;

/// The files that the word `file` of a panel names, which are separated by semicolons; and these by their
/// whole paths from a folder, the current one if it is empty, so that a figure finds them from anywhere.
std::vector<std::string> panel_files(const std::string& word);
std::string whole_paths(const std::string& word, const std::filesystem::path& folder = {});

/// The figure as its view makes it, with what the source knows of it and without its options.
Figure plain_figure(const FigureSource& source, const ViewSettings& view);

/// What was refused, in an Error of a panel whose words ask for what is not there.
inline constexpr const char* draw_panel = "draw a panel";

/// The figure of those settings: of its one view, or of its panels, with all options applied and all numbers
/// of large maps read. `open` is asked once for each file and view. Throws Error that names the panel where
/// one cannot be drawn.
Figure figure_of(const FigureSource& source, const ViewSettings& view, const OpenSource& open = {});

}  // namespace headlight
