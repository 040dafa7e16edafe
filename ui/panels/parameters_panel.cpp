#include "ui/panels/parameters_panel.h"

#include "core/workbench/parameter_edits.h"
#include "ui/models/document.h"
#include "ui/panels/number_control.h"
#include "ui/panels/parameter_dialog.h"
#include "ui/panels/parameter_table.h"
#include "ui/panels/seed_box.h"
#include "ui/panels/setting_control.h"
#include "ui/render/subscripts.h"
#include "ui/views/describe.h"
#include "ui/views/lazy_combo.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {
namespace {

/// Why a mechanism has no parameters, and how it gets some where that is a matter of its projections.
QString without_parameters(const Session& session) {
    const Mechanism* shown = session.custom ? nullptr : find_mechanism(session.mechanism);
    if (shown)
        for (const MechanismParameter& knob : shown->parameters) {
            const auto given = session.values.find(knob.name);
            const ParameterValue& value = given == session.values.end() ? knob.standard : given->second;
            const auto* word = std::get_if<std::string>(&value);
            if (knob.name == "projections" && word && *word != "learned")
                return ParametersPanel::tr("With Projections “%1” nothing is learned here: the scores come "
                                           "from the token vectors alone. Choose “learned” in the panel "
                                           "Mechanism, and there are matrices such as W_q and W_k.")
                    .arg(in_words(*word));
        }
    return ParametersPanel::tr(
        "This mechanism has no parameters to learn: its scores come from the token vectors alone.");
}

}  // namespace

ParametersPanel::ParametersPanel(Document& document, Actions& actions, QWidget* parent)
    : QWidget(parent), document_(document), actions_(actions), model_(document), origin_(new QComboBox),
      seed_(new SeedBox), reseed_(new QPushButton(tr("Dra&w again"))), names_(new LazyCombo(4)),
      meaning_(new QLabel), larger_(new QPushButton(tr("Lar&ger…"))),
      table_(new ParameterTable(model_, QStringLiteral("parameter_table"))),
      forget_(new QPushButton(tr("Disca&rd its edits"))), open_(new QPushButton(tr("From a f&ile…"))) {
    describe_fields();
    auto* seed_row = new QHBoxLayout;
    seed_row->setSpacing(8);
    seed_row->addWidget(seed_, 1);
    seed_row->addWidget(reseed_);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->addRow(tr("S&tart from"), origin_);
    auto* seed_label = new QLabel(tr("Seed"));
    seed_label->setBuddy(seed_);
    form->addRow(seed_label, seed_row);
    auto* name_row = new QHBoxLayout;
    name_row->setSpacing(8);
    name_row->addWidget(names_, 1);
    name_row->addWidget(larger_);
    auto* name_label = new QLabel(tr("P&arameter"));
    name_label->setBuddy(names_);
    form->addRow(name_label, name_row);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(forget_);
    buttons->addWidget(open_);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addLayout(form);
    layout->addWidget(meaning_);
    layout->addLayout(buttons);
    layout->addWidget(table_->problem());
    layout->addWidget(table_, 1);  // last: where room is short, it is what scrolls
    layout->addStretch(0);
    follow();
    refresh();
}

void ParametersPanel::describe_fields() {
    origin_->addItems({tr("Drawn (Xavier)"), tr("Identity"), tr("From the inputs file")});
    describe(
        origin_, QStringLiteral("parameter_origin"), tr("Where the parameters come from"),
        tr("Drawn: random numbers between ±√(6 / (rows + columns)). Identity: 1 on the diagonal, so that a "
           "projection changes nothing"));
    describe(seed_, QStringLiteral("parameter_seed"), tr("Seed of the parameters"),
             tr("Draws W and the other parameters, and the keys of hard sampling: the same seed gives the "
                "same numbers"));
    describe(reseed_, QStringLiteral("reseed"), tr("Draw again"),
             tr("Takes the next seed: other random parameters"));
    describe(names_, QStringLiteral("parameter_name"), tr("Parameter"),
             tr("Which parameter the table shows"));
    describe(larger_, QStringLiteral("larger_parameter"), tr("Larger table"),
             tr("Opens these numbers in a window of their own, as many as the screen has room for"));
    describe(forget_, QStringLiteral("forget_edits"), tr("Undo edits of this parameter"),
             tr("Draws this parameter anew instead of using the edited or opened numbers"));
    describe(open_, QStringLiteral("open_parameters"), tr("Parameters from a file"),
             tr("Takes W and the other parameters from .json or .safetensors, by their names"));
    ignore_passing_wheel(origin_);
    ignore_passing_wheel(seed_);
    ignore_passing_wheel(names_);
    meaning_->setObjectName(QStringLiteral("parameter_meaning"));
    meaning_->setWordWrap(true);
    meaning_->setTextFormat(Qt::RichText);
    make_note(*meaning_);
    table_->setMinimumHeight(160);
}

void ParametersPanel::follow() {
    connect(origin_, &QComboBox::activated, this, [this](int row) {
        document_.edit(choose_origin(document_.session(), static_cast<ParameterOrigin>(row),
                                     origin_->itemText(row).toStdString()));
    });
    connect(seed_, &SeedBox::valueChanged, this,
            [this](quint64 seed) { document_.edit(seed_parameters(document_.session(), seed)); });
    connect(reseed_, &QPushButton::clicked, this,
            [this] { document_.edit(draw_parameters_again(document_.session())); });
    connect(larger_, &QPushButton::clicked, this, &ParametersPanel::open_larger);
    connect(names_, &QComboBox::activated, this, &ParametersPanel::show_chosen);
    connect(forget_, &QPushButton::clicked, this,
            [this] { document_.edit(forget_edits_of(document_.session(), chosen())); });
    connect(open_, &QPushButton::clicked, this, &ParametersPanel::open_requested);
    connect(&document_, &Document::session_changed, this, &ParametersPanel::refresh);
    connect(&document_, &Document::run_changed, this, &ParametersPanel::refresh);
}

std::string ParametersPanel::chosen() const { return names_->currentData().toString().toStdString(); }

void ParametersPanel::refresh() {
    const Session& session = document_.session();
    // A model has learned its own: they are there to look at.
    const bool runs_model = !session.runs_mechanism();
    for (QWidget* control : {static_cast<QWidget*>(origin_), static_cast<QWidget*>(seed_),
                             static_cast<QWidget*>(reseed_), static_cast<QWidget*>(open_)})
        control->setEnabled(!runs_model);
    const QSignalBlocker quiet_seed(seed_);
    origin_->setCurrentIndex(static_cast<int>(session.origin));
    seed_->setValue(session.seed);

    const auto run = document_.run();
    QStringList wanted, shown;
    if (run && run->plan)
        for (const ParameterInfo& parameter : run->plan->parameters)
            wanted << QString::fromStdString(parameter.name);
    for (int row = 0; row < names_->count(); ++row)
        shown << names_->itemData(row).toString();
    if (wanted != shown) {
        const QVariant kept = names_->currentData();
        names_->clear();
        for (const QString& name : wanted)
            names_->addItem(name, name);
        names_->setCurrentIndex(std::max(0, names_->findData(kept)));
    }
    show_chosen();
}

void ParametersPanel::show_chosen() {
    const std::string name = chosen();
    if (model_.parameter() != name)
        model_.set_parameter(name);
    const auto run = document_.run();
    QString text = run && !run->plan
                       ? tr("A capture has the weights alone, and not the parameters that they came from.")
                       : without_parameters(document_.session());
    if (run && run->plan)
        for (const ParameterInfo& parameter : run->plan->parameters)
            if (parameter.name == name)
                text = tr("%1: %2").arg(QString::fromStdString(to_string(parameter.shape)),
                                        QString::fromStdString(parameter.meaning));
    const Session& session = document_.session();
    const auto equated = session.equated.find(name);
    const bool is_equated = equated != session.equated.end();
    if (is_equated)
        text += tr(". Set for the comparison, whose mechanisms are the same with it: %1")
                    .arg(QString::fromStdString(equated->second));
    meaning_->setText(html_with_subscripts(text));
    table_->setVisible(!name.empty());
    names_->setEnabled(!name.empty());
    larger_->setEnabled(!name.empty());
    forget_->setEnabled(session.edited.contains(name) || is_equated);
    if (dialog_)
        dialog_->show_parameter(names_->currentText(), meaning_->text());
}

void ParametersPanel::open_larger() {
    if (!dialog_)
        dialog_ = new ParameterDialog(model_, actions_, this);
    dialog_->show_parameter(names_->currentText(), meaning_->text());
    dialog_->open_fresh();
}

}  // namespace headlight
