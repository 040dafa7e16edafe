#include "ui/views/little_map.h"

#include "core/figure/view.h"
#include "core/workbench/fitting_pair.h"
#include "ui/models/document.h"
#include "ui/render/figure_style.h"
#include "ui/views/cell_place.h"
#include "ui/views/describe.h"
#include "ui/views/flow_walk.h"
#include "ui/views/wrapped_tip.h"

#include <QFontInfo>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTextOption>
#include <QToolTip>

#include <utility>

namespace headlight {
namespace {

constexpr int map_margin = 8, least_map = 120, lines_of_name = 3, lines_of_caption = 4;

}  // namespace

LittleMap::LittleMap(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    make_canvases_accessible();
    describe(this, QStringLiteral("little_map"), tr("Map"),
             tr("Where the picture stands in the whole; a click on a part goes there"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    connect(&document_, &Document::run_changed, this, &LittleMap::refresh);
    connect(&document_, &Document::error_changed, this, &LittleMap::refresh);
    connect(&document_, &Document::withheld_changed, this, &LittleMap::refresh);
    connect(&document_, &Document::session_changed, this, &LittleMap::refresh);
    connect(&document_.looking(), &Looking::view_changed, this, [this](const ViewState& before) {
        refresh();
        if (hasFocus() && !same_place(before, document_.view()))
            announce_cell(*this);
    });
}

void LittleMap::refresh() {
    pressed_.reset();  // the number of a part of another map
    places_.reset();
    figure_.reset();
    update();
}

const Flow* LittleMap::flow() const {
    if (document_.error())
        return nullptr;
    if (!figure_)
        figure_ = document_.figure(ViewKind::map);
    const bool has_flow = figure_ && !figure_->panels.empty() && figure_->panels.front().flow;
    return has_flow ? figure_->panels.front().flow.get() : nullptr;
}

bool LittleMap::has_room_for_caption() const {
    return height() >= least_map + (lines_of_name + lines_of_caption) * fontMetrics().lineSpacing();
}

int LittleMap::room_for_name() const {
    const int lines = lines_of_name + (has_room_for_caption() ? lines_of_caption : 0);
    return lines * fontMetrics().lineSpacing();
}

const CompactFlow* LittleMap::places() const {
    const Flow* now = flow();
    if (now && !places_)
        places_.emplace(*now, QRectF(rect()).adjusted(map_margin, map_margin, -map_margin,
                                                      -2 * map_margin - room_for_name()));
    return now ? &*places_ : nullptr;
}

QRectF LittleMap::part_rect(Index node) const {
    const CompactFlow* now = places();
    return now && node < std::ssize(now->boxes()) ? now->boxes()[static_cast<std::size_t>(node)] : QRectF();
}

QString LittleMap::name_of_lit() const {
    const Flow* now = flow();
    const std::optional<Index> lit = now ? lit_node(*now) : std::nullopt;
    if (!lit)
        return {};
    const Flow::Node& node = flow_node(*now, *lit);
    const QString title = QString::fromStdString(node.title);
    return node.inside < 0
               ? title
               : tr("%1, %2").arg(QString::fromStdString(flow_node(*now, node.inside).title), title);
}

QString LittleMap::caption() const {
    const Flow* now = flow();
    if (!now)
        return {};
    QStringList lines;
    if (const std::string& row = figure_->panels.front().subtitle; !row.empty())
        lines << QString::fromStdString(row);
    const Flow::Edge* thickest = nullptr;
    for (const Flow::Edge& edge : now->edges)
        if (edge.weight && (!thickest || edge.share > thickest->share))
            thickest = &edge;
    if (thickest && !flow_node(*now, thickest->from).title.empty())
        lines << tr("looks most at “%1”").arg(QString::fromStdString(flow_node(*now, thickest->from).title));
    return lines.join(QLatin1Char('\n'));
}

// For those who listen

QString LittleMap::accessible_description() const {
    return flow() ? QString::fromStdString(figure_->description) : tr("There is no map to show.");
}

std::optional<AccessibleTable> LittleMap::table(Index panel) const {
    if (panel != 0 || !flow())
        return std::nullopt;
    return AccessibleTable{AccessibleTable::Kind::list, std::ssize(flow()->nodes), 1};
}

QString LittleMap::table_name(Index) const { return accessibleName(); }

QString LittleMap::row_name(Index, Index row) const {
    return flow() ? QString::fromStdString(flow_node(*flow(), row).title) : QString();
}

std::optional<LittleMap::Cell> LittleMap::current_cell() const {
    const std::optional<Index> lit = flow() ? lit_node(*flow()) : std::nullopt;
    return lit ? std::optional(Cell{0, *lit, 0}) : std::nullopt;
}

QString LittleMap::sentence_of(const Cell& cell) const {
    return flow() ? QString::fromStdString(node_in_words(*flow(), cell.row)) : QString();
}

void LittleMap::choose_cell(const Cell& cell) { go_to(cell.row, ViewHistory::Move::jump); }

// Where a person goes

void LittleMap::go_to(Index number, ViewHistory::Move move) {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run || !flow() || !is_selectable(flow_node(*flow(), number)))
        return;
    const CellPlace place = place_of_part(flow_node(*flow(), number));
    ViewState there = document_.view();
    there.selection =
        with_fitting_pair(*run->trace, there.selection, select_place(*run->trace, there.selection, place),
                          {place.row, place.column});
    // A view that cannot show the stage would show the weights.
    if (shown_selection(*run->trace, there).stage != place.stage)
        there = in_view(there, ViewKind::stages);
    document_.looking().look_at(there, move);
}

void LittleMap::show_large() { document_.looking().look_at(in_view(document_.view(), ViewKind::map)); }

bool LittleMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto part = places() ? places()->part_at(help->pos()) : std::nullopt;
        QToolTip::showText(help->globalPos(), wrapped_tip(part ? sentence_of({0, *part, 0}) : toolTip()),
                           this);
        return true;
    }
    if (event->type() == QEvent::FontChange) {
        places_.reset();
        updateGeometry();
    }
    return QWidget::event(event);
}

void LittleMap::mouseMoveEvent(QMouseEvent* event) {
    const bool leads_on = places() && places()->part_at(event->position());
    setCursor(leads_on ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void LittleMap::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        pressed_ = places() ? places()->part_at(event->position()) : std::nullopt;
}

void LittleMap::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    const std::optional<Index> pressed = std::exchange(pressed_, std::nullopt);
    const auto part = places() ? places()->part_at(event->position()) : std::nullopt;
    if (part && part == pressed)
        go_to(*part, ViewHistory::Move::jump);
}

void LittleMap::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && flow())
        show_large();
}

void LittleMap::keyPressEvent(QKeyEvent* event) {
    const CompactFlow* now = places();
    if (now && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        return show_large();
    const bool has_shift = event->modifiers() & Qt::ShiftModifier;
    const bool is_end = event->key() == Qt::Key_Home || event->key() == Qt::Key_End;
    const std::optional<Index> lit = now ? lit_node(*flow()) : std::nullopt;
    const auto next =
        lit && (has_shift || is_end) ? walked_part(*flow(), now->boxes(), *lit, event->key()) : std::nullopt;
    if (next)
        go_to(*next, ViewHistory::Move::walk);
    else
        QWidget::keyPressEvent(event);
}

// Painting

void LittleMap::resizeEvent(QResizeEvent*) { places_.reset(); }

void LittleMap::paintEvent(QPaintEvent*) {
    const FigureStyle& style = figure_style(document_.view().theme);
    QPainter painter(this);
    painter.fillRect(rect(), style.background);
    double bottom = map_margin;
    if (const CompactFlow* now = places()) {
        now->paint(painter, style);
        bottom = now->bottom();
    }
    QFont font = this->font();
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(style.text);
    QTextOption option(Qt::AlignHCenter | Qt::AlignTop);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    const QRectF below = QRectF(rect()).adjusted(2, bottom + map_margin, -2, 0);
    const QString name = name_of_lit();
    painter.drawText(below, name, option);
    const QFontMetricsF bold(font);
    const double name_height =
        name.isEmpty()
            ? 0
            : bold.boundingRect(
                      below, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap | Qt::TextWrapAnywhere, name)
                  .height();
    if (has_room_for_caption()) {
        painter.setFont(this->font());
        painter.setPen(style.quiet_text);
        painter.drawText(below.adjusted(0, name_height, 0, 0), caption(), option);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
    }
}

QSize LittleMap::sizeHint() const {
    return {9 * QFontInfo(font()).pixelSize(), least_map + lines_of_name * fontMetrics().lineSpacing()};
}

}  // namespace headlight
