#include "ui/views/stage_strip.h"

#include "core/figure/build_figure.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>

namespace headlight {

StageStrip::StageStrip(QWidget* parent) : QScrollArea(parent), buttons_(new QButtonGroup(this)) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Stages"));
    auto* content = new QWidget;
    row_ = new QHBoxLayout(content);
    row_->setContentsMargins(4, 2, 4, 2);
    row_->setSpacing(2);
    setWidget(content);
    connect(buttons_, &QButtonGroup::idClicked, this,
            [this](int id) { emit chosen(stages_[static_cast<std::size_t>(id)]); });
}

void StageStrip::set_stages(const std::vector<std::string>& stages) {
    if (stages == stages_)
        return;
    stages_ = stages;
    while (QLayoutItem* item = row_->takeAt(0)) {
        if (auto* button = qobject_cast<QAbstractButton*>(item->widget()))
            buttons_->removeButton(button);
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        if (i > 0) {
            auto* arrow = new QLabel(QStringLiteral("›"));
            arrow->setForegroundRole(QPalette::PlaceholderText);
            row_->addWidget(arrow);
        }
        auto* button = new QToolButton;
        const QString title = QString::fromStdString(stage_title(stages_[i]));
        button->setText(title);
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setToolTip(
            tr("Show %1, step %2 of %3 of the formula").arg(title.toLower()).arg(i + 1).arg(stages_.size()));
        button->setObjectName(QString::fromStdString(stages_[i]));
        buttons_->addButton(button, static_cast<int>(i));
        row_->addWidget(button);
    }
    row_->addStretch();
    updateGeometry();
}

void StageStrip::set_current(const std::string& stage) {
    const auto found = std::find(stages_.begin(), stages_.end(), stage);
    // An exclusive group refuses to have no button pressed, which is what a stage without a picture asks for.
    buttons_->setExclusive(false);
    for (QAbstractButton* button : buttons_->buttons())
        button->setChecked(false);
    if (found == stages_.end())
        return;
    QAbstractButton* button = buttons_->button(static_cast<int>(found - stages_.begin()));
    button->setChecked(true);
    buttons_->setExclusive(true);
    row_->activate();
    ensureWidgetVisible(button, button->width(), 0);
}

QSize StageStrip::sizeHint() const {
    const int bar = horizontalScrollBar()->isVisible() ? horizontalScrollBar()->sizeHint().height() : 0;
    return {widget()->sizeHint().width(), widget()->sizeHint().height() + bar + 2};
}

QSize StageStrip::minimumSizeHint() const { return {120, sizeHint().height()}; }

}  // namespace headlight
