#include "ui/views/candidate_delegate.h"

#include "ui/models/candidate_model.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace headlight {
namespace {

constexpr int gap = 6;

}  // namespace

void CandidateDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given,
                              const QModelIndex& index) const {
    QStyleOptionViewItem option(given);
    initStyleOption(&option, index);
    const QString word = std::exchange(option.text, QString());
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);

    const double probability = index.data(CandidateModel::probability_role).toDouble();
    const bool is_said = index.data(CandidateModel::said_role).toBool();
    const bool is_selected = option.state & QStyle::State_Selected;
    painter->save();
    QFont font = option.font;
    font.setBold(true);
    const QFontMetrics bold(font);
    font.setBold(is_said);
    painter->setFont(font);
    const QColor text = option.palette.color(is_selected ? QPalette::HighlightedText : QPalette::Text);
    painter->setPen(text);
    const QRect area = option.rect.adjusted(gap, 0, -gap, 0);
    const int number_width = bold.horizontalAdvance(QStringLiteral("100.0 %"));
    const int word_width = area.width() * 2 / 5;
    painter->drawText(QRect(area.left(), area.top(), word_width, area.height()),
                      Qt::AlignLeft | Qt::AlignVCenter,
                      QFontMetrics(font).elidedText(word, Qt::ElideRight, word_width));
    const QRect track(area.left() + word_width + gap, area.top() + 4,
                      std::max(area.width() - word_width - number_width - 2 * gap, 8), area.height() - 8);
    painter->fillRect(track, option.palette.color(QPalette::AlternateBase));
    QColor colour = is_selected ? text : option.palette.color(QPalette::Highlight);
    colour.setAlphaF(is_said ? 1.0F : 0.65F);
    QRectF bar(track);
    bar.setWidth(track.width() * std::clamp(probability, 0.0, 1.0));
    painter->fillRect(bar, colour);
    painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter,
                      QStringLiteral("%1 %").arg(100 * probability, 0, 'f', 1));
    painter->restore();
}

QSize CandidateDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {160, option.fontMetrics.height() + 8};
}

}  // namespace headlight
