#include "ui/models/run_figure.h"

#include "core/figure/apply_options.h"
#include "core/figure/build_figure.h"
#include "core/figure/comparison.h"
#include "core/figure/fit_scales.h"
#include "core/figure/view.h"
#include "core/io/drawn_weights.h"
#include "core/io/figure_source.h"
#include "core/io/seen_picture.h"
#include "ui/render/figure_file.h"

namespace headlight {

Figure build_run_figure(const Run& run, const ViewSettings& settings,
                        const std::shared_ptr<const HeadOverview>& overview) {
    const PatchedPicture image = seen_picture(*run.session, run.transcript.get());
    Figure figure = run.untouched && !overview
                        ? build_changed_figure(*run.trace, *run.untouched, settings, image)
                        : build_figure(*run.trace, settings, image, overview);
    const bool are_compared = view(settings.view).all_sites && !run.comparison.empty();
    if (view(settings.view).all_sites)
        complete_comparison(figure, run.comparison, settings.selection.head);
    caption_random_weights(figure, are_compared ? random_weights_note(*run.session, run.comparison)
                                                : run.random_weights);
    apply_options(figure, settings);
    return figure;
}

namespace {

FigureSource source_of(const Run& run, const ViewSettings& view) {
    FigureSource source;
    source.trace = run.trace;
    source.comparison = run.comparison;
    source.untouched = run.untouched;
    source.before = run.before;
    source.said = run.transcript;
    source.view = view;
    source.random_weights = run.random_weights;
    source.session = *run.session;
    return source;
}

Figure composed_run_figure(const Run& run, const ViewSettings& settings) {
    return figure_of(source_of(run, settings), settings,
                     [](const std::string& file, ViewKind view) { return read_figure_file(file, view); });
}

}  // namespace

std::shared_ptr<const Figure> build_exported_figure(const Run& run, const Session& shown,
                                                    std::optional<ViewKind> view, FigureTheme theme,
                                                    const std::optional<ExportOptions>& size) {
    ViewSettings settings = view_settings(shown);
    settings.theme = theme;
    if (view) {
        settings.view = *view;
        settings.options.panels.clear();  // a file with them would be drawn as them again
    }
    auto figure =
        std::make_shared<Figure>(view ? build_run_figure(run, settings) : composed_run_figure(run, settings));
    figure->shows_focus = false;
    if (view)
        complete_large_maps(*figure, settings.range);
    // The session that made these numbers: the current one may be one that cannot run.
    Session carried = *run.session;
    carried.figure = settings;
    carried.view = in_view(shown.view, settings.view);
    carried.view.theme = theme;
    carried.exported = size;
    figure->session = write_session(carried);
    return figure;
}

}  // namespace headlight
