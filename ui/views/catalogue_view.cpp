#include "ui/views/catalogue_view.h"

#include "ui/render/figure_style.h"
#include "ui/render/named_places.h"
#include "ui/views/zoom.h"

#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr double largest_zoom = 4;
constexpr int kept_around = 8;  // an eighth of what is seen, on each side

/// A name, and as much as shows that it stands among others.
QRectF with_what_is_around(const QRectF& name) {
    constexpr double around = 24;
    return name.adjusted(-around, -around, around, around);
}

}  // namespace

CatalogueView::CatalogueView(const CataloguePicture& picture, QWidget* parent)
    : QAbstractScrollArea(parent), figure_(picture.build(mechanisms(), FigureTheme::light)) {
    make_canvases_accessible();
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(NoFrame);
    viewport()->setMouseTracking(true);
    list_names();
}

void CatalogueView::list_names() {
    if (picture().tree) {
        lists_ = {{QString::fromStdString(figure_.title), 0, name_count(picture())}};
        return;
    }
    const NameTable& table = *picture().names;
    Index first = 0;
    for (std::size_t family = 0; family < table.row_titles.size(); ++family) {
        const Index count =
            std::ranges::count(table.names, static_cast<Index>(family), &NameTable::Name::row);
        lists_.push_back({QString::fromStdString(table.row_titles[family]), first, count});
        first += count;
    }
}

void CatalogueView::set_theme(FigureTheme theme) {
    if (figure_.theme == theme)
        return;
    figure_.theme = theme;
    natural_.reset();
    lay_out();
    reveal(current_);
}

void CatalogueView::show_mechanism(const std::string& id) {
    const auto name = name_with_id(picture(), id);
    if (name && *name != current_)
        jump_to(*name);
}

void CatalogueView::look_for(const std::optional<std::vector<std::string>>& ids) {
    found_ = ids ? std::optional(std::set(ids->begin(), ids->end())) : std::nullopt;
    if (const auto likeliest = ids && !ids->empty() ? name_with_id(picture(), ids->front()) : std::nullopt)
        jump_to(*likeliest);
    viewport()->update();
}

bool CatalogueView::is_faint(Index name) const {
    const std::string& id = id_of_name(picture(), name);
    return found_ && !id.empty() && !found_->contains(id);
}

void CatalogueView::show_next_found() {
    const Index count = name_count(picture());
    for (Index step = 1; found_ && step <= count; ++step) {
        const Index name = (current_ + step) % count;
        if (found_->contains(id_of_name(picture(), name)))
            return jump_to(name);
    }
}

// Where names are

double CatalogueView::unit() const { return zoom_ * logicalDpiY() / 72.0; }

QSizeF CatalogueView::whole() const {
    if (!natural_)
        natural_ = natural_size(figure_);
    return *natural_ * unit();
}

const CatalogueView::Placed& CatalogueView::placed() const {
    if (!placed_) {
        FigureLayout layout = layout_figure(figure_, QRectF(QPointF(), whole()), unit());
        std::vector<QRectF> names = named_places(figure_, layout, unit());
        CatalogueHeads heads = catalogue_heads(figure_, layout, unit());
        placed_ = {std::move(layout), std::move(names), std::move(heads)};
    }
    return *placed_;
}

QPointF CatalogueView::origin() const {
    // What is smaller than its room stands in the middle of it.
    const QSizeF spare = (QSizeF(viewport()->size()) - whole()) / 2;
    return QPointF(std::max(0.0, spare.width()), std::max(0.0, spare.height())) - scrolled();
}

QPoint CatalogueView::scrolled() const {
    return {horizontalScrollBar()->value(), verticalScrollBar()->value()};
}

QRectF CatalogueView::name_rect(Index name) const {
    return placed().names[static_cast<std::size_t>(name)].translated(origin());
}

std::optional<Index> CatalogueView::name_at(QPointF point) const {
    if (is_under_heads(placed().heads, origin(), viewport()->rect(), point))
        return std::nullopt;
    for (Index name = 0; name < name_count(picture()); ++name)
        if (name_rect(name).contains(point))
            return name;
    return std::nullopt;
}

void CatalogueView::lay_out() {
    placed_.reset();
    kept_.area = {};
    fit_scroll_bars();
    viewport()->update();
}

void CatalogueView::fit_scroll_bars() {
    if (!isVisible())
        return;  // showEvent() does
    const auto fit = [](QScrollBar* bar, double length, int shown) {
        bar->setRange(0, std::max(0, static_cast<int>(std::ceil(length)) - shown));
        bar->setPageStep(shown);
        bar->setSingleStep(shown / 10);
    };
    fit(horizontalScrollBar(), whole().width(), viewport()->width());
    fit(verticalScrollBar(), whole().height(), viewport()->height());
}

double CatalogueView::zoom_that_shows_all() const {
    const QSizeF once = whole() / zoom_;
    return std::min(viewport()->width() / once.width(), viewport()->height() / once.height());
}

void CatalogueView::zoom_to(double zoom, QPointF around) {
    const double next = std::clamp(zoom, std::min(1.0, zoom_that_shows_all()), largest_zoom);
    if (next == zoom_)
        return;
    const QPointF before = (around - origin()) / zoom_;
    zoom_ = next;
    lay_out();
    scroll_by(before * zoom_ + origin() - around);
}

void CatalogueView::zoom_by(double factor, QPointF around) { zoom_to(zoom_ * factor, around); }
void CatalogueView::zoom_in() { zoom_by(key_zoom_factor, name_rect(current_).center()); }
void CatalogueView::zoom_out() { zoom_by(1 / key_zoom_factor, name_rect(current_).center()); }
void CatalogueView::show_all() { zoom_to(zoom_that_shows_all(), name_rect(current_).center()); }

void CatalogueView::scroll_by(QPointF way) {
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + qRound(way.x()));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + qRound(way.y()));
}

QRectF CatalogueView::room_of_names() const {
    const QSizeF heads = placed().heads.corner.size();
    return QRectF(viewport()->rect()).adjusted(heads.width(), heads.height(), 0, 0);
}

void CatalogueView::reveal(Index name) {
    if (!isVisible())
        return;  // showEvent() does
    const QRectF area = with_what_is_around(name_rect(name)), room = room_of_names();
    scroll_by({std::min(0.0, area.left() - room.left()) + std::max(0.0, area.right() - room.right()),
               std::min(0.0, area.top() - room.top()) + std::max(0.0, area.bottom() - room.bottom())});
}

void CatalogueView::centre(Index name) {
    const QRectF room = room_of_names();
    if (isVisible() && !room.contains(with_what_is_around(name_rect(name))))
        scroll_by(name_rect(name).center() - room.center());
}

void CatalogueView::go_to(Index name) {
    current_ = name;
    reveal(name);
    viewport()->update();
    if (hasFocus())
        announce_cell(*this);
}

void CatalogueView::jump_to(Index name) {
    centre(name);
    go_to(name);
}

void CatalogueView::choose(Index name) {
    if (const std::string& id = id_of_name(picture(), name); !id.empty())
        emit chosen(id);
}

// Painting

void CatalogueView::paint_names(QPainter& painter) {
    const QRect seen = viewport()->rect().translated(scrolled());
    const qreal ratio = viewport()->devicePixelRatioF();
    // At a scale such as 1.5 what is kept lies on the screen's pixels only where it was painted for.
    const bool can_be_moved = ratio == std::floor(ratio);
    const bool is_there = can_be_moved ? kept_.area.contains(seen) : kept_.area == seen;
    if (!is_there || kept_.pixels.devicePixelRatio() != ratio) {
        const int x = can_be_moved ? seen.width() / kept_around : 0;
        const int y = can_be_moved ? seen.height() / kept_around : 0;
        kept_.area = seen.adjusted(-x, -y, x, y);
        const QSizeF pixels = QSizeF(kept_.area.size()) * ratio;
        const QSize size(static_cast<int>(std::ceil(pixels.width())),
                         static_cast<int>(std::ceil(pixels.height())));
        if (kept_.pixels.size() != size)
            kept_.pixels = QPixmap(size);
        kept_.pixels.setDevicePixelRatio(ratio);
        kept_.pixels.fill(figure_style(figure_).background);
        QPainter onto(&kept_.pixels);
        onto.setRenderHint(QPainter::Antialiasing);
        onto.setClipRect(QRect(QPoint(), kept_.area.size()));
        onto.translate(origin() + scrolled() - kept_.area.topLeft());
        paint_figure(onto, figure_, placed().layout, unit());
    }
    painter.drawPixmap(kept_.area.topLeft() - scrolled(), kept_.pixels);
}

void CatalogueView::paint_faintness(QPainter& painter) {
    constexpr float covered = 0.75F;
    QColor ground = figure_style(figure_).background;
    ground.setAlphaF(covered);
    for (Index name = 0; name < name_count(picture()); ++name)
        if (const QRectF area = name_rect(name); is_faint(name) && area.intersects(viewport()->rect()))
            painter.fillRect(area, ground);
}

void CatalogueView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    paint_names(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    paint_faintness(painter);
    paint_current(painter);
    paint_catalogue_heads(painter, figure_, placed().heads, origin(), viewport()->rect());
}

void CatalogueView::paint_current(QPainter& painter) {
    constexpr double beside = 3;  // above and below stand other names
    // Without a halo, which would hide the lower half of the name above: all around is the plain ground.
    painter.setPen(QPen(palette().color(QPalette::Highlight), hasFocus() ? 3 : 2));
    painter.drawRect(name_rect(current_).adjusted(-beside, 0, beside, 0));
}

void CatalogueView::resizeEvent(QResizeEvent* event) {
    const bool was_in_sight = QRectF(QPointF(), event->oldSize()).intersects(name_rect(current_));
    kept_.area = {};  // what is smaller than its room stands elsewhere in it
    fit_scroll_bars();
    if (was_in_sight)
        reveal(current_);
}

void CatalogueView::showEvent(QShowEvent* event) {
    QAbstractScrollArea::showEvent(event);
    fit_scroll_bars();
    centre(current_);
}

void CatalogueView::hideEvent(QHideEvent* event) {
    kept_ = {};
    QAbstractScrollArea::hideEvent(event);
}

// What a screen reader hears

QString CatalogueView::accessible_description() const { return QString::fromStdString(figure_.description); }

std::optional<AccessibleTable> CatalogueView::table(Index list) const {
    if (list >= table_count())
        return std::nullopt;
    return AccessibleTable{picture().tree ? AccessibleTable::Kind::tree : AccessibleTable::Kind::list,
                           lists_[static_cast<std::size_t>(list)].count, 1};
}

QString CatalogueView::table_name(Index list) const { return lists_[static_cast<std::size_t>(list)].title; }

std::optional<double> CatalogueView::current_number() const { return year_of_name(picture(), current_); }

std::pair<double, double> CatalogueView::current_range() const {
    std::pair<double, double> years(current_number().value_or(0), current_number().value_or(0));
    for (Index name = 0; name < name_count(picture()); ++name)
        if (const auto year = year_of_name(picture(), name))
            years = {std::min<double>(years.first, *year), std::max<double>(years.second, *year)};
    return years;
}

std::optional<AccessiblePicture::Cell> CatalogueView::current_cell() const {
    for (Index list = 0; list < table_count(); ++list) {
        const NameList& names = lists_[static_cast<std::size_t>(list)];
        if (current_ >= names.first && current_ < names.first + names.count)
            return Cell{list, current_ - names.first, 0};
    }
    return std::nullopt;
}

QString CatalogueView::sentence_of(const Cell& cell) const {
    return QString::fromStdString(name_in_words(picture(), name_of(cell)));
}

QRectF CatalogueView::area_of(const Cell& cell) const {
    return name_rect(name_of(cell)).translated(viewport()->pos());
}

void CatalogueView::choose_cell(const Cell& cell) {
    go_to(name_of(cell));
    choose(current_);
}

}  // namespace headlight
