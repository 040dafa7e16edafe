#include "ui/views/histogram_header.h"

#include "ui/models/head_table_model.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

constexpr int bins = 16;
constexpr int header_margin = 4;

}  // namespace

HistogramHeader::HistogramHeader(const HeadTableModel& model, QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent), model_(model) {
    setSectionsClickable(true);
    setHighlightSections(false);
    setSectionResizeMode(QHeaderView::Interactive);
    setMinimumSectionSize(24);
    connect(&model_, &QAbstractItemModel::modelReset, this, &HistogramHeader::look_for_bars);
    look_for_bars();
}

int HistogramHeader::histogram_height() const { return fontMetrics().height() * 3 / 2; }

int HistogramHeader::band_height() const { return has_bars_ ? histogram_height() + header_margin : 0; }

void HistogramHeader::look_for_bars() {
    bool has_bars = false;
    for (int section = 0; section < model_.columnCount() && !has_bars; ++section)
        has_bars = !model_.histogram(section, bins).empty();
    if (std::exchange(has_bars_, has_bars) != has_bars)
        emit geometriesChanged();
}

void HistogramHeader::fold(bool folded) {
    if (std::exchange(is_folded_, folded) == folded)
        return;
    const auto wrapped = static_cast<Qt::Alignment>(Qt::TextWordWrap);
    setDefaultAlignment(folded ? Qt::AlignCenter | wrapped : Qt::AlignCenter);
    emit geometriesChanged();
}

QSize HistogramHeader::sizeHint() const {
    return QHeaderView::sizeHint() + QSize(0, band_height() + (is_folded_ ? fontMetrics().height() : 0));
}

QSize HistogramHeader::sectionSizeFromContents(int section) const {
    QSize size = QHeaderView::sectionSizeFromContents(section) + QSize(2 * header_margin, 0);
    if (!is_folded_)
        return size;
    const QString title = model_.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    int widest = 0;
    for (const QString& word : title.split(QChar(' ')))
        widest = std::max(widest, fontMetrics().horizontalAdvance(word));
    const bool has_arrow = section == sortIndicatorSection();
    const int around = has_arrow ? size.width() - fontMetrics().horizontalAdvance(title) : 4 * header_margin;
    size.setWidth(widest + around);
    return size;
}

void HistogramHeader::paintSection(QPainter* painter, const QRect& place, int section) const {
    QRect title = place;
    title.setHeight(place.height() - band_height());
    painter->save();
    QHeaderView::paintSection(painter, title, section);
    painter->restore();
    const std::vector<int> counts = model_.histogram(section, bins);
    if (counts.empty())
        return;
    const double most = *std::ranges::max_element(counts);
    const QRectF area(place.left() + header_margin, title.bottom() + 1, place.width() - 2 * header_margin,
                      histogram_height());
    const double width = area.width() / bins;
    QColor bar = palette().color(QPalette::WindowText);
    bar.setAlphaF(0.45F);
    for (int bin = 0; bin < bins; ++bin) {
        const double height = counts[static_cast<std::size_t>(bin)] / most * area.height();
        painter->fillRect(
            QRectF(area.left() + bin * width, area.bottom() - height, std::max(1.0, width - 1), height), bar);
    }
    painter->fillRect(QRectF(area.left(), area.bottom(), area.width(), 1), bar);
}

}  // namespace headlight
