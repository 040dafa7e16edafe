#include "ui/views/lines_bar.h"

#include "ui/models/counted_text.h"
#include "ui/views/elided_label.h"
#include "ui/views/plain_number_box.h"
#include "ui/views/role.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace headlight {

LinesBar::LinesBar(QWidget* parent)
    : QWidget(parent), least_(new PlainNumberBox), hidden_(new ElidedLabel), held_(new ElidedLabel) {
    least_->setObjectName(QStringLiteral("lines_least"));
    least_->setAccessibleName(tr("Hide lines under"));
    least_->setToolTip(tr("Lines of smaller numbers, whatever their sign, are not drawn here"));
    least_->setDecimals(4);
    least_->setRange(0, 1e6);
    least_->setSingleStep(0.01);
    auto* label = new QLabel(tr("Hide lines &under"));
    label->setBuddy(least_);
    hidden_->setObjectName(QStringLiteral("lines_hidden"));
    held_->setObjectName(QStringLiteral("lines_held"));
    for (QLabel* note : {hidden_, held_})
        make_note(*note);
    held_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* release = new QToolButton;
    release->setObjectName(QStringLiteral("lines_release"));
    release->setText(tr("Show all"));
    release->setAccessibleName(tr("Show the lines of all tokens"));
    release->setToolTip(tr("Shows the lines of all tokens again. Key: Esc"));
    release_ = release;
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->setSpacing(8);
    row->addWidget(label);
    row->addWidget(least_);
    row->addWidget(hidden_);
    row->addWidget(held_, 1);
    row->addWidget(release_);
    connect(least_, &QDoubleSpinBox::valueChanged, this, &LinesBar::least_changed);
    connect(release, &QToolButton::clicked, this, &LinesBar::release_asked);
    show_held({});
}

double LinesBar::least() const { return least_->value(); }

void LinesBar::show_hidden(const HiddenLines& hidden) {
    const double share = hidden.sum > 0 ? 100 * hidden.hidden_sum / hidden.sum : 0;
    hidden_->setText(hidden.count == 0 ? QString()
                                       : tr("%1 hidden: %2 % of the sum")
                                             .arg(counted_text(hidden.count, "line"),
                                                  QString::number(share, 'f', share < 0.1 ? 2 : 1)));
    hidden_->setToolTip(hidden_->text());
}

void LinesBar::show_held(const QString& held) {
    held_->setText(held.isEmpty() ? tr("A click keeps a token’s lines") : held);
    held_->setToolTip(held_->text());  // a narrow window cuts it
    release_->setVisible(!held.isEmpty());
}

}  // namespace headlight
