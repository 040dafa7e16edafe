#pragma once

#include "core/figure/figure.h"
#include "core/figure/view_settings.h"
#include "core/image/patches.h"
#include "core/tensor/words.h"

#include <optional>
#include <span>
#include <string>

namespace headlight {

class PanelMaker;

/// What is there to be looked at, as far as a view may ask.
struct ViewSubject {
    bool runs_mechanism = true;  ///< and not a model, or one whose maps were captured
    bool has_image = false;
    /// At some site; false where weights were captured alone. Before a run has finished nobody knows.
    bool has_queries_and_keys = true;
};

/// A way to look at a trace, declared once, in a file of entries/. Its tab, menu entry and key, its words on
/// the command line and in session files, how the mouse and the player behave in it: all follow from this.
struct View {
    ViewKind kind;
    int order = 0;        ///< of keys, in menus and lists; of tabs, after that of the main ones
    std::string title{};  ///< "Heads": the tab
    std::string shows{};  ///< one sentence without its full stop, for tooltips, help and docs
    /// What most people look for: its tab is always there, that of another only while it is shown.
    bool is_main = false;

    /// Which of the stages it can show. While another one is selected it shows the weights.
    enum class Stages {
        all,      ///< every stage worth a picture
        maps,     ///< those with a row per query and a column per key
        weights,  ///< no other
        patches,  ///< those with a number for each patch of the image
    };
    Stages stages = Stages::maps;
    bool all_heads = false;  ///< side by side; a click enlarges one
    /// It draws one head, or those of FigureOptions::heads over one another.
    bool overlays_heads = false;
    /// Every compared mechanism side by side, or every site of a model. Any other view of a mechanism shows
    /// the session's own: one is current, the others stand beside it in the comparison.
    bool all_sites = false;
    /// It draws what is known of every head (HeadOverview), which takes longer than a frame to make: the
    /// window makes that on a worker, once for all such views.
    bool reads_every_head = false;
    /// Maps of any size, in tiles; of more than LazyMaps::most_kept numbers another view draws none.
    bool draws_large_maps = false;
    /// Whether it draws, of larger maps, the tokens around the selected one; else it draws as tiles what it
    /// can: whole ones as long as somebody has them in memory.
    bool draws_pages = false;
    /// One map may stand for those of all heads or layers (WeightLens::pooled, pooled_layers): not beside the
    /// arithmetic of a head.
    bool pools_heads = true;
    /// Above it stands the formula of the part in view of a model, too; otherwise a mechanism's alone.
    bool says_formula_of_part = false;
    bool chooses_axes = false;       ///< a person says which axes of a stage are its rows and columns
    bool rows_arrive = false;        ///< up to the decoding step; later rows are not there yet
    bool hatches_forbidden = false;  ///< in every stage, also before the mask has come
    bool shows_difference = false;   ///< of a model that was changed inside, changed − untouched
    bool moves = false;              ///< its picture can show how a stage is computed (Motion)
    /// What the player walks through. Where the view leaves it open: the steps of a model, else the heads.
    std::optional<PlayMode> plays{};
    std::optional<PlayMode> plays_of_model{};  ///< the same of a model, where that is another

    /// What there has to be before this can be shown: words to show in its place; empty if all is there.
    std::string (*lacks)(const ViewSubject&) = nullptr;
    /// Fills the panels, columns and title of a figure that has the trace's title. `image` is what the tokens
    /// are patches of, if they are. Throws Error when the trace has no stage that the view needs.
    void (*build)(const PanelMaker& maker, const PatchedPicture& image, Figure& figure) = nullptr;

    /// Whether one head is chosen above it, where there are several.
    bool chooses_one_head() const { return !all_heads; }
    /// Whether one map in place of those of all layers is.
    bool chooses_layers() const { return pools_heads && !all_sites && !reads_every_head; }
    /// Whether a person can say which heads it draws.
    bool chooses_heads() const { return all_heads || overlays_heads; }
    /// Whether it draws, of maps beside others, both of them, their difference, or how much each head
    /// changes.
    bool draws_counterpart() const { return shows_difference || all_sites || reads_every_head; }
};

/// Every view, by order.
std::span<const View> views();
/// The declaration of a view; `kind` is one of views().
const View& view(ViewKind kind);

/// What was refused, in an Error of a view that needs what the trace has not.
inline constexpr const char* draw_over_image = "draw over an image";
inline constexpr const char* draw_queries_and_keys = "draw queries and keys";

/// How a view draws weights.
WeightLens drawn_lens(ViewKind kind, const FigureSettings& figure);
/// What a picture of one map in place of those of all heads, or layers, needs, and what it would be of.
struct PoolingMismatch {
    std::string expected, got;
};
/// Nothing where there is such a picture, or none is asked for.
std::optional<PoolingMismatch> pooling_mismatch(const ViewSettings& settings);

/// One more view from now on; its word must be new. For programs and tests that bring views of their own, at
/// their start: pointers and spans from before are no longer valid, and no other thread may be looking.
void add_view(View view);

/// Why `kind` cannot show `subject`, in words; empty if it can.
std::string missing_for(ViewKind kind, const ViewSubject& subject);

template <>
std::span<const Word<ViewKind>> words();

}  // namespace headlight
