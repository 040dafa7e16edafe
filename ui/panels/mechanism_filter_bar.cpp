#include "ui/panels/mechanism_filter_bar.h"

#include "core/catalog/family.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
#include "ui/views/whole_number_box.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {
namespace {

/// The years of the first and the latest paper.
std::pair<int, int> years() {
    const int newest = std::ranges::max(mechanisms(), {}, &Mechanism::year).year();
    std::pair<int, int> years(newest, newest);
    for (const Mechanism& mechanism : mechanisms())
        for (const Paper& paper : mechanism.papers)
            years = {std::min(years.first, paper.year), std::max(years.second, paper.year)};
    return years;
}

}  // namespace

MechanismFilterBar::MechanismFilterBar(QWidget* parent)
    : QWidget(parent), family_(new QComboBox), cost_(new QComboBox), clear_(new QToolButton),
      count_(new QLabel) {
    describe(family_, QStringLiteral("filter_family"), tr("Family"),
             tr("Only mechanisms that change this part of the formula"));
    family_->addItem(tr("All families"));
    for (const Family& family : families())
        family_->addItem(QString::fromStdString(family.name), QString::fromStdString(family.name));
    describe(cost_, QStringLiteral("filter_cost"), tr("Cost"),
             tr("How the work grows with the length of the sequence: with every pair of tokens, or with "
                "every token"));
    cost_->addItems({tr("Any cost"), tr("Linear"), tr("Beyond linear")});
    from_ = add_year(QStringLiteral("filter_from"), tr("From year"),
                     tr("Only mechanisms published in this year or later"), true);
    to_ = add_year(QStringLiteral("filter_to"), tr("To year"),
                   tr("Only mechanisms published in this year or earlier"), false);
    describe(clear_, QStringLiteral("filter_clear"), tr("Clear the filters"),
             tr("Shows every mechanism again"));
    clear_->setText(tr("Clear"));
    clear_->setAutoRaise(true);
    count_->setObjectName(QStringLiteral("filter_count"));
    make_note(*count_);

    auto* menus = new QHBoxLayout;
    auto* chips = new QHBoxLayout;
    for (QHBoxLayout* row : {menus, chips})
        row->setSpacing(6);
    menus->addWidget(add_chip(QStringLiteral("filter_first"), tr("First course"),
                              tr("Only the first part of the teaching order: what everybody should know"),
                              &MechanismCriteria::first_course));
    menus->addWidget(family_, 1);
    menus->addWidget(cost_);
    menus->addWidget(from_);
    menus->addWidget(new QLabel(QStringLiteral("–")));
    menus->addWidget(to_);
    chips->addWidget(add_chip(QStringLiteral("filter_row_stochastic"), tr("Rows sum to 1"),
                              tr("The weights of a query add up to 1"), &MechanismCriteria::row_stochastic));
    chips->addWidget(add_chip(QStringLiteral("filter_causal"), tr("Causal"),
                              tr("A query never uses a key that comes after it"),
                              &MechanismCriteria::causal));
    chips->addWidget(add_chip(QStringLiteral("filter_sparse"), tr("Sparse"),
                              tr("Some weights of allowed pairs are exactly 0"), &MechanismCriteria::sparse));
    chips->addWidget(add_chip(QStringLiteral("filter_streaming"), tr("Streaming"),
                              tr("Token by token gives the same as all at once"),
                              &MechanismCriteria::streaming));
    chips->addWidget(add_chip(QStringLiteral("filter_signed"), tr("Signed"), tr("Weights may be negative"),
                              &MechanismCriteria::is_signed));
    chips->addStretch(1);
    chips->addWidget(count_);
    chips->addWidget(clear_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(menus);
    layout->addLayout(chips);
    for (QComboBox* menu : {family_, cost_})
        connect(menu, &QComboBox::currentIndexChanged, this, &MechanismFilterBar::ask);
    for (QSpinBox* year : {from_, to_})
        connect(year, &QSpinBox::valueChanged, this, &MechanismFilterBar::ask);
    connect(clear_, &QToolButton::clicked, this, &MechanismFilterBar::clear);
    refresh();
}

QToolButton* MechanismFilterBar::add_chip(const QString& id, const QString& text, const QString& effect,
                                          bool MechanismCriteria::*asked) {
    auto* chip = new QToolButton;
    describe(chip, id, text, effect);
    chip->setText(text);
    chip->setCheckable(true);
    chip->setFocusPolicy(Qt::TabFocus);
    give_role(*chip, Role::chip);
    connect(chip, &QToolButton::clicked, this, &MechanismFilterBar::ask);
    chips_.emplace_back(chip, asked);
    return chip;
}

QSpinBox* MechanismFilterBar::add_year(const QString& id, const QString& name, const QString& effect,
                                       bool is_first) {
    auto* year = new WholeNumberBox;
    describe(year, id, name, effect);
    const auto [first, last] = years();
    year->setRange(first, last);
    year->setValue(is_first ? first : last);
    return year;
}

void MechanismFilterBar::ask() {
    const auto [first, last] = years();
    for (const auto& [chip, asked] : chips_)
        criteria_.*asked = chip->isChecked();
    criteria_.family = family_->currentData().toString();
    criteria_.cost = cost_->currentIndex() == 0   ? std::nullopt
                     : cost_->currentIndex() == 1 ? std::optional(CostGrowth::linear)
                                                  : std::optional(CostGrowth::beyond_linear);
    criteria_.from_year = from_->value() > first ? std::optional(from_->value()) : std::nullopt;
    criteria_.to_year = to_->value() < last ? std::optional(to_->value()) : std::nullopt;
    refresh();
    emit changed();
}

void MechanismFilterBar::clear() {
    {
        const QSignalBlocker family(family_), cost(cost_), from(from_), to(to_);
        for (const auto& [chip, asked] : chips_)
            chip->setChecked(false);
        family_->setCurrentIndex(0);
        cost_->setCurrentIndex(0);
        from_->setValue(from_->minimum());
        to_->setValue(to_->maximum());
    }
    ask();
}

void MechanismFilterBar::show_count(int found, int all) {
    count_->setText(found == all ? tr("%1").arg(all) : tr("%1 of %2").arg(found).arg(all));
}

void MechanismFilterBar::refresh() { clear_->setEnabled(criteria_.asks_for_properties()); }

}  // namespace headlight
