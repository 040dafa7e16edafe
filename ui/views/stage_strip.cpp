#include "ui/views/stage_strip.h"

#include "core/figure/view_titles.h"
#include "ui/models/menu_text.h"
#include "ui/views/role.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

/// A stage, the one before it and the one after it.
constexpr int most_neighbours = 3;

}  // namespace

StageStrip::StageStrip(QWidget* parent)
    : QWidget(parent), area_(new QWidget(this)), window_(new QWidget(area_)), names_(new QWidget(window_)),
      row_(new QHBoxLayout(names_)), buttons_(new QButtonGroup(this)) {
    setAccessibleName(tr("Stages"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    row_->setContentsMargins(4, 2, 4, 2);
    row_->setSpacing(2);
    row_->addStretch();

    setLayoutDirection(Qt::LeftToRight);  // as the formula beside it is read in every language
    back_ = add_scroller(Qt::LeftArrow, tr("Earlier stages"), &StageStrip::scroll_back);
    forward_ = add_scroller(Qt::RightArrow, tr("Later stages"), &StageStrip::scroll_forward);
    connect(buttons_, &QButtonGroup::idClicked, this,
            [this](int id) { emit chosen(stages_[static_cast<std::size_t>(id)].name); });
}

QToolButton* StageStrip::add_scroller(Qt::ArrowType arrow, const QString& name, void (StageStrip::*turn)()) {
    auto* button = new QToolButton(this);
    button->setArrowType(arrow);
    give_role(*button, Role::stage);
    button->setAutoRepeat(true);
    button->setFocusPolicy(Qt::NoFocus);
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->hide();
    connect(button, &QToolButton::clicked, this, turn);
    return button;
}

void StageStrip::scroll_back() {
    Part part{seen_.first, seen_.first};
    for (part.last = std::max(seen_.first - 1, 0); part.first > 0; --part.first)
        if (width_of({part.first - 1, part.last}) > area_->width())
            break;
    part.first = std::min(part.first, part.last);
    show_part(part);
}

void StageStrip::scroll_forward() {
    Part part{std::min(seen_.last + 1, count() - 1), 0};
    for (part.last = part.first; part.last + 1 < count(); ++part.last)
        if (width_of({part.first, part.last + 1}) > area_->width())
            break;
    show_part(part);
}

void StageStrip::add_place() {
    auto* arrow = new QLabel(QStringLiteral("›"));
    arrow->setForegroundRole(QPalette::PlaceholderText);
    auto* button = new QToolButton;
    button->setCheckable(true);
    give_role(*button, Role::stage);
    button->setFocusPolicy(Qt::StrongFocus);
    button->installEventFilter(this);
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
        places_[i].button->setToolTip(
            tr("Show the %1").arg(QString::fromStdString(in_a_sentence(stages_[i].title, stages_[i].name))));
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

QSize StageStrip::sizeHint() const {
    QSize least(0, area_->minimumHeight());
    for (const QToolButton* scroller : {back_, forward_})
        if (!scroller->isHidden()) {
            const QSize size = scroller->sizeHint();
            least = {least.width() + size.width(), std::max(least.height(), size.height())};
        }
    return least;
}

int StageStrip::least_width() const {
    const QMargins around = row_->contentsMargins();
    return whole_name_ + around.left() + around.right() + back_->sizeHint().width() +
           forward_->sizeHint().width();
}

int StageStrip::width_of_neighbours() const {
    return neighbours_ +
           (count() > most_neighbours ? back_->sizeHint().width() + forward_->sizeHint().width() : 0);
}

int StageStrip::left_of(int stage) const {
    int left = row_->contentsMargins().left();
    for (int i = 0; i < stage; ++i)
        left += places_[static_cast<std::size_t>(i)].button->sizeHint().width() +
                places_[static_cast<std::size_t>(i + 1)].arrow->sizeHint().width() + 2 * row_->spacing();
    return left;
}

int StageStrip::width_of(Part part) const {
    const QMargins around = row_->contentsMargins();
    return left_of(part.last) - left_of(part.first) + around.left() + around.right() +
           places_[static_cast<std::size_t>(part.last)].button->sizeHint().width();
}

int StageStrip::room_beside_scrollers() const {
    return width() - back_->sizeHint().width() - forward_->sizeHint().width();
}

StageStrip::Part StageStrip::part_around(int stage, int room) const {
    Part part{stage, stage};
    for (bool grows = true; grows;) {
        grows = false;
        if (part.last + 1 < count() && width_of({part.first, part.last + 1}) <= room) {
            ++part.last;
            grows = true;
        }
        if (part.first > 0 && width_of({part.first - 1, part.last}) <= room) {
            --part.first;
            grows = true;
        }
    }
    return part;
}

void StageStrip::show_part(Part part) {
    seen_ = part;
    const QMargins around = row_->contentsMargins();
    const int height = area_->height(), all = width_of({0, count() - 1});
    // From the first name to the last, without the arrows beside them.
    window_->setGeometry(around.left(), 0, width_of(part) - around.left() - around.right(), height);
    names_->setGeometry(-left_of(part.first), 0, std::max(all, width()), height);
    row_->setGeometry(names_->rect());  // a strip that is not shown yet gets no events
    back_->setEnabled(part.first > 0);
    forward_->setEnabled(part.last + 1 < count());
}

void StageStrip::write_name(int stage, int room) {
    QToolButton& button = *places_[static_cast<std::size_t>(stage)].button;
    const QString title = button.accessibleName();
    button.setText(menu_text(title));
    const int too_wide = width_of({stage, stage}) - room;
    if (const QFontMetrics letters = button.fontMetrics(); too_wide > 0)
        button.setText(menu_text(
            letters.elidedText(title, Qt::ElideRight, letters.horizontalAdvance(title) - too_wide)));
}

/// In place of a layout: to show what scrolls, as here while all around is laid out, would begin that anew
/// from within, since a widget that appears has the layouts of all around it done at once.
void StageStrip::place_parts(bool scrolls) {
    back_->setVisible(scrolls);
    forward_->setVisible(scrolls);
    const int left = scrolls ? back_->sizeHint().width() : 0,
              right = width() - (scrolls ? forward_->sizeHint().width() : 0);
    const auto place = [this](QWidget& part, int from, QSize size) {
        part.setGeometry(QRect(QPoint(from, (height() - size.height()) / 2), size));
    };
    place(*back_, 0, back_->sizeHint());
    place(*area_, left, QSize(std::max(right - left, 0), area_->minimumHeight()));
    place(*forward_, right, forward_->sizeHint());
}

void StageStrip::fit() {
    const QSize before = sizeHint();
    area_->setFixedHeight(row_->sizeHint().height());
    whole_name_ = neighbours_ = 0;
    if (stages_.empty()) {
        place_parts(false);
        return updateGeometry();
    }
    for (int stage = 0; stage < count(); ++stage)
        write_name(stage, QWIDGETSIZE_MAX);
    for (int first = 0; first == 0 || first + most_neighbours <= count(); ++first)
        neighbours_ =
            std::max(neighbours_, width_of({first, std::min(first + most_neighbours, count()) - 1}));
    if (current() >= 0)
        whole_name_ = places_[static_cast<std::size_t>(current())].button->sizeHint().width();
    // Where there is room for one stage alone, it has all of that.
    const bool has_room_for_all = width_of({0, count() - 1}) <= width();
    const bool scrolls = !has_room_for_all && (current() < 0 || least_width() <= width());
    place_parts(scrolls);
    if (sizeHint() != before)
        updateGeometry();
    const int room = scrolls ? room_beside_scrollers() : width();
    if (current() >= 0)
        write_name(current(), room);
    show_part(has_room_for_all ? Part{0, count() - 1} : part_around(std::max(current(), 0), room));
}

bool StageStrip::eventFilter(QObject* watched, QEvent* event) {
    if (const int stage = buttons_->id(qobject_cast<QAbstractButton*>(watched));
        event->type() == QEvent::FocusIn && stage >= 0 && stage < count() && !seen_.has(stage))
        show_part(part_around(stage, area_->width()));
    return QWidget::eventFilter(watched, event);
}

void StageStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    // Its own width may stay as it is, but the names are higher now.
    if (event->type() == QEvent::FontChange)
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
