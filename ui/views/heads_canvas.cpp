#include "ui/views/heads_canvas.h"

#include "core/figure/view.h"
#include "core/map/site_name.h"
#include "core/tensor/error.h"
#include "core/workbench/capture_edits.h"
#include "ui/actions/context_menu.h"
#include "ui/jobs/job.h"
#include "ui/models/document.h"
#include "ui/models/head_overviews.h"
#include "ui/models/run_figure.h"
#include "ui/render/figure_style.h"
#include "ui/views/brush_tool.h"
#include "ui/views/canvas_marks.h"
#include "ui/views/compare_menu.h"
#include "ui/views/copy_menu.h"
#include "ui/views/head_tool.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

HeadsCanvas::HeadsCanvas(Document& document, ViewKind kind, QWidget* parent)
    : CanvasShell(parent), document_(document), overviews_(HeadOverviews::of(document)),
      brush_(HeadBrush::of(document)), kind_(kind),
      // A brush that begins would paint thousands of points anew.
      picture_(kind == ViewKind::scatter ? KeptPicture::Keep::at_the_first_look
                                         : KeptPicture::Keep::at_the_second_look) {
    setAccessibleName(QString::fromStdString(view(kind).title));
    setAttribute(Qt::WA_OpaquePaintEvent);
    add_tool(std::make_unique<BrushTool>(*this));
    add_tool(std::make_unique<HeadTool>(*this));
    connect(&overviews_, &HeadOverviews::changed, this, &HeadsCanvas::build);
    connect(&brush_, &HeadBrush::changed, this, qOverload<>(&QWidget::update));
    connect(&document_, &Document::error_changed, this, qOverload<>(&QWidget::update));
    connect(&document_, &Document::withheld_changed, this, &HeadsCanvas::build);
    connect(&document_, &Document::session_changed, this, [this](const Session& before) {
        if (!(before.figure == document_.session().figure))
            build();
    });
    connect(&document_.looking(), &Looking::view_changed, this, [this](const ViewState& before) {
        const ViewState& now = document_.view();
        if (before.heads != now.heads || before.theme != now.theme)
            build();
        if (before.selection == now.selection)
            return;
        update();
        emit mark_changed();
        if (hasFocus())
            announce_cell(*this);
    });
}

QString HeadsCanvas::notice() const {
    if (!refusal_.isEmpty())
        return refusal_;
    if (!overviews_.refusal().isEmpty())
        return overviews_.refusal();
    if (overviews_.is_running())
        return tr("Looking at every head…");
    if (const std::optional<Error>& error = document_.error())
        return QString::fromStdString(error->what());
    return tr("The picture appears as soon as the first run has finished.");
}

// Made when it is on screen, so that views that nobody looks at cost nothing.

void HeadsCanvas::showEvent(QShowEvent* event) {
    CanvasShell::showEvent(event);
    overviews_.set_wanted(this, true);
    build();
}

void HeadsCanvas::hideEvent(QHideEvent* event) {
    CanvasShell::hideEvent(event);
    overviews_.set_wanted(this, false);
}

void HeadsCanvas::build() {
    if (!isVisible())
        return;
    figure_.reset();
    refusal_.clear();
    hovered_.reset();
    let_go();
    const std::shared_ptr<const HeadOverview>& overview = overviews_.overview();
    if (document_.asked() && *document_.asked() != kind_) {
        refusal_ = tr("Hidden until you answer.");
    } else if (overview) {
        try {
            ViewSettings settings = view_settings(document_.session());
            settings.view = kind_;
            figure_ = build_run_figure(*overviews_.run(), settings, overview);
        } catch (...) {  // too large for the memory, too: nothing that is thrown ends the program
            refusal_ = current_problem("draw " + view(kind_).title);
        }
    }
    lay_out();
    emit mark_changed();
    announce_figure(*this);
}

void HeadsCanvas::lay_out() {
    picture_.forget(*this);
    if (figure_)
        fitted_ = fit_layout(*figure_, QRectF(rect()), logicalDpiY() / 72.0);
    update();
}

// Marks

std::optional<std::size_t> HeadsCanvas::mark_under(QPointF point) const {
    return figure_ ? mark_at(panel(), fitted_.layout.panels.front(), point) : std::nullopt;
}

std::optional<std::size_t> HeadsCanvas::selected_mark() const {
    if (!figure_)
        return std::nullopt;
    Selection selection = document_.view().selection;
    if (are_of_tree()) {
        const CountedHeads& counted = *overviews_.run()->trace->counted_heads;
        selection.site = site_of("", counted.shown_layer);
        selection.head = counted.shown_head;
    }
    std::optional<std::size_t> of_head;
    for (std::size_t mark = 0; mark < marks().heads.size(); ++mark) {
        const HeadMarks::Head& head = marks().heads[mark];
        if (head.name.empty() || head.head != selection.head)
            continue;
        if (head.site == selection.site)
            return mark;
        of_head = of_head ? of_head : mark;
    }
    // Before anybody has chosen a place the first one is shown.
    return selection.site.empty() ? of_head : std::nullopt;
}

QRectF HeadsCanvas::mark_rect(std::size_t mark) const {
    if (!figure_)
        return {};
    const PanelLayout& place = fitted_.layout.panels.front();
    if (panel().kind == Panel::Kind::points) {
        const PointsPlot plot(marks(), place.plot);
        const double radius = plot.radius(fitted_.unit) + 1.5 * fitted_.unit;
        const QPointF middle = plot.place(mark);
        return {middle - QPointF(radius, radius), middle + QPointF(radius, radius)};
    }
    return mosaic_cell(panel(), place.cells, mark);
}

bool HeadsCanvas::are_of_tree() const {
    const std::shared_ptr<const Run>& run = overviews_.run();
    return kind_ == ViewKind::scatter && run && run->tree && run->trace->counted_heads;
}

std::string HeadsCanvas::file_of(std::size_t mark) const {
    const HeadMarks::Head& head = marks().heads[mark];
    const HeadVisTree& tree = *overviews_.run()->tree;
    const MapPlace place{parse_site(head.site).layer.value_or(0), head.head};
    const bool has_file = std::ranges::find(tree.heads, place) != tree.heads.end();
    return has_file ? headvis_head_file(tree, place).string() : std::string();
}

void HeadsCanvas::select(std::size_t mark) {
    const HeadMarks::Head head = marks().heads[mark];
    if (are_of_tree()) {
        if (std::string file = file_of(mark); !file.empty())
            document_.edit(look_at_captured_head(document_.session(), std::move(file), head.name));
        return;
    }
    Selection selection = document_.view().selection;
    selection.site = head.site;
    selection.head = head.head;
    document_.looking().select(selection);
}

void HeadsCanvas::show_map(std::size_t mark) {
    if (are_of_tree() && file_of(mark).empty())
        return;
    select(mark);
    document_.looking().look_at(in_view(document_.view(), ViewKind::heatmap));
}

std::optional<std::size_t> HeadsCanvas::neighbour(QPointF direction) const {
    const auto from = selected_mark();
    if (!from)
        return figure_ && !marks().heads.empty() ? std::optional<std::size_t>(0) : std::nullopt;
    const QPointF here = mark_rect(*from).center();
    std::optional<std::size_t> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t mark = 0; mark < marks().heads.size(); ++mark) {
        if (mark == *from || marks().heads[mark].name.empty())
            continue;
        const QPointF way = mark_rect(mark).center() - here;
        const double ahead = QPointF::dotProduct(way, direction);
        const double aside = std::abs(way.x() * direction.y() - way.y() * direction.x());
        // What lies more aside than ahead is in another direction.
        const double distance = ahead + 2 * aside;
        if (ahead > 0.5 && aside <= 1.5 * ahead && distance < least) {
            least = distance;
            best = mark;
        }
    }
    return best;
}

// What a screen reader hears

std::optional<AccessibleFigure::Cell> HeadsCanvas::current_cell() const {
    const auto mark = selected_mark();
    if (!mark)
        return std::nullopt;
    const auto at = static_cast<Index>(*mark);
    return Cell{0, at / marks_in_a_row(), at % marks_in_a_row()};
}

QString HeadsCanvas::sentence_of(const Cell& cell) const {
    return cell_in_words(panel(), cell.row, cell.column);
}

QRectF HeadsCanvas::current_rect() const {
    const auto mark = selected_mark();
    return mark ? mark_rect(*mark) : QRectF();
}

std::optional<double> HeadsCanvas::current_number() const {
    const auto mark = selected_mark();
    const bool is_known = mark && static_cast<Index>(*mark) < std::ssize(panel().values) &&
                          std::isfinite(panel().values[*mark]);
    return is_known ? std::optional(panel().values[*mark]) : std::nullopt;
}

ColourScale HeadsCanvas::current_scale() const { return figure_ ? panel().scale : ColourScale(); }

QRectF HeadsCanvas::panel_area(Index index) const {
    return fitted_.layout.panels[static_cast<std::size_t>(index)].frame;
}

void HeadsCanvas::choose_cell(const Cell& cell) {
    if (!marks().heads[mark_of(cell)].name.empty())
        select(mark_of(cell));
}

// What a person does

void HeadsCanvas::hover(QPointF point) {
    const auto mark = mark_under(point);
    setCursor(mark ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (mark == hovered_)
        return;
    hovered_ = mark;
    update();
    emit mark_changed();
}

void HeadsCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto mark = mark_under(event->position()); mark && event->button() == Qt::LeftButton)
        show_map(*mark);
}

void HeadsCanvas::leaveEvent(QEvent*) {
    hovered_.reset();
    update();
    emit mark_changed();
}

void HeadsCanvas::contextMenuEvent(QContextMenuEvent* event) {
    const bool by_keyboard = event->reason() == QContextMenuEvent::Keyboard;
    const auto mark = by_keyboard ? selected_mark() : mark_under(event->pos());
    if (!mark)
        return CanvasShell::contextMenuEvent(event);
    std::unique_ptr<ContextMenu> menu = menu_of(*mark);
    // Its heads are those of this run.
    connect(&document_, &Document::run_changed, menu.get(), &QMenu::close);
    run_menu(std::move(menu),
             by_keyboard ? mapToGlobal(mark_rect(*mark).center().toPoint()) : event->globalPos());
}

std::unique_ptr<ContextMenu> HeadsCanvas::menu_here() {
    const auto mark = selected_mark();
    return mark ? menu_of(*mark) : nullptr;
}

std::unique_ptr<ContextMenu> HeadsCanvas::menu_of(std::size_t mark) {
    const HeadMarks::Head head = marks().heads[mark];
    auto menu = std::make_unique<ContextMenu>(QStringLiteral("over_head"), this);
    connect(&menu->offer(QStringLiteral("show_map")), &QAction::triggered, this,
            [this, mark] { show_map(mark); });
    const auto at = static_cast<Index>(mark);
    const bool are_points = panel().kind == Panel::Kind::points;
    if (mark < panel().values.size())
        connect(&menu->offer(QStringLiteral("copy_number")), &QAction::triggered, this,
                [number = panel_numbers_text(panel(), are_points ? at : at / panel().columns,
                                             are_points ? 0 : at % panel().columns)] {
                    QGuiApplication::clipboard()->setText(number);
                });
    if (!are_of_tree()) {
        const Stage* map = overviews_.run()->trace->find("weights", head.site);
        const auto numbers =
            map ? MapBlock{0, map->extent(Axis::query), 0, map->extent(Axis::key)}.size() : 0;
        connect(&add_table_action(*menu, "copy_map", numbers), &QAction::triggered, this,
                [this, head] { copy_map(head); });
        add_compare_actions(*menu, document_, {head.site, head.head});
    }
    return menu;
}

void HeadsCanvas::copy_map(const HeadMarks::Head& head) {
    ViewSettings settings = view_settings(document_.session());
    settings.view = ViewKind::heatmap;
    settings.selection.site = head.site;
    settings.selection.head = head.head;
    settings.selection.stage = "weights";
    settings.options = {};  // all of it, as it is called
    copying_.start_in_step(
        "copy a map",
        [run = overviews_.run(), settings](const Cancellation&) -> Job::Delivery {
            const Panel map = build_run_figure(*run, settings).panels.front();
            return [table = cells_table(map, {0, map.rows, 0, map.columns})] {
                QGuiApplication::clipboard()->setText(table);
            };
        },
        [this](const Error& error) { emit copy_refused(QString::fromStdString(error.what())); });
}

void HeadsCanvas::brush(const QRectF& area) {
    const PointsPlot plot(marks(), fitted_.layout.panels.front().plot);
    std::set<HeadBrush::Head> heads;
    for (std::size_t mark = 0; mark < marks().heads.size(); ++mark)
        if (area.contains(plot.place(mark)))
            heads.emplace(marks().heads[mark].site, marks().heads[mark].head);
    brush_.set(std::move(heads));
}

// Painting

void HeadsCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!figure_) {
        paint_notice(painter, rect(), palette(), notice());
        return;
    }
    picture_.draw(painter, *this, *figure_, fitted_);
    if (document_.error())
        paint_stale(painter, rect(), palette());
    paint_over(painter);
}

void HeadsCanvas::paint_over(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const bool are_points = panel().kind == Panel::Kind::points;
    QColor veil = figure_style(figure_->theme).background.lightness() < 128 ? Qt::black : Qt::white;
    veil.setAlphaF(0.75f);
    for (std::size_t mark = 0; !brush_.heads().empty() && mark < marks().heads.size(); ++mark)
        if (!marks().heads[mark].name.empty() &&
            brush_.steps_back({marks().heads[mark].site, marks().heads[mark].head})) {
            const QRectF place = mark_rect(mark).adjusted(-0.5, -0.5, 0.5, 0.5);
            painter.setPen(Qt::NoPen);
            painter.setBrush(veil);
            are_points ? painter.drawEllipse(place) : painter.drawRect(place);
        }
    const auto ring = [&](std::size_t mark, const QColor& colour, double width) {
        painter.setBrush(Qt::NoBrush);
        for (const bool is_halo : {true, false}) {
            painter.setPen(
                QPen(is_halo ? palette().color(QPalette::Base) : colour, width + (is_halo ? 2 : 0)));
            are_points ? painter.drawEllipse(mark_rect(mark)) : painter.drawRect(mark_rect(mark));
        }
    };
    if (const auto selected = selected_mark())
        ring(*selected, palette().color(QPalette::Highlight), hasFocus() ? 3 : 2);
    if (hovered_)
        ring(*hovered_, palette().color(QPalette::Text), 1.5);
    paint_tools(painter);
}

}  // namespace headlight
