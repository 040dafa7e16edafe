#include "ui/views/mask_canvas.h"

#include "ui/models/counted_text.h"
#include "ui/models/mask_drawing.h"
#include "ui/views/cell_text.h"
#include "ui/views/mask_tool.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr double smallest_named = 9;   // pixels of a cell whose token still has a name
constexpr double smallest_framed = 5;  // ... that still has a line around it

QColor mask_blend(const QColor& a, const QColor& b, double share) {
    const auto mix = [share](int from, int to) { return static_cast<int>(from + (to - from) * share); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

}  // namespace

// Not the accent, which is for what is selected.
QColor allowed_colour(const QPalette& palette) { return palette.color(QPalette::PlaceholderText); }

QColor forbidden_colour(const QPalette& palette) { return palette.color(QPalette::Base); }

QColor reached_colour(const QPalette& palette, Index layers) {
    return mask_blend(allowed_colour(palette), forbidden_colour(palette),
                      std::min(0.5 + 0.06 * static_cast<double>(layers - 1), 0.88));
}

MaskCanvas::MaskCanvas(MaskDrawing& drawing, TokenLabels labels, QWidget* parent)
    : CanvasShell(parent), drawing_(drawing), labels_(std::move(labels)),
      image_(static_cast<int>(drawing.keys()), static_cast<int>(drawing.queries()), QImage::Format_RGB32) {
    if (labels_.key.empty())
        labels_.key = labels_.query;
    add_tool(std::make_unique<MaskTool>(*this));
    connect(&drawing_, &MaskDrawing::changed, this, [this](QRect cells) {
        colour(cells);
        update();
        if (is_cell(described_))
            describe_cell(described_);
        announce_figure(*this);
        if (cells.contains(cursor_))
            announce_toggle(*this);
    });
    colour(image_.rect());
}

void MaskCanvas::show_field(std::shared_ptr<const ReceptiveField> field, Index layers) {
    field_ = std::move(field);
    layers_ = layers;
    colour(image_.rect());
    update();
}

void MaskCanvas::colour(QRect cells) {
    const QRgb allowed = allowed_colour(palette()).rgb(), forbidden = forbidden_colour(palette()).rgb();
    for (int query = cells.top(); query <= cells.bottom(); ++query)
        for (int key = cells.left(); key <= cells.right(); ++key) {
            QRgb pixel = drawing_.allowed(query, key) ? allowed : forbidden;
            if (pixel == forbidden && field_ && field_->reaches(query, key, layers_)) {
                const Index at = field_->first[static_cast<std::size_t>(query * field_->tokens + key)];
                pixel = reached_colour(palette(), at).rgb();
            }
            image_.setPixel(key, query, pixel);
        }
}

int MaskCanvas::axis_title() const { return fontMetrics().height() + 2; }

int MaskCanvas::heading() const { return axis_title() + fontMetrics().averageCharWidth() * 9 + 8; }

MaskCanvas::Place MaskCanvas::matrix_place() const {
    const double room_x = std::max(width() - heading() - 4, 1),
                 room_y = std::max(height() - heading() - 4, 1);
    const double cell =
        std::min({room_x / double(drawing_.keys()), room_y / double(drawing_.queries()), 40.0});
    return {QPointF(heading(), heading()), cell >= smallest_framed ? std::floor(cell) : cell};
}

QRectF MaskCanvas::cell_rect(Index query, Index key) const {
    const Place place = matrix_place();
    return {place.origin.x() + double(key) * place.cell, place.origin.y() + double(query) * place.cell,
            place.cell, place.cell};
}

QPoint MaskCanvas::row_handle(Index query) const {
    return {heading() / 2, static_cast<int>(cell_rect(query, 0).center().y())};
}

QPoint MaskCanvas::cell_at(QPointF point) const {
    const Place place = matrix_place();
    const auto along = [&](double at, double origin, Index count) {
        if (at < origin)
            return -1;
        const int cell = static_cast<int>((at - origin) / place.cell);
        return cell < count ? cell : -2;
    };
    return {along(point.x(), place.origin.x(), drawing_.keys()),
            along(point.y(), place.origin.y(), drawing_.queries())};
}

QString MaskCanvas::name(const std::vector<std::string>& labels, int place) const {
    return place < std::ssize(labels) ? QString::fromStdString(labels[static_cast<std::size_t>(place)])
                                      : QString::number(place + 1);
}

void MaskCanvas::describe_cell(QPoint cell) {
    described_ = cell;
    emit described(is_cell(cell) ? sentence_of(accessible_cell(cell)) : QString());
}

QString MaskCanvas::accessible_description() const {
    const MaskCounts counts = drawing_.counts();
    return tr("%1 of %2 are allowed.").arg(counts.allowed).arg(counted_text(counts.pairs, "pair"));
}

std::optional<AccessibleTable> MaskCanvas::table(Index panel) const {
    return panel == 0 ? std::optional(AccessibleTable{AccessibleTable::Kind::table, drawing_.queries(),
                                                      drawing_.keys()})
                      : std::nullopt;
}

QString MaskCanvas::row_name(Index, Index row) const { return name(labels_.query, static_cast<int>(row)); }

QString MaskCanvas::column_name(Index, Index column) const {
    return name(labels_.key, static_cast<int>(column));
}

std::optional<double> MaskCanvas::current_number() const {
    return drawing_.allowed(cursor_.y(), cursor_.x()) ? 1 : 0;
}

std::optional<AccessiblePicture::Cell> MaskCanvas::current_cell() const { return accessible_cell(cursor_); }

QRectF MaskCanvas::panel_area(Index) const {
    return cell_rect(0, 0).united(cell_rect(drawing_.queries() - 1, drawing_.keys() - 1));
}

void MaskCanvas::choose_cell(const Cell& cell) {
    cursor_ = QPoint(static_cast<int>(cell.column), static_cast<int>(cell.row));
    show_cursor();
}

std::optional<bool> MaskCanvas::is_on(const Cell& cell) const {
    return drawing_.allowed(cell.row, cell.column);
}

void MaskCanvas::toggle_cell(const Cell& cell) {
    choose_cell(cell);
    drawing_.begin_stroke();
    drawing_.toggle(cell.row, cell.column);
}

QString MaskCanvas::sentence_of(const Cell& cell) const {
    QString sentence = drawing_.allowed(cell.row, cell.column) ? tr("%1 (%2) may look at %3 (%4).")
                                                               : tr("%1 (%2) may not look at %3 (%4).");
    // All at once: a token may be "%1".
    sentence = sentence.arg(quoted_token(row_name(0, cell.row).toStdString()), QString::number(cell.row + 1),
                            quoted_token(column_name(0, cell.column).toStdString()),
                            QString::number(cell.column + 1));
    if (field_) {
        const int at = field_->first[static_cast<std::size_t>(cell.row * field_->tokens + cell.column)];
        if (at > 1)
            sentence += " " + tr("It is reached after %1.").arg(counted_text(at, "layer"));
        else if (at == 0)
            sentence += " " + tr("It is not reached within %1.").arg(counted_text(field_->layers, "layer"));
    }
    return sentence;
}

void MaskCanvas::paint_axis_titles(QPainter& painter, const QRectF& matrix) const {
    // Absolute: the matrix is not mirrored in a window from right to left.
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(
        QRectF(matrix.left(), 0, std::max(matrix.width(), width() - matrix.left()), axis_title()),
        Qt::AlignLeft | Qt::AlignAbsolute | Qt::AlignVCenter, tr("key (what is looked at) →"));
    painter.save();
    painter.translate(0, matrix.top() + std::max(matrix.height(), height() - matrix.top()));
    painter.rotate(-90);
    painter.drawText(QRectF(0, 0, std::max(matrix.height(), height() - matrix.top()), axis_title()),
                     Qt::AlignRight | Qt::AlignAbsolute | Qt::AlignVCenter, tr("← query (who looks)"));
    painter.restore();
}

void MaskCanvas::paint_headings(QPainter& painter, const Place& place) const {
    painter.setPen(palette().color(QPalette::WindowText));
    if (place.cell < smallest_named)
        return;
    const int room = heading() - axis_title() - 6;
    const auto label = [&](const std::vector<std::string>& labels, int at) {
        return fontMetrics().elidedText(name(labels, at), Qt::ElideRight, room);
    };
    QFont small = font();
    small.setPixelSize(std::min<int>(static_cast<int>(place.cell), fontInfo().pixelSize()));
    painter.setFont(small);
    for (int query = 0; query < drawing_.queries(); ++query)
        painter.drawText(QRectF(axis_title(), place.origin.y() + query * place.cell, room, place.cell),
                         Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, label(labels_.query, query));
    for (int key = 0; key < drawing_.keys(); ++key) {
        painter.save();
        painter.translate(place.origin.x() + key * place.cell, axis_title() + room);
        painter.rotate(-90);
        painter.drawText(QRectF(0, 0, room, place.cell),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, label(labels_.key, key));
        painter.restore();
    }
}

void MaskCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Place place = matrix_place();
    const QRectF matrix(
        place.origin, QSizeF(place.cell * double(drawing_.keys()), place.cell * double(drawing_.queries())));
    painter.drawImage(matrix, image_);
    painter.setPen(palette().color(QPalette::Mid));
    if (place.cell >= smallest_framed) {
        for (Index key = 0; key <= drawing_.keys(); ++key) {
            const double x = matrix.left() + double(key) * place.cell;
            painter.drawLine(QPointF(x, matrix.top()), QPointF(x, matrix.bottom()));
        }
        for (Index query = 0; query <= drawing_.queries(); ++query) {
            const double y = matrix.top() + double(query) * place.cell;
            painter.drawLine(QPointF(matrix.left(), y), QPointF(matrix.right(), y));
        }
    } else {
        painter.drawRect(matrix);
    }
    paint_axis_titles(painter, matrix);
    paint_headings(painter, place);
    painter.setBrush(Qt::NoBrush);
    paint_tools(painter);
    if (hasFocus()) {
        const QRectF cell = cell_rect(cursor_.y(), cursor_.x()).adjusted(-1, -1, 1, 1);
        painter.setPen(QPen(palette().color(QPalette::Base), 4));
        painter.drawRect(cell);
        painter.setPen(QPen(palette().color(QPalette::Text), 2));
        painter.drawRect(cell);
    }
}

void MaskCanvas::leaveEvent(QEvent*) { describe_cell({-1, -1}); }

void MaskCanvas::show_cursor() {
    describe_cell(cursor_);
    announce_cell(*this);
    update();
}

void MaskCanvas::restyle() {
    colour(image_.rect());
    update();
}

void MaskCanvas::focusInEvent(QFocusEvent* event) {
    CanvasShell::focusInEvent(event);
    show_cursor();
}

void MaskCanvas::focusOutEvent(QFocusEvent* event) {
    CanvasShell::focusOutEvent(event);
    update();
}

}  // namespace headlight
