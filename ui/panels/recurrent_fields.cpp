#include "ui/panels/recurrent_fields.h"

#include "core/tensor/error.h"
#include "ui/models/window_settings.h"
#include "ui/panels/number_control.h"
#include "ui/views/decimal_box.h"
#include "ui/views/describe.h"
#include "ui/views/whole_number_box.h"
#include "ui/views/word_at_minimum.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace headlight {
namespace {

const QString copies_key = QStringLiteral("train/copies");
const QString hops_key = QStringLiteral("train/hops");
const QString coverage_loss_key = QStringLiteral("train/coverage_loss");

QString copies_effect() {
    return RecurrentFields::tr(
        "The decoder may say a word of the sentence as it is: beside its own words it weighs those that its "
        "attention looks at (pointer-generator)");
}

QString hops_effect() {
    return RecurrentFields::tr(
        "How often a step asks, each time with its query and what it was given before (memory network)");
}

QString coverage_loss_effect() {
    return RecurrentFields::tr(
        "λ: what it costs to look at a word again. The loss of a step grows by λ times the sum over the "
        "words of min(weight, sum of their weights so far), and the curve contains it. See et al. (2017) "
        "take 1, with the attention “coverage”");
}

/// Why a recipe cannot be trained; empty when it can.
QString obstacle(const Recipe& recipe) {
    if (recipe.host && !is_recurrent(*recipe.host))
        return RecurrentFields::tr("a recurrent model: GRU, LSTM, RNN, GNMT or pointer");
    try {
        prepare(recipe);
        return {};
    } catch (const Error& error) {
        return QString::fromStdString(error.detail().expected);
    }
}

}  // namespace

RecurrentFields::RecurrentFields(WindowSettings& settings, QObject* parent)
    : QObject(parent), settings_(settings), copies_(new QCheckBox(tr("May &copy words of the sentence"))),
      hops_(new WholeNumberBox), hops_label_(new QLabel(tr("H&ops"))), coverage_loss_(new DecimalBox),
      coverage_loss_label_(new QLabel(tr("Covera&ge loss"))) {
    describe(copies_, QStringLiteral("train_copies"), tr("May copy words of the sentence"), copies_effect());
    describe(hops_, QStringLiteral("train_hops"), tr("Hops"), hops_effect());
    hops_->setRange(1, static_cast<int>(most_hops));
    ignore_passing_wheel(hops_);
    hops_label_->setBuddy(hops_);
    describe(coverage_loss_, QStringLiteral("train_coverage_loss"), tr("Coverage loss"),
             coverage_loss_effect());
    coverage_loss_->setRange(0, largest_coverage_loss);
    coverage_loss_->setSingleStep(0.5);
    show_word_at_minimum(*coverage_loss_, tr("none"));
    ignore_passing_wheel(coverage_loss_);
    coverage_loss_label_->setBuddy(coverage_loss_);
    connect(copies_, &QCheckBox::clicked, this, [this](bool copies) {
        settings_.set_value(copies_key, copies);
        emit edited();
    });
    connect(hops_, &QSpinBox::valueChanged, this, [this](int hops) {
        settings_.set_value(hops_key, hops);
        emit edited();
    });
    connect(coverage_loss_, &QDoubleSpinBox::valueChanged, this, [this](double lambda) {
        settings_.set_value(coverage_loss_key, lambda);
        emit edited();
    });
}

void RecurrentFields::add_rows(QFormLayout& form) {
    form.addRow(copies_);
    form.addRow(hops_label_, hops_);
    form.addRow(coverage_loss_label_, coverage_loss_);
}

void RecurrentFields::remember(const Recipe& recipe) {
    settings_.set_value(copies_key, recipe.copies);
    settings_.set_value(hops_key, static_cast<int>(recipe.hops));
    settings_.set_value(coverage_loss_key, recipe.coverage_loss);
}

void RecurrentFields::show_possible(QWidget* field, const QString& effect, const Recipe& recipe) {
    const QString needed = obstacle(recipe);
    field->setEnabled(needed.isEmpty());
    field->setToolTip(needed.isEmpty() ? effect : tr("Needs %1. %2").arg(needed, effect));
}

void RecurrentFields::show_for(const Recipe& recipe) {
    Recipe with_copies = recipe, with_hops = recipe, with_coverage_loss = recipe;
    with_copies.copies = true;
    with_hops.hops = 2;
    with_coverage_loss.coverage_loss = 1;
    show_possible(copies_, copies_effect(), with_copies);
    show_possible(hops_, hops_effect(), with_hops);
    hops_label_->setEnabled(hops_->isEnabled());
    show_possible(coverage_loss_, coverage_loss_effect(), with_coverage_loss);
    coverage_loss_label_->setEnabled(coverage_loss_->isEnabled());
    // One that cannot be had shows none, and what a person asked for comes back with the next that can.
    const QSignalBlocker no_loss(coverage_loss_), no_hops(hops_);
    hops_->setValue(hops_->isEnabled() ? std::max(1, settings_.value(hops_key).toInt()) : 1);
    copies_->setChecked(copies_->isEnabled() && settings_.value(copies_key).toBool());
    coverage_loss_->setValue(coverage_loss_->isEnabled() ? settings_.value(coverage_loss_key).toDouble() : 0);
}

Recipe RecurrentFields::added_to(Recipe recipe) const {
    recipe.copies = copies_->isChecked();
    recipe.hops = hops_->value();
    recipe.coverage_loss = coverage_loss_->value();
    return recipe;
}

}  // namespace headlight
