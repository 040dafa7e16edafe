#include "ui/views/figure_canvas.h"

#include "core/attention/thread_limit.h"
#include "core/figure/view.h"
#include "core/figure/words.h"
#include "core/io/shipped_models.h"
#include "ui/jobs/job.h"
#include "ui/models/document.h"
#include "ui/models/unread_text.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/canvas_marks.h"
#include "ui/views/cell_text.h"
#include "ui/views/comparison_text.h"
#include "ui/views/hover.h"
#include "ui/views/lasso_tool.h"
#include "ui/views/minimap_tool.h"
#include "ui/views/motion_clock.h"
#include "ui/views/pan_tool.h"
#include "ui/views/patch_tool.h"
#include "ui/views/select_tool.h"
#include "ui/views/selected_figure.h"
#include "ui/views/token_search.h"
#include "ui/views/weight_tool.h"

#include <QPainter>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace headlight {

using namespace std::chrono_literals;

FigureCanvas::FigureCanvas(Document& document, ViewKind view, QWidget* parent)
    : CanvasShell(parent), document_(document), hover_(HoverState::of(document)),
      motion_(MotionClock::of(document)), view_(view) {
    add_tool(std::make_unique<MinimapTool>(document.looking(), minimap_));
    weight_tool_ = &add_tool(std::make_unique<WeightTool>(*this));
    lasso_tool_ = &add_tool(std::make_unique<LassoTool>(*this));
    patch_tool_ = &add_tool(std::make_unique<PatchTool>(*this));
    add_tool(std::make_unique<SelectTool>(*this));
    pan_tool_ = &add_tool(std::make_unique<PanTool>(*this));  // last: it takes every press
    setAttribute(Qt::WA_OpaquePaintEvent);
    const auto show_another = [this] {
        refresh();
        if (isVisible())
            announce_figure(*this);
    };
    connect(&document_, &Document::run_changed, this, show_another);
    connect(&document_, &Document::error_changed, this, show_another);
    connect(&document_, &Document::session_changed, this, [this](const Session& before) {
        if (!(before.figure == document_.session().figure))
            refresh();
    });
    connect(&document_.looking(), &Looking::view_changed, this, [this](const ViewState& before) {
        refresh();
        says_motion_ = false;
        const ViewState& now = document_.view();
        if (isVisible() && !(before.selection == now.selection) && before.zoom == now.zoom)
            reveal_selection();
        // Whoever moved it: the player's keys do so, too, while the focus is here.
        if (hasFocus() && !same_place(before, now))
            announce_cell(*this);
    });
    connect(&document_.looking(), &Looking::zoom_changed, this, &FigureCanvas::refresh);
    connect(&document_, &Document::withheld_changed, this, &FigureCanvas::refresh);
    connect(&document_.looking(), &Looking::block_changed, this, &FigureCanvas::show_block);
    connect(&TileLoader::of(document_), &TileLoader::changed, this, [this] {
        if (shown_ && std::ranges::any_of(shown_->figure().panels,
                                          [](const Panel& panel) { return panel.large.has_value(); }))
            with_more_tiles_.start();
    });
    with_more_tiles_.setSingleShot(true);
    with_more_tiles_.setInterval(30ms);
    connect(&with_more_tiles_, &QTimer::timeout, this, &FigureCanvas::refresh);
    connect(&hover_, &HoverState::changed, this, qOverload<>(&QWidget::update));
    if (headlight::view(view_).moves) {
        connect(&motion_, &MotionClock::moved, this, &FigureCanvas::show_moment);
        connect(&motion_, &MotionClock::changed, this, [this] {
            if (shown_ && shown_->figure().motion.has_value() != shows_motion())
                refresh();
            update();
            say_moment();  // where it was paused, and at its end
        });
    }
    connect(&TokenSearch::of(document), &TokenSearch::changed, this, qOverload<>(&QWidget::update));
}

FigureCanvas::~FigureCanvas() = default;

void FigureCanvas::set_title_action(std::function<QString(const std::string&)> action) {
    title_action_ = std::move(action);
}

void FigureCanvas::set_filter(std::function<Figure(const Figure&)> filter) {
    filter_ = std::move(filter);
    refresh();
}

void FigureCanvas::refresh() {
    with_more_tiles_.stop();
    motion_painter_.reset();
    shown_.reset();
    lasso_tool_->forget();
    picture_.forget(*this);
    update();
}

double FigureCanvas::unit() const { return logicalDpiY() / 72.0; }

const ShownFigure* FigureCanvas::shown() const {
    if (shown_)
        return &*shown_;
    notice_.clear();
    try {
        const std::shared_ptr<const Figure> whole = document_.figure(view_);
        if (!whole || whole->panels.empty()) {
            notice_ = why_nothing_is_shown();
            return nullptr;
        }
        zoom_ = zoom_of(*whole, document_.view().zoom);
        // First the figure: what a filter has to say may stand under the picture and take room from it.
        Figure figure = with_selection(filter_ ? filter_(*whole) : *whole, *document_.run()->trace, seen());
        if (shows_motion())
            figure.motion.emplace();  // the still picture, and room for words
        shown_.emplace(std::move(figure), zoom_, QRectF(rect()), unit(), document_.session().figure.range);
        const Index lead = shown_->leading_panel(selection());
        QRectF above_notes(rect());
        if (const QRectF& notes = shown_->layout().caption; !notes.isEmpty())
            above_notes.setBottom(notes.top());
        if (shown_->is_windowed(lead))
            minimap_.show(whole, lead, zoom_, above_notes);
        else
            minimap_.hide();
        return &*shown_;
    } catch (...) {  // too large for the memory, too: nothing that is thrown ends the program
        notice_ = current_problem("draw " + headlight::view(view_).title);
        return nullptr;
    }
}

bool FigureCanvas::shows_motion() const {
    return headlight::view(view_).moves && document_.view().view == view_ && motion_.is_on();
}

void FigureCanvas::show_moment() {
    if (!shows_motion())
        return;
    if (motion_painter_) {
        update(motion_painter_->between(drawn_moment_, motion_.now()));
        drawn_moment_ = motion_.now();
    } else {
        update();
    }
    say_moment();
}

bool FigureCanvas::draws_selection() const {
    const std::optional<Overlay>& overlay = figure()->panels.front().overlay;
    if (!overlay)
        return view(view_).all_heads;
    const Selection& selection = document_.view().selection;
    return selection.query != selection.key && overlay->patches_look;
}

QString FigureCanvas::why_nothing_is_shown() const {
    if (const std::optional<Error>& error = document_.error()) {
        const auto& model = document_.session().model;
        const auto unread = model ? unread_text(*error, model->request, false) : std::nullopt;
        if (unread)
            return unread->problem;
        if (model && is_missing(model->name))
            return tr("The folder of this model is not there any more. Choose where it is now, or another "
                      "model, in the Model panel.");
        if (error->detail().got == "empty text")
            return tr("Type a %1: its picture appears here.")
                .arg(QString::fromStdString(error->detail().where));
        return QString::fromStdString(error->what());
    }
    const std::string missing = document_.lacks(view_);
    if (!missing.empty() && document_.run())
        return QString::fromStdString(missing) + QLatin1Char('.');
    if (const QString problem = document_.missing_figure(view_); !problem.isEmpty())
        return problem;
    return tr("The picture appears as soon as the first run has finished.");
}

ViewState FigureCanvas::seen() const {
    ViewState here = document_.view();
    here.view = view_;
    return here;
}

Selection FigureCanvas::selection() const {
    const std::shared_ptr<const Run> run = document_.run();
    return run ? shown_selection(*run->trace, seen()) : document_.view().selection;
}

const Zoom& FigureCanvas::zoom() const {
    shown();
    return zoom_;
}

QString FigureCanvas::notice() const {
    shown();  // it may not have been painted since it has nothing to show
    return notice_;
}

const Figure* FigureCanvas::figure() const {
    const ShownFigure* now = shown();
    return now ? &now->figure() : nullptr;
}

std::optional<CellPlace> FigureCanvas::place_at(QPointF point) const {
    const ShownFigure* now = shown();
    return now ? now->place_at(point) : std::nullopt;
}

QRectF FigureCanvas::cell_rect(Index panel, Index row, Index column) const {
    const ShownFigure* now = shown();
    return now && panel < now->panel_count() ? now->cell_rect(panel, row, column) : QRectF();
}

QRectF FigureCanvas::notes() const {
    const ShownFigure* now = shown();
    return now ? now->layout().caption : QRectF();
}

std::optional<CellPlace> FigureCanvas::current_place() const {
    const ShownFigure* now = shown();
    const std::shared_ptr<const Run> run = document_.run();
    if (!now || !run)
        return std::nullopt;
    Selection selection = this->selection();
    const Panel& panel = now->panel(now->leading_panel(selection));
    if (!panel.stage.empty()) {  // else its cells are of no stage: products, axes that are dealt another way
        selection.site = panel.site;
        selection.stage = panel.stage;
    }
    if (!panel.head_title.empty())  // the selected head may be none of those that are drawn
        selection.head = panel.head;
    return selected_place(*run->trace, selection);
}

QRectF FigureCanvas::current_rect() const {
    const auto place = current_place();
    if (!place)
        return {};
    if (const auto part = lit_part())
        return area_of(*part);
    const Index lead = shown()->leading_panel(selection());
    return has_cells_of_stage(shown()->panel(lead)) ? shown()->place_rect(lead, *place) : QRectF();
}

std::optional<double> FigureCanvas::current_number() const {
    const auto place = current_place();
    if (!place)
        return std::nullopt;
    const Trace& trace = *document_.run()->trace;
    const auto drawn =
        drawn_weight(trace, *place, drawn_lens(document_.view().view, document_.session().figure));
    return drawn ? drawn : number_at(trace, *place, selection());
}

ColourScale FigureCanvas::current_scale() const {
    const ShownFigure* now = shown();
    return now ? now->panel(now->leading_panel(selection())).scale : ColourScale();
}

QRectF FigureCanvas::rect_of(const CellPlace& place) const {
    const ShownFigure* now = shown();
    for (Index panel = 0; now && panel < now->panel_count(); ++panel)
        if (const Panel& each = now->panel(panel); each.site == place.site && each.stage == place.stage &&
                                                   each.head == place.head && !each.thumbnail)
            return now->place_rect(panel, place);
    return {};
}

QStringList FigureCanvas::block_words() const { return lasso_tool_->words(); }

void FigureCanvas::show_block() {
    lasso_tool_->forget();
    update();
    if (hasFocus() && !is_held())
        announce_cell(*this);
}

std::vector<TileLoader::Wanted> FigureCanvas::lacking_tiles() const {
    std::vector<TileLoader::Wanted> lacking;
    const double ratio = devicePixelRatioF();
    const auto pixels = [ratio](double from, double to) {
        return static_cast<Index>(std::round(to * ratio) - std::round(from * ratio));
    };
    for (Index index = 0; index < shown()->panel_count(); ++index) {
        const Panel& panel = shown()->panel(index);
        if (!panel.large)
            continue;
        const QRectF& cells = shown()->panel_layout(index).cells;
        for (const WantedTile& tile :
             wanted_tiles(*panel.large, panel.rows, panel.columns, pixels(cells.top(), cells.bottom()),
                          pixels(cells.left(), cells.right())))
            lacking.push_back({*panel.large, tile});
    }
    return lacking;
}

// Painting

void FigureCanvas::paintEvent(QPaintEvent*) {
    // Threads that share a core with who makes tiles are waited for longer than they save.
    const ThreadLimit shared = ThreadLimit::leaving(TileLoader::of(document_).is_making() ? 1 : 0);
    QPainter painter(this);
    const ShownFigure* now = shown();
    if (!now) {
        paint_notice(painter, rect(), palette(), notice_);
        return;
    }
    picture_.draw(painter, *this, now->figure(), now->fitted());
    if (now->figure().motion) {
        if (!motion_painter_)
            motion_painter_.emplace(now->figure(), now->layout(), now->unit());
        drawn_moment_ = motion_.now();
        motion_painter_->paint(painter, drawn_moment_);
    }
    if (document_.error())
        paint_stale(painter, rect(), palette());
    painter.setRenderHint(QPainter::Antialiasing);
    if (const auto run = document_.run()) {
        const TokenSearch& search = TokenSearch::of(document_);
        if (search.count() > 0)
            paint_found(painter, *now, *run->trace, document_.view().selection.site, search,
                        palette().color(QPalette::Highlight));
        if (const auto selected = draws_selection() ? current_place() : std::nullopt)
            paint_place(painter, *now, *run->trace, *selected, palette().color(QPalette::Highlight));
        if (hover_.place())
            paint_place(painter, *now, *run->trace, *hover_.place(), Qt::black);
    }
    paint_tools(painter);
    if (auto lacking = lacking_tiles(); !lacking.empty()) {
        TileLoader& loader = TileLoader::of(document_);
        const auto is_overview = [](const TileLoader::Wanted& each) {
            return each.tile.level >= each.map.tiles->levels().overview();
        };
        if (!loader.refusal().isEmpty())
            paint_remark(painter, rect(), palette(), loader.refusal());
        else if (std::ranges::any_of(lacking, is_overview))  // finer ones are there in a moment
            paint_remark(painter, rect(), palette(), tr("Reading the map …"));
        loader.set_wanted(this, std::move(lacking));
    }
    minimap_.paint(painter, palette());
    if (!zoom_.is_whole())
        paint_zoom(painter, rect(), palette(), zoom_);
    const bool is_alone = window()->isFullScreen();  // nothing else could have the focus
    if (hasFocus() && shows_focus_ && !is_alone) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
    }
}

}  // namespace headlight
