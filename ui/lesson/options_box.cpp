#include "ui/lesson/options_box.h"

#include "ui/lesson/hands_box.h"
#include "ui/models/menu_text.h"
#include "ui/views/describe.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QRadioButton>
#include <QSpinBox>

#include <algorithm>

namespace headlight {
namespace {

/// Without words, which stand beside it in a label that breaks lines: as tall as the first of these, so that
/// its circle lies level with it in every size of type.
class OptionMark : public QRadioButton {
public:
    QSize sizeHint() const override {
        return QRadioButton::sizeHint().expandedTo(QSize(0, fontMetrics().height()));
    }
};

}  // namespace

QStringList numbered_options(const Question& question) {
    QStringList options;
    for (const std::string& option : question.options)
        options += QStringLiteral("%1  %2").arg(options.size() + 1).arg(QString::fromStdString(option));
    return options;
}

OptionsBox::OptionsBox(const Question& question, QWidget* parent)
    : QWidget(parent),
      counting_(make_counting_box(tr("A number for each answer: how many of the class are for it"))),
      chosen_(new QButtonGroup(this)) {
    auto* rows = new QGridLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setColumnStretch(1, 1);
    const QStringList numbered = numbered_options(question);
    for (std::size_t i = 0; i < question.options.size(); ++i) {
        const QString words = QString::fromStdString(question.options[i]);
        const int row = static_cast<int>(i);
        auto* option = new OptionMark;
        describe(option, QStringLiteral("lesson_option_%1").arg(i + 1), words, tr("Your guess"));
        chosen_->addButton(option, row);
        QSpinBox* hands =
            make_hands_field(QStringLiteral("lesson_hands_%1").arg(i + 1), tr("Hands for: %1").arg(words),
                             tr("How many of the class are for this answer"));
        hands->hide();
        hands_.push_back(hands);
        auto* label = new QLabel(menu_text(numbered[row]));  // whose buddy has it underline
        label->setWordWrap(true);
        label->setBuddy(option);
        label->installEventFilter(this);
        rows->addWidget(option, row, 0, Qt::AlignTop);
        rows->addWidget(label, row, 1);
        rows->addWidget(hands, row, 2);
        connect(hands, &QSpinBox::valueChanged, this, &OptionsBox::changed);
    }
    rows->addWidget(counting_, rows->rowCount(), 0, 1, 3);
    const std::vector<QWidget*> stops = tab_stops();
    for (std::size_t at = 1; at < stops.size(); ++at)
        setTabOrder(stops[at - 1], stops[at]);
    connect(chosen_, &QButtonGroup::idClicked, this, &OptionsBox::changed);
    connect(counting_, &QCheckBox::toggled, this, [this](bool counts) {
        for (QSpinBox* hands : hands_)
            hands->setVisible(counts);
        for (QAbstractButton* option : chosen_->buttons())
            option->setVisible(!counts);
        emit changed();
    });
}

bool OptionsBox::eventFilter(QObject* watched, QEvent* event) {
    if (const auto* label = qobject_cast<QLabel*>(watched);
        label && event->type() == QEvent::MouseButtonRelease && !counting_->isChecked())
        qobject_cast<QRadioButton*>(label->buddy())->click();
    return QWidget::eventFilter(watched, event);
}

bool OptionsBox::is_counting() const { return counting_->isChecked(); }

void OptionsBox::set_counting(bool counts) { counting_->setChecked(counts); }

void OptionsBox::choose(int option) {
    if (QAbstractButton* button = chosen_->button(option); button && !is_counting())
        button->click();
}

void OptionsBox::choose_by(int by) {
    const int count = static_cast<int>(chosen_->buttons().size()), now = chosen_->checkedId();
    choose(now < 0 ? (by > 0 ? 0 : count - 1) : std::clamp(now + by, 0, count - 1));
}

void OptionsBox::take_focus() {
    QWidget* first = is_counting() ? static_cast<QWidget*>(hands_.front()) : chosen_->button(0);
    first->setFocus(Qt::OtherFocusReason);
}

bool OptionsBox::focus_hands(int option) {
    QSpinBox* field = hands_.at(static_cast<std::size_t>(option));
    if (!field->isVisible())
        return false;
    field->setFocus(Qt::OtherFocusReason);
    field->selectAll();
    return true;
}

std::vector<int> OptionsBox::hands() const {
    std::vector<int> counted;
    for (const QSpinBox* field : hands_)
        counted.push_back(field->value());
    return counted;
}

void OptionsBox::set_hands(int option, int hands) {
    hands_.at(static_cast<std::size_t>(option))->setValue(hands);
}

std::vector<QWidget*> OptionsBox::tab_stops() const {
    std::vector<QWidget*> stops;
    for (QAbstractButton* option : chosen_->buttons())
        stops.push_back(option);
    stops.push_back(counting_);  // who turns it on goes on with the first field
    stops.insert(stops.end(), hands_.begin(), hands_.end());
    return stops;
}

void OptionsBox::lead_to(QWidget& next) { setTabOrder(hands_.back(), &next); }

std::optional<Guess> OptionsBox::guess() const {
    Guess guess;
    if (counting_->isChecked()) {
        for (const QSpinBox* hands : hands_)
            guess.hands.push_back(static_cast<std::size_t>(hands->value()));
        const bool is_counted = std::ranges::any_of(guess.hands, [](std::size_t count) { return count > 0; });
        return is_counted ? std::optional(guess) : std::nullopt;
    }
    if (chosen_->checkedId() < 0)
        return std::nullopt;
    guess.option = static_cast<std::size_t>(chosen_->checkedId());
    return guess;
}

}  // namespace headlight
