#pragma once

#include "core/figure/view_settings.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// What a panel draws that is no view of a trace.
enum class PanelSubject {
    view,
    beam,      ///< the texts that a beam search came by
    learning,  ///< loss and exact match of a training run
    costs,     ///< what runs of mechanisms take
};

/// Which curves of a training are drawn, a panel each.
enum class LearningCurves { both, loss, exact_match };

/// Which number a panel of costs draws, of a CostPoint.
enum class CostNumber { multiply_adds, map_bytes, seconds, bytes };

/// A panel of a figure of several, as its words ask for it.
struct PanelChoice {
    ViewSettings view;  ///< those of the figure, with what the words change
    PanelSubject shows = PanelSubject::view;
    std::string file;           ///< that it is drawn from; empty: from what the figure is drawn from
    std::string mechanism;      ///< in place of the session's; empty: that one
    bool is_untouched = false;  ///< without what a person changed inside a model, or of the other text
    std::string query;          ///< a token, or a number from 1; empty: the selected one
    /// What must be there: a script must never get the picture of another head.
    std::optional<Index> layer, head, step;
    std::vector<Index> steps;         ///< a panel for each
    std::vector<std::string> stages;  ///< likewise
    std::optional<std::string> title, subtitle;
    bool is_of_strip = false;  ///< one of the steps or stages: they stay in one row

    LearningCurves curves = LearningCurves::both;
    CostNumber cost = CostNumber::multiply_adds;
    Index tokens = 2048;        ///< of the last point of a panel of costs
    bool draws_pruned = false;  ///< of a beam: also the texts that were given up

    // Its place.
    bool starts_row = false;
    double height = 1,
           width = 1;   ///< of its row, and of what may be as wide as one likes, relative to others
    std::string over;   ///< Panel::over
    std::string share;  ///< panels with the same word have one scale and one bar
    bool has_bar = true;
};

/// A word of a panel, declared once: command line, files, help and docs have it from here.
struct PanelWord {
    std::string_view name;      ///< "x_title"; on the command line "x-title"
    std::string_view value;     ///< what stands for its value in the help: "TEXT"
    std::string_view help;      ///< without its full stop
    std::string_view expected;  ///< what a message says of its value
    /// False where the value is none.
    bool (*apply)(PanelChoice& choice, const std::string& value);
};

/// Every word, in the order of the help.
std::span<const PanelWord> panel_words();

/// "x-title=TEXT": a word as it is typed.
std::string as_typed(const PanelWord& word);

/// The words of view= that name no view: "beam", "learning", "costs".
std::vector<std::string> panel_subjects();

/// "view=lines head=2 x-title=\"a source\"": words separated by blanks, quoted where a value has any; yes
/// stands for itself, as in "new-row". Throws Error for a word that there is not, one given twice, and a
/// value that is none.
PanelWords parse_panel_words(std::string_view text);
/// The same as text, which comes back to the same words.
std::string panel_words_text(const PanelWords& words);

/// Throws Error that names the word.
void require_panel_words(const PanelWords& words);

/// What the words ask for: one panel, or as many as there are steps or stages in them. `figure` has what they
/// do not change. Throws Error as above.
std::vector<PanelChoice> panel_choices(const PanelWords& words, const ViewSettings& figure);

template <>
std::span<const Word<LearningCurves>> words();
template <>
std::span<const Word<CostNumber>> words();

}  // namespace headlight
