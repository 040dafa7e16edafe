#include "ui/views/candidate_delegate.h"

#include "ui/models/candidate_model.h"
#include "ui/views/copy_bar.h"

#include <QPainter>

#include <algorithm>

namespace headlight {
namespace {

constexpr int bar_gap = 6;

}  // namespace

void CandidateDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given,
                              const QModelIndex& index) const {
    const auto [option, word, text, is_selected] = paint_background(painter, given, index);
    const double probability = index.data(CandidateModel::probability_role).toDouble();
    const bool is_said = index.data(CandidateModel::said_role).toBool();
    painter->save();
    QFont font = option.font;
    font.setBold(true);
    const QFontMetrics bold(font);
    font.setBold(is_said);
    painter->setFont(font);
    painter->setPen(text);
    const QRect area = option.rect.adjusted(bar_gap, 0, -bar_gap, 0);
    int number_width = 0;
    for (const double longest : {1.0, smallest_percent / 2, 1 - smallest_percent / 2})
        number_width = std::max(number_width, bold.horizontalAdvance(percent_text(longest)));
    const int word_width = area.width() * 2 / 5;
    painter->drawText(QRect(area.left(), area.top(), word_width, area.height()),
                      Qt::AlignLeft | Qt::AlignVCenter,
                      QFontMetrics(font).elidedText(word, Qt::ElideRight, word_width));
    const QRect track(area.left() + word_width + bar_gap, area.top() + 4,
                      std::max(area.width() - word_width - number_width - 2 * bar_gap, 8), area.height() - 8);
    painter->fillRect(track, option.palette.color(QPalette::AlternateBase));
    QColor colour = is_selected ? text : option.palette.color(QPalette::Highlight);
    colour.setAlphaF(is_said ? 1.0F : 0.65F);
    const double copied = std::clamp(index.data(CandidateModel::copied_role).toDouble(), 0.0, probability);
    QRectF bar(track);
    bar.setWidth(track.width() * std::clamp(probability - copied, 0.0, 1.0));
    painter->fillRect(bar, colour);
    bar.setLeft(bar.right());
    bar.setWidth(track.width() * std::clamp(copied, 0.0, 1.0));
    fill_copied(*painter, bar, colour);
    painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, percent_text(probability));
    painter->restore();
}

QSize CandidateDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {160, option.fontMetrics.height() + 8};
}

}  // namespace headlight
