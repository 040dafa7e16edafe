#include "ui/views/depth_picture.h"

#include "ui/jobs/job.h"
#include "ui/render/painter.h"
#include "ui/views/cell_place.h"
#include "ui/views/level_text.h"
#include "ui/views/selected_figure.h"
#include "ui/views/shown_figure.h"
#include "ui/views/without_thumbnails.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QTextDocument>

#include <algorithm>
#include <optional>

namespace headlight {
namespace {

DepthPicture empty_page(const DepthOrder& order) {
    DepthPicture page;
    page.part = share_of_area({}, order.size);
    const QSize pixels = (QSizeF(order.size) * order.ratio).toSize().expandedTo({1, 1});
    page.pixels = QImage(pixels, QImage::Format_RGB32);  // opaque: it is drawn again for every frame
    page.pixels.setDevicePixelRatio(order.ratio);
    page.pixels.fill(order.palette.color(QPalette::Base));
    return page;
}

QString formula_page(const Run& run, const ViewState& view) {
    const QString text = QString::fromStdString(formula_text(run, view));
    return QStringLiteral("<p style=\"white-space: pre-wrap\">%1</p>").arg(text.toHtmlEscaped());
}

/// In the middle of the page, as large as it can be read from a seat and has room.
void paint_words(QPainter& painter, const DepthOrder& order, const QString& html) {
    constexpr double words_margin = 32, enlarged = 1.5;
    QTextDocument words;
    QFont font = order.font;
    if (font.pointSizeF() > 0)
        font.setPointSizeF(enlarged * font.pointSizeF());
    else
        font.setPixelSize(static_cast<int>(enlarged * font.pixelSize()));
    words.setDefaultFont(font);
    words.setHtml(html);
    const QSizeF room(std::max(80.0, order.size.width() - 2 * words_margin),
                      std::max(60.0, order.size.height() - 2 * words_margin));
    words.setTextWidth(std::min(room.width(), words.idealWidth()));
    const double scale =
        std::min({1.0, room.width() / words.size().width(), room.height() / words.size().height()});
    painter.translate((order.size.width() - scale * words.size().width()) / 2,
                      (order.size.height() - scale * words.size().height()) / 2);
    painter.scale(scale, scale);
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette = order.palette;
    words.documentLayout()->draw(&painter, context);
}

/// Paints what the view of the stop shows, and returns the part that leads on.
QRectF paint_view(QPainter& painter, const DepthOrder& order) {
    const Trace& trace = *order.run->trace;
    Figure figure = with_selection(without_thumbnails(*order.figure), trace, order.view);
    const Zoom zoom = zoom_of(*order.figure, order.view.zoom);
    const ShownFigure shown(std::move(figure), zoom, QRectF(QPointF(), QSizeF(order.size)), order.unit,
                            order.range);
    paint_figure(painter, shown.figure(), shown.layout(), shown.unit());
    return way_into(shown, trace, order.view);
}

}  // namespace

DepthPicture paint_depth_picture(const DepthOrder& order) {
    DepthPicture picture = empty_page(order);
    QPainter painter(&picture.pixels);
    painter.setRenderHint(QPainter::Antialiasing);
    try {
        if (order.figure && !order.figure->panels.empty())
            picture.part = share_of_area(paint_view(painter, order), order.size);
    } catch (...) {  // whatever it is, the stop itself says why it has no picture
    }
    return picture;
}

QString depth_words(const DepthOrder& order) {
    try {
        return order.stop == DepthStop::formula ? formula_page(*order.run, order.view)
                                                : arithmetic_text(*order.run, order.view);
    } catch (...) {
        return current_problem("write a depth").toHtmlEscaped();
    }
}

DepthPicture paint_depth_words(const DepthOrder& order, const QString& words) {
    DepthPicture picture = empty_page(order);
    QPainter painter(&picture.pixels);
    paint_words(painter, order, words);
    return picture;
}

QRectF way_into(const ShownFigure& shown, const Trace& trace, const ViewState& here) {
    const Selection selection = shown_selection(trace, here);
    const Index lead = shown.leading_panel(selection);
    const Panel& panel = shown.panel(lead);
    const PanelLayout& place = shown.panel_layout(lead);
    if (panel.flow) {
        const std::optional<Index> lit = lit_node(*panel.flow);
        return lit && *lit < std::ssize(place.parts) ? place.parts[static_cast<std::size_t>(*lit)] : QRectF();
    }
    const auto cell = selected_place(trace, selection);
    const bool leads_to_cell = here.view == ViewKind::heatmap && has_cells_of_stage(panel);
    const QRectF selected = leads_to_cell && cell ? shown.place_rect(lead, *cell) : QRectF();
    return selected.isEmpty() ? place.cells : selected;
}

QRectF share_of_area(const QRectF& part, const QSizeF& area) {
    if (part.isEmpty() || area.isEmpty())
        return {1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3};
    return {part.x() / area.width(), part.y() / area.height(), part.width() / area.width(),
            part.height() / area.height()};
}

}  // namespace headlight
