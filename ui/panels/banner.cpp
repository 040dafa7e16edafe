#include "ui/panels/banner.h"

#include "ui/views/describe.h"
#include "ui/views/role.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

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
    : QFrame(parent), message_(new QLabel), dismiss_(new QToolButton) {
    describe(this, id, tr("Message"), {});
    message_->setWordWrap(true);
    message_->setTextFormat(Qt::RichText);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    message_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    describe(dismiss_, id + "_dismiss", tr("Dismiss the message"), tr("Hides this message"));
    dismiss_->setText(QStringLiteral("×"));
    dismiss_->setAutoRaise(true);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 6, 6);
    layout->addWidget(message_, 1);
    layout->addWidget(dismiss_, 0, Qt::AlignTop);
    connect(dismiss_, &QToolButton::clicked, this, &QWidget::hide);
    hide();
}

void Banner::show_error(const Error& error) {
    show_message(Kind::problem, error_html(error), QString::fromUtf8(error.what()));
}

void Banner::show_notice(const QString& text) { show_message(Kind::notice, text.toHtmlEscaped(), text); }

QString Banner::text() const { return isHidden() ? QString() : plain_; }

void Banner::show_message(Kind kind, const QString& html, const QString& plain) {
    kind_ = kind;
    plain_ = plain;
    message_->setText(html);
    setAccessibleName(plain);
    give_role(*this, kind == Kind::problem ? Role::problem_message : Role::notice_message);
    show();
    emit said();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

}  // namespace headlight
