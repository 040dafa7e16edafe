#include "ui/views/stage_strip.h"

#include "ui/models/menu_text.h"
#include "ui/views/role.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace headlight {

StageStrip::StageStrip(QWidget* parent)
    : QWidget(parent), area_(new QScrollArea), row_(nullptr), buttons_(new QButtonGroup(this)) {
    setAccessibleName(tr("Stages"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    area_->setFrameShape(QFrame::NoFrame);
    area_->setWidgetResizable(true);
    area_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area_->setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget;
    row_ = new QHBoxLayout(content);
    row_->setContentsMargins(4, 2, 4, 2);
    row_->setSpacing(2);
    row_->addStretch();
    area_->setWidget(content);

    setLayoutDirection(Qt::LeftToRight);  // as the formula beside it is read in every language
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    back_ = add_scroller(Qt::LeftArrow, tr("Earlier stages"), -1);
    layout->addWidget(area_, 1);
    forward_ = add_scroller(Qt::RightArrow, tr("Later stages"), 1);
    connect(buttons_, &QButtonGroup::idClicked, this,
            [this](int id) { emit chosen(stages_[static_cast<std::size_t>(id)].name); });
}

QToolButton* StageStrip::add_scroller(Qt::ArrowType arrow, const QString& name, int direction) {
    auto* button = new QToolButton;
    button->setArrowType(arrow);
    give_role(*button, Role::stage);
    button->setAutoRepeat(true);
    button->setFocusPolicy(Qt::NoFocus);
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->hide();
    layout()->addWidget(button);
    connect(button, &QToolButton::clicked, this, [this, direction] {
        QScrollBar* bar = area_->horizontalScrollBar();
        bar->setValue(bar->value() + direction * area_->viewport()->width() / 2);
    });
    return button;
}

void StageStrip::add_place() {
    auto* arrow = new QLabel(QStringLiteral("›"));
    arrow->setForegroundRole(QPalette::PlaceholderText);
    auto* button = new QToolButton;
    button->setCheckable(true);
    give_role(*button, Role::stage);
    button->setFocusPolicy(Qt::StrongFocus);
    buttons_->addButton(button, static_cast<int>(places_.size()));
    row_->insertWidget(row_->count() - 1, arrow);  // before the stretch
    row_->insertWidget(row_->count() - 1, button);
    places_.push_back({arrow, button});
}

void StageStrip::set_stages(std::vector<Named> stages) {
    if (stages == stages_)
        return;
    stages_ = std::move(stages);
    while (places_.size() < stages_.size())
        add_place();
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        const QString title = QString::fromStdString(stages_[i].title);
        places_[i].button->setText(menu_text(title));
        places_[i].button->setAccessibleName(title);
        places_[i].button->setToolTip(tr("Show the %1").arg(title.toLower()));
        places_[i].button->setObjectName(QString::fromStdString(stages_[i].name));
    }
    // Widgets stay for the next stages. A layout shows new ones only later, and counts them only then; their
    // size is wanted now.
    for (std::size_t i = 0; i < places_.size(); ++i) {
        places_[i].arrow->setVisible(i > 0 && i < stages_.size());
        places_[i].button->setVisible(i < stages_.size());
    }
    fit();
}

bool StageStrip::offers(const std::string& stage) const {
    return std::ranges::find(stages_, stage, &Named::name) != stages_.end();
}

void StageStrip::set_current(const std::string& stage) {
    const auto found = std::ranges::find(stages_, stage, &Named::name);
    QAbstractButton* current =
        found == stages_.end() ? nullptr : buttons_->button(static_cast<int>(found - stages_.begin()));
    if (current == buttons_->checkedButton())
        return;
    // An exclusive group refuses to have no button pressed, which is what a stage without a picture asks for.
    buttons_->setExclusive(false);
    for (QAbstractButton* button : buttons_->buttons())
        button->setChecked(button == current);
    buttons_->setExclusive(true);
    fit();
}

int StageStrip::least_width() const {
    const QAbstractButton* current = buttons_->checkedButton();
    const QMargins around = row_->contentsMargins();
    return (current ? current->sizeHint().width() : 0) + around.left() + around.right() +
           back_->sizeHint().width() + forward_->sizeHint().width();
}

void StageStrip::fit() {
    row_->activate();
    const QSize needed = area_->widget()->minimumSizeHint();
    area_->setFixedHeight(needed.height());
    QAbstractButton* current = buttons_->checkedButton();
    // Where there is room for one stage alone, it has all of that.
    const bool scrolls = needed.width() > width() && (!current || least_width() <= width());
    back_->setVisible(scrolls);
    forward_->setVisible(scrolls);
    if (!current)
        return;
    layout()->activate();  // the part in sight is as wide as those two leave it
    const int spare = (area_->viewport()->width() - current->width()) / 2;
    area_->ensureWidgetVisible(current, std::clamp(spare, 0, current->width()), 0);
}

void StageStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    // Its own width may stay as it is, but the names are higher now.
    if (event->type() == QEvent::FontChange && area_->widget())
        fit();
}

void StageStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void StageStrip::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    fit();
}

}  // namespace headlight
