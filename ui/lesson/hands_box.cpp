#include "ui/lesson/hands_box.h"

#include "ui/views/describe.h"
#include "ui/views/whole_number_box.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {
namespace {

/// Words are one guess in any case, and with blanks around them.
bool is_same(const Guess& a, const Guess& b) {
    const auto plain = [](const Guess& guess) { return QString::fromStdString(guess.word).trimmed(); };
    return a.number == b.number && a.query == b.query && a.key == b.key &&
           plain(a).compare(plain(b), Qt::CaseInsensitive) == 0;
}

}  // namespace

QCheckBox* make_counting_box(const QString& effect) {
    auto* box = new QCheckBox(HandsBox::tr("C&ount hands"));
    describe(box, QStringLiteral("lesson_counting"), HandsBox::tr("Count hands"), effect);
    return box;
}

QSpinBox* make_hands_field(const QString& id, const QString& name, const QString& effect) {
    constexpr int most_hands = 999;
    auto* field = new WholeNumberBox;
    field->setRange(0, most_hands);
    describe(field, id, name, effect);
    return field;
}

HandsBox::HandsBox(QWidget* parent)
    : QWidget(parent), counting_(make_counting_box(tr("Each guess of the class, and how many are for it"))),
      row_(new QWidget),
      hands_(make_hands_field(QStringLiteral("lesson_hands"), tr("Hands for this guess"),
                              tr("How many of the class are for it; then set the next guess"))),
      tally_(new QLabel) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* row = new QHBoxLayout(row_);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(new QLabel(tr("Hands raised:")));
    row->addWidget(hands_);
    row->addStretch();
    tally_->setObjectName(QStringLiteral("lesson_tally"));
    tally_->setWordWrap(true);
    tally_->setTextFormat(Qt::PlainText);
    column->addWidget(counting_);
    column->addWidget(row_);
    column->addWidget(tally_);
    row_->hide();
    tally_->hide();
    connect(counting_, &QCheckBox::toggled, this, [this](bool counts) {
        row_->setVisible(counts);
        show_tally();
        emit changed();
    });
    connect(hands_, &QSpinBox::valueChanged, this, &HandsBox::count);
    set_guess({}, {});
}

bool HandsBox::is_counting() const { return counting_->isChecked(); }

void HandsBox::set_counting(bool counts) { counting_->setChecked(counts); }

HandsBox::Counted* HandsBox::counted(const Guess& guess) {
    const auto found =
        std::ranges::find_if(counted_, [&](const Counted& each) { return is_same(each.guess, guess); });
    return found == counted_.end() ? nullptr : &*found;
}

void HandsBox::set_guess(const std::optional<Guess>& guess, const QString& words) {
    now_ = guess ? std::optional(Counted{*guess, words}) : std::nullopt;
    const Counted* known = guess ? counted(*guess) : nullptr;
    const QSignalBlocker quiet(hands_);
    hands_->setValue(known ? static_cast<int>(known->guess.people) : 0);
    hands_->setEnabled(guess.has_value());
}

void HandsBox::count(int hands) {
    if (!now_)
        return;
    now_->guess.people = static_cast<std::size_t>(hands);
    if (Counted* known = counted(now_->guess))
        known->guess.people = now_->guess.people;
    else
        counted_.push_back(*now_);
    std::erase_if(counted_, [](const Counted& each) { return each.guess.people == 0; });
    show_tally();
    emit changed();
}

std::vector<Guess> HandsBox::guesses() const {
    std::vector<Guess> guesses;
    for (const Counted& each : counted_)
        guesses.push_back(each.guess);
    return guesses;
}

int HandsBox::hands() const { return hands_->value(); }

void HandsBox::set_hands(int hands) { hands_->setValue(hands); }

QStringList HandsBox::tally() const {
    QStringList lines;
    for (const Counted& each : counted_)
        lines += tr("%1 for %2").arg(QString::number(each.guess.people), each.words);
    return lines;
}

void HandsBox::show_tally() {
    const QStringList lines = tally();
    tally_->setText(lines.join(QLatin1Char('\n')));
    tally_->setVisible(is_counting() && !lines.isEmpty());
}

bool HandsBox::take_focus() {
    if (!hands_->isVisible())
        return false;
    hands_->setFocus();
    hands_->selectAll();
    return true;
}

std::vector<QWidget*> HandsBox::tab_stops() const { return {counting_, hands_}; }

}  // namespace headlight
