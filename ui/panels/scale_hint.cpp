#include "ui/panels/scale_hint.h"

#include "core/figure/faint_maximum.h"
#include "core/workbench/figure_edits.h"
#include "ui/models/document.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace headlight {
ScaleHint::ScaleHint(Document& document, QWidget* parent)
    : QFrame(parent), document_(document), message_(new QLabel) {
    describe(this, QStringLiteral("scale_hint"), tr("About the colours"), {});
    give_role(*this, Role::notice_message);
    make_note(*message_);
    message_->setWordWrap(true);  // rather two lines than a wider window
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 2, 12, 2);
    layout->setSpacing(4);
    layout->addWidget(message_, 1);
    layout->addWidget(add_scale(QStringLiteral("hint_fitted"), tr("Fitted"),
                                tr("Colours from the smallest to the largest number shown"), &fit_range));
    layout->addWidget(add_scale(QStringLiteral("hint_log"), tr("Log"),
                                tr("Colour follows the logarithm: small weights become visible"),
                                &choose_logarithmic_scale));
    auto* dismiss = new QToolButton;
    describe(dismiss, QStringLiteral("scale_hint_dismiss"), tr("Dismiss the hint"), tr("Hides this hint"));
    dismiss->setText(QStringLiteral("×"));
    dismiss->setAutoRaise(true);
    layout->addWidget(dismiss);
    connect(dismiss, &QToolButton::clicked, this, &ScaleHint::dismiss);
    connect(&document_, &Document::run_changed, this, &ScaleHint::refresh);
    connect(&document_, &Document::session_changed, this, [this](const Session& before) {
        if (before.mechanism != document_.session().mechanism)
            is_dismissed_ = false;
        refresh();
    });
    connect(&document_.looking(), &Looking::view_changed, this, &ScaleHint::refresh);
    connect(&document_, &Document::lesson_changed, this, &ScaleHint::refresh);
    refresh();
}

QToolButton* ScaleHint::add_scale(const QString& id, const QString& text, const QString& effect,
                                  Edit (*choose)(Session)) {
    auto* button = new QToolButton;
    describe(button, id, tr("Scale: %1").arg(text), effect);
    button->setText(text);
    connect(button, &QToolButton::clicked, this,
            [this, choose] { document_.edit(choose(document_.session())); });
    return button;
}

void ScaleHint::dismiss() {
    is_dismissed_ = true;
    refresh();
}

void ScaleHint::set_lesson_ended(bool ended) {
    is_lesson_ended_ = ended;
    refresh();
}

void ScaleHint::refresh() {
    const auto figure = document_.figure();
    const auto largest = figure ? faint_maximum(*figure) : std::nullopt;
    if (largest)
        message_->setText(tr("Weights are small here, at most %1 on a scale to 1. These scales show them:")
                              .arg(*largest, 0, 'g', 2));
    if (largest && !said_at_)
        said_at_.emplace(document_.lesson());
    else if (figure && !largest)
        said_at_.reset();
    setVisible(largest && !is_dismissed_ && !is_lesson_ended_ && *said_at_ == document_.lesson());
}

}  // namespace headlight
