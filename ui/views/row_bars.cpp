#include "ui/views/row_bars.h"

#include "core/figure/forbidden_by.h"
#include "ui/render/fixed_text.h"
#include "ui/views/cell_text.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace headlight {
namespace {

constexpr int bar_row_gap = 6;

/// Left edges and widths of the three columns of a bar: the key's name, the bar, the number.
struct Columns {
    int name_width, bar_left, bar_width, number_width;
};

}  // namespace

RowBars::RowBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Weights of the row"));
}

void RowBars::set_row(const RowReport& row, const TokenLabels& tokens, std::optional<Index> marked_key) {
    marked_ = marked_key;
    set_bars(Axis::key, row.drawn.empty() ? row.weights : row.drawn, row.forbidden, row.by_weight, tokens);
}

void RowBars::set_column(const ColumnReport& column, const TokenLabels& tokens) {
    marked_.reset();
    set_bars(Axis::query, column.drawn.empty() ? column.weights : column.drawn, column.forbidden,
             column.by_weight, tokens);
}

void RowBars::set_bars(Axis axis, const std::vector<double>& weights,
                       const std::vector<ForbiddenBy>& forbidden, const std::vector<Index>& by_weight,
                       const TokenLabels& tokens) {
    const bool other_count = weights.size() != by_token_.size();
    by_token_.clear();
    by_token_.reserve(weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i)
        by_token_.push_back({static_cast<Index>(i), index_label(tokens, axis, static_cast<Index>(i)),
                             std::isnan(weights[i]) ? 0 : weights[i],
                             i < forbidden.size() ? forbidden[i] : ForbiddenBy(), std::isnan(weights[i])});
    by_weight_ = by_weight;
    extent_.reset();
    arrange();
    if (other_count)
        updateGeometry();
}

void RowBars::clear() {
    by_token_.clear();
    by_weight_.clear();
    extent_.reset();
    arrange();
    updateGeometry();
}

void RowBars::set_sorted(bool sorted) {
    sorted_ = sorted;
    arrange();
}

void RowBars::set_fitted(bool fitted) {
    fitted_ = fitted;
    update();
}

void RowBars::set_found(std::vector<TokenRange> found) {
    if (found == found_)
        return;
    found_ = std::move(found);
    update();
}

void RowBars::arrange() {
    shown_.clear();
    shown_.reserve(by_token_.size());
    QStringList spoken;
    for (std::size_t i = 0; i < by_token_.size(); ++i) {
        shown_.push_back(&by_token_[sorted_ ? static_cast<std::size_t>(by_weight_[i]) : i]);
        if (i < 12)
            spoken += QStringLiteral("%1 %2").arg(
                shown_.back()->text(),
                shown_.back()->hidden ? tr("hidden") : readable_number(shown_.back()->weight));
    }
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    update();
}

int RowBars::bar_height() const { return fontMetrics().height() + 3; }

QRect RowBars::marked_rect() const {
    const auto marked =
        std::ranges::find_if(shown_, [this](const Bar* bar) { return bar->token == marked_; });
    return marked == shown_.end()
               ? QRect()
               : QRect(0, bar_height() * static_cast<int>(marked - shown_.begin()), width(), bar_height());
}

QSize RowBars::sizeHint() const {
    return {240, bar_height() * static_cast<int>(std::max<std::size_t>(shown_.size(), 1))};
}

QSize RowBars::minimumSizeHint() const { return {160, sizeHint().height()}; }

const RowBars::Bar* RowBars::bar_at(QPoint point) const {
    const int row = point.y() / bar_height();
    return row >= 0 && row < static_cast<int>(shown_.size()) ? shown_[static_cast<std::size_t>(row)]
                                                             : nullptr;
}

bool RowBars::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const Bar* bar = bar_at(help->pos()))
            QToolTip::showText(help->globalPos(),
                               bar->hidden ? tr("%1: hidden in the picture").arg(bar->text())
                               : bar->forbidden.is_anybody()
                                   ? tr("%1: %2").arg(bar->text(), QString::fromStdString(
                                                                       forbidden_in_words(bar->forbidden)))
                                   : tr("%1: weight %2").arg(bar->text(), readable_number(bar->weight)),
                               this);
        return true;
    }
    return QWidget::event(event);
}

void RowBars::mousePressEvent(QMouseEvent* event) {
    if (const Bar* bar = bar_at(event->pos()); bar && event->button() == Qt::LeftButton)
        emit token_chosen(bar->token);
}

QString RowBars::number_of(const Bar& bar) {
    return bar.forbidden.is_anybody() || bar.hidden ? QStringLiteral("–") : legible_text(bar.weight, 4);
}

RowBars::Extent RowBars::measured() const {
    constexpr std::size_t most_measured = 512;  // of a long text letters are counted, not measured
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics metrics(bold);  // of the marked bar, the widest there can be
    Extent extent;
    std::vector<const Bar*> widest;
    const Bar *least = nullptr, *most = nullptr, *faintest = nullptr;
    for (const Bar& bar : by_token_) {
        widest.push_back(&bar);
        extent.smallest = std::min(extent.smallest, bar.weight);
        extent.largest = std::max(extent.largest, bar.weight);
        least = !least || bar.weight < least->weight ? &bar : least;
        most = !most || bar.weight > most->weight ? &bar : most;
        // The power of ten that has the most digits.
        if (bar.weight != 0 && (!faintest || std::abs(bar.weight) < std::abs(faintest->weight)))
            faintest = &bar;
    }
    if (widest.size() > most_measured) {
        const auto end = widest.begin() + static_cast<std::ptrdiff_t>(most_measured);
        std::ranges::nth_element(widest, end, std::ranges::greater(),
                                 [](const Bar* bar) { return bar->name.size(); });
        widest.erase(end, widest.end());
        widest.insert(widest.end(), {least, most, faintest ? faintest : most});
    }
    extent.number = metrics.horizontalAdvance(QStringLiteral("0.0000"));
    for (const Bar* bar : widest) {
        extent.name = std::max(extent.name, metrics.horizontalAdvance(bar->text()) + 1);
        extent.number = std::max(extent.number, metrics.horizontalAdvance(number_of(*bar)));
    }
    return extent;
}

void RowBars::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange)
        extent_.reset();
    QWidget::changeEvent(event);
}

void RowBars::paintEvent(QPaintEvent* event) {
    if (!extent_)
        extent_ = measured();
    QPainter painter(this);
    QFont bold = font();
    bold.setBold(true);
    const double smallest = extent_->smallest, largest = extent_->largest;
    Columns columns{};
    columns.name_width = std::min(extent_->name, width() * 2 / 5);
    columns.number_width = extent_->number + 1;
    columns.bar_left = columns.name_width + bar_row_gap;
    columns.bar_width = std::max(width() - columns.bar_left - columns.number_width - bar_row_gap, 8);

    // The axis goes from 0 to 1, a whole row's weight, and further where a weight does; or to the largest.
    const bool has_extent = largest > 0 || smallest < 0;
    const double full = fitted_ && has_extent ? largest : std::max(largest, 1.0);
    const double zero = columns.bar_left + columns.bar_width * -smallest / (full - smallest);
    const int height = bar_height();
    const int first = std::max(event->rect().top() / height, 0);
    const int last = std::min(event->rect().bottom() / height, static_cast<int>(shown_.size()) - 1);
    for (int i = first; i <= last; ++i) {
        const Bar& bar = *shown_[static_cast<std::size_t>(i)];
        const bool marked = bar.token == marked_;
        const int top = i * height;
        painter.setFont(marked ? bold : font());
        painter.setPen(
            palette().color(bar.forbidden.is_anybody() ? QPalette::PlaceholderText : QPalette::WindowText));
        painter.drawText(QRect(0, top, columns.name_width, height), Qt::AlignRight | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(bar.text(), Qt::ElideRight, columns.name_width));
        const QRect track(columns.bar_left, top + 3, columns.bar_width, height - 6);
        painter.fillRect(track, palette().color(QPalette::AlternateBase));
        if (is_among(found_, bar.token))
            painter.fillRect(QRect(columns.bar_left - 4, top, 3, height),
                             palette().color(QPalette::Highlight));
        if (bar.forbidden.is_anybody()) {
            painter.fillRect(track, QBrush(palette().color(QPalette::Mid), Qt::BDiagPattern));
        } else {
            QColor colour = palette().color(QPalette::Highlight);
            colour.setAlphaF(marked ? 1.0F : 0.65F);
            QRectF filled(track);
            const double length = std::abs(bar.weight) / (full - smallest) * track.width();
            filled.setLeft(bar.weight < 0 ? zero - length : zero);
            filled.setWidth(length);
            painter.fillRect(filled, colour);
        }
        if (smallest < 0)
            painter.drawLine(QPointF(zero, top), QPointF(zero, top + height));
        painter.drawText(QRect(width() - columns.number_width, top, columns.number_width, height),
                         Qt::AlignRight | Qt::AlignVCenter, number_of(bar));
    }
}

}  // namespace headlight
