#include "ui/panels/banner.h"

#include "ui/views/describe.h"
#include "ui/views/role.h"

#include <QAccessible>
#include <QApplication>
#include <QEvent>
#include <QFontInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {
namespace {

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

}  // namespace

QString error_html(const Error& error) {
    const ErrorDetail& detail = error.detail();
    QString html;
    if (!detail.where.empty())
        html += "<b>" + escaped(detail.where) + "</b>: ";
    html += escaped(detail.what) + ".";
    if (!detail.expected.empty())
        html += " " + Banner::tr("Expected: %1.").arg(escaped(detail.expected));
    if (!detail.got.empty())
        html += " " + Banner::tr("Found: %1.").arg(escaped(detail.got));
    return html;
}

Banner::Banner(const QString& id, QWidget* parent)
    : QFrame(parent), message_(new QLabel), step_(new QToolButton), whole_(new QToolButton),
      dismiss_(new QToolButton) {
    describe(this, id, tr("Message"), {});
    message_->setWordWrap(true);
    message_->setTextFormat(Qt::RichText);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    message_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    describe(step_, id + "_step", tr("Mend it"),
             tr("Makes this change, after which it can run. Undo brings back what was there"));
    step_->hide();
    describe(whole_, id + "_whole", tr("The whole message"), tr("Shows all of this message"));
    whole_->setText(QStringLiteral("…"));
    whole_->setAutoRaise(true);
    whole_->hide();
    describe(dismiss_, id + "_dismiss", tr("Dismiss the message"), tr("Hides this message"));
    dismiss_->setText(QStringLiteral("×"));
    dismiss_->setAutoRaise(true);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 4, 0);
    layout->setSpacing(2);
    layout->addWidget(message_, 1);
    layout->addWidget(step_);
    layout->addWidget(whole_);
    layout->addWidget(dismiss_);
    connect(step_, &QToolButton::clicked, this, &Banner::step_asked);
    connect(whole_, &QToolButton::clicked, this, &Banner::show_whole);
    connect(dismiss_, &QToolButton::clicked, this, &QWidget::hide);
    hide();
}

void Banner::show_error(const Error& error) {
    show_message(Kind::problem, error_html(error), QString::fromUtf8(error.what()));
}

void Banner::show_notice(const QString& text) { show_message(Kind::notice, text.toHtmlEscaped(), text); }

void Banner::offer_step(const QString& text) {
    step_->setText(text);
    step_->setAccessibleName(tr("Mend it: %1").arg(text));
    step_->show();
    fit();
}

bool Banner::is_whole_in(const QSize& room) const {
    return message_->heightForWidth(room.width()) <= room.height();
}

void Banner::fit() {
    const QMargins margins = layout()->contentsMargins();
    int buttons = dismiss_->sizeHint().width() + layout()->spacing();
    if (!step_->isHidden())
        buttons += step_->sizeHint().width() + layout()->spacing();
    const QSize room(contentsRect().width() - margins.left() - margins.right() - buttons,
                     contentsRect().height());
    message_->setFont(font());
    const int least = QFontInfo(QApplication::font()).pixelSize();
    for (int size = QFontInfo(font()).pixelSize() - 1; size >= least && !is_whole_in(room); --size) {
        QFont smaller = font();
        smaller.setPixelSize(size);
        message_->setFont(smaller);
    }
    const bool is_whole = is_whole_in(room);
    if (!is_whole)  // the beginning can at least be read from afar
        message_->setFont(font());
    const int line = message_->fontMetrics().lineSpacing();
    whole_->setVisible(!is_whole);
    message_->setAlignment(Qt::AlignLeft | (is_whole ? Qt::AlignVCenter : Qt::AlignTop));
    message_->setMaximumHeight(is_whole ? QWIDGETSIZE_MAX : std::max(1, room.height() / line) * line);
}

void Banner::show_whole() {
    auto* popup = new QFrame(this, Qt::Popup);
    popup->setAttribute(Qt::WA_DeleteOnClose);
    popup->setFont(font());
    give_role(*popup, Role::overlay);
    auto* all = new QLabel(message_->text());
    all->setTextFormat(Qt::RichText);
    all->setWordWrap(true);
    all->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* column = new QVBoxLayout(popup);
    column->addWidget(all);
    popup->setFixedWidth(width());
    popup->adjustSize();
    popup->move(mapToGlobal(QPoint(0, -popup->height())));
    popup->show();
}

void Banner::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    fit();
}

void Banner::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

QString Banner::text() const { return isHidden() ? QString() : plain_; }

void Banner::show_message(Kind kind, const QString& html, const QString& plain) {
    kind_ = kind;
    plain_ = plain;
    message_->setText(html);
    step_->hide();
    setAccessibleName(plain);
    give_role(*this, kind == Kind::problem ? Role::problem_message : Role::notice_message);
    show();
    fit();
    emit said();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

}  // namespace headlight
