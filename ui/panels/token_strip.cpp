#include "ui/panels/token_strip.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

constexpr int strip_gap = 4;
constexpr int padding = 6;

/// White space is a token too when a text is split into characters; it has to be seen.
QString shown(const QString& token) {
    if (token == QLatin1String("\n") || token == QLatin1String("\r\n"))
        return QStringLiteral("⏎");
    if (token == QLatin1String("\t"))
        return QStringLiteral("⇥");
    return token.trimmed().isEmpty() ? QStringLiteral("␣") : token;
}

}  // namespace

TokenStrip::TokenStrip(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::TabFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

bool TokenStrip::set_tokens(const QStringList& tokens, const std::vector<bool>& unknown) {
    if (tokens == given_ && unknown == unknown_)
        return false;
    given_ = tokens;
    tokens_ = tokens.mid(0, most_shown);
    unknown_ = unknown;
    right_to_left_ = tokens_.join(QChar(' ')).isRightToLeft();
    lay_out(width(), chips_);
    setAccessibleDescription(tr("Tokens, %1 in all: %2").arg(tokens.size()).arg(tokens_.join(QChar(' '))) +
                             more());
    updateGeometry();
    update();
    return true;
}

QString TokenStrip::more() const {
    const auto rest = given_.size() - tokens_.size();
    return rest > 0 ? tr(" … and %1 more").arg(rest) : QString();
}

void TokenStrip::set_selected(std::optional<int> token) {
    if (token == selected_)
        return;
    selected_ = token;
    update();
}

void TokenStrip::set_found(std::vector<TokenRange> found) {
    if (found == found_)
        return;
    found_ = std::move(found);
    update();
}

bool TokenStrip::is_unknown(int token) const {
    const auto i = static_cast<std::size_t>(token);
    return i < unknown_.size() && unknown_[i];
}

int TokenStrip::lay_out(int width, std::vector<QRect>& chips) const {
    chips.clear();
    const QFontMetrics metrics = fontMetrics();
    const int height = metrics.height() + padding;
    const int longest = std::max(width, 24);
    int x = 0, y = 0;
    for (const QString& token : tokens_) {
        const int advance = std::min(metrics.horizontalAdvance(shown(token)) + 2 * padding, longest);
        if (x > 0 && x + advance > width) {
            x = 0;
            y += height + strip_gap;
        }
        const int left = right_to_left_ ? width - x - advance : x;
        chips.emplace_back(left, y, advance, height);
        x += advance + strip_gap;
    }
    return given_.size() > tokens_.size() ? y + strip_gap + 2 * height : y + height;
}

int TokenStrip::heightForWidth(int width) const {
    std::vector<QRect> chips;
    return lay_out(width, chips);
}

QSize TokenStrip::sizeHint() const { return {200, heightForWidth(std::max(width(), 120))}; }

QSize TokenStrip::minimumSizeHint() const { return {80, fontMetrics().height() + padding}; }

void TokenStrip::resizeEvent(QResizeEvent*) { lay_out(width(), chips_); }

void TokenStrip::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int token = 0; token < tokens_.size(); ++token) {
        const QRect& chip = chips_[static_cast<std::size_t>(token)];
        if (!chip.intersects(event->rect()))
            continue;
        const bool chosen = selected_ == token;
        QPen outline(chosen ? palette().color(QPalette::Highlight) : palette().color(QPalette::Mid));
        if (is_unknown(token)) {
            outline.setColor(palette().color(chosen ? QPalette::Highlight : QPalette::WindowText));
            outline.setStyle(Qt::DashLine);
        }
        painter.setPen(outline);
        painter.setBrush(palette().color(chosen ? QPalette::Highlight : QPalette::Base));
        painter.drawRoundedRect(QRectF(chip).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        painter.setPen(palette().color(chosen ? QPalette::HighlightedText : QPalette::Text));
        QFont style = font();
        style.setItalic(is_unknown(token));
        painter.setFont(style);
        const QString text =
            fontMetrics().elidedText(shown(tokens_[token]), Qt::ElideRight, chip.width() - padding);
        painter.drawText(chip, Qt::AlignCenter, text);
        if (is_among(found_, token))
            painter.fillRect(QRect(chip.left() + 3, chip.bottom() - 2, chip.width() - 6, 3),
                             palette().color(chosen ? QPalette::HighlightedText : QPalette::Highlight));
    }
    if (const QString rest = more(); !rest.isEmpty() && !chips_.empty()) {
        painter.setFont(font());
        painter.setPen(palette().color(QPalette::PlaceholderText));
        const int height = chips_.back().height();
        painter.drawText(QRect(0, chips_.back().bottom() + strip_gap, width(), height),
                         Qt::AlignLeft | Qt::AlignVCenter, rest.trimmed());
    }
    if (hasFocus() && selected_ && *selected_ < tokens_.size()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::WindowText), 2));
        painter.drawRoundedRect(QRectF(chip(*selected_)).adjusted(1, 1, -1, -1), 4, 4);
    }
}

std::optional<int> TokenStrip::token_at(QPoint point) const {
    const auto found =
        std::find_if(chips_.begin(), chips_.end(), [&](const QRect& chip) { return chip.contains(point); });
    if (found == chips_.end())
        return std::nullopt;
    return static_cast<int>(found - chips_.begin());
}

bool TokenStrip::event(QEvent* event) {
    if (event->type() == QEvent::FontChange)
        lay_out(width(), chips_);
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto token = token_at(help->pos());
        if (!token)
            return QWidget::event(event);
        const QString place = tr("Token %1: “%2”").arg(*token + 1).arg(tokens_[*token]);
        QToolTip::showText(
            help->globalPos(),
            is_unknown(*token)
                ? place + "\n" +
                      tr("Not among the English word vectors: it has a vector made from its spelling")
                : place,
            this);
        return true;
    }
    return QWidget::event(event);
}

void TokenStrip::mousePressEvent(QMouseEvent* event) {
    if (const auto token = token_at(event->pos()); token && event->button() == Qt::LeftButton)
        emit token_chosen(*token);
    else
        QWidget::mousePressEvent(event);
}

void TokenStrip::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(tokens_.size()) - 1;
    const int here = std::clamp(selected_.value_or(0), 0, std::max(last, 0));
    const int onward = right_to_left_ ? -1 : 1;
    int next;
    switch (event->key()) {
    case Qt::Key_Right:
        next = here + onward;
        break;
    case Qt::Key_Left:
        next = here - onward;
        break;
    case Qt::Key_Home:
        next = 0;
        break;
    case Qt::Key_End:
        next = last;
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    if (last >= 0)
        emit token_chosen(std::clamp(next, 0, last));
}

}  // namespace headlight
