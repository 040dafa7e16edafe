#include "ui/panels/mechanism_panel.h"

#include "core/tensor/error.h"
#include "ui/models/document.h"
#include "ui/panels/describe.h"
#include "ui/panels/mask_box.h"
#include "ui/panels/mechanism_chooser.h"
#include "ui/panels/mechanism_form.h"
#include "ui/views/formula_view.h"
#include "ui/views/wrapped_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace headlight {
namespace {

WrappedLabel* wrapped_label(const QString& id, const char* role) {
    auto* label = new WrappedLabel;
    label->setObjectName(id);
    label->setProperty("role", role);
    return label;
}

/// Knobs that the next mechanism has too keep their values, so that the same setting can be seen through
/// both.
ParameterValues carried_over(const ParameterValues& values, const Mechanism& next) {
    ParameterValues kept;
    for (const auto& [name, value] : values) {
        ParameterValues one{{name, value}};
        try {
            build_spec(next, one);
            kept.merge(one);
        } catch (const Error&) {
            continue;
        }
    }
    return kept;
}

}  // namespace

MechanismPanel::MechanismPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), chooser_(new MechanismChooser), formula_(new FormulaView),
      aliases_(wrapped_label(QStringLiteral("mechanism_aliases"), "note")),
      explanation_(wrapped_label(QStringLiteral("mechanism_explanation"), "text")),
      paper_(wrapped_label(QStringLiteral("mechanism_paper"), "note")),
      look_for_(wrapped_label(QStringLiteral("mechanism_look_for"), "text")),
      example_(new QPushButton(tr("Show its e&xample"))), reset_(new QPushButton(tr("&Reset knobs"))),
      form_(new MechanismForm(document)) {
    formula_->setObjectName(QStringLiteral("mechanism_formula"));
    formula_->setAccessibleName(tr("Formula of the mechanism"));
    describe(example_, QStringLiteral("use_example"), tr("Show its example"),
             tr("Puts in the text that shows the point of this mechanism"));
    describe(reset_, QStringLiteral("reset_parameters"), tr("Reset the knobs"),
             tr("Every knob of the formula goes back to its default"));
    auto* look_for_title = new QLabel(tr("What to look for"));
    look_for_title->setProperty("role", "title");

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(reset_);
    buttons->addWidget(example_);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(chooser_);
    layout->addWidget(aliases_);
    layout->addWidget(formula_);
    layout->addWidget(form_);
    layout->addWidget(new MaskBox(document));
    layout->addLayout(buttons);
    layout->addWidget(look_for_title);
    layout->addWidget(look_for_);
    layout->addWidget(explanation_);
    layout->addWidget(paper_);
    layout->addStretch(1);

    connect(chooser_, &MechanismChooser::chosen, this, &MechanismPanel::choose);
    connect(chooser_, &MechanismChooser::picked, this, &MechanismPanel::picture_wanted);
    connect(form_, &MechanismForm::focus_lost, this, &MechanismPanel::picture_wanted);
    connect(reset_, &QPushButton::clicked, form_, &MechanismForm::reset);
    connect(example_, &QPushButton::clicked, this, &MechanismPanel::use_example);
    connect(&document_, &Document::session_changed, this, &MechanismPanel::refresh);
    refresh();
}

void MechanismPanel::open_chooser() { chooser_->open(); }
void MechanismPanel::next_mechanism() { chooser_->step(1); }
void MechanismPanel::previous_mechanism() { chooser_->step(-1); }

void MechanismPanel::choose(const std::string& id) {
    const Mechanism& next_mechanism = mechanism(id);
    Session next = document_.session();
    next.mechanism = id;
    next.values = carried_over(next.values, next_mechanism);
    // A second sequence that nobody has written yet comes from the example, so that the choice shows
    // something.
    if (next.sequence.key_text.empty() && !next_mechanism.example.key.empty())
        next.sequence.key_text = next_mechanism.example.key;
    document_.edit(tr("Choose %1").arg(QString::fromStdString(next_mechanism.name)), std::move(next));
}

void MechanismPanel::use_example() {
    const Mechanism* shown = find_mechanism(document_.session().mechanism);
    if (!shown)
        return;
    Session next = document_.session();
    next.sequence.query_text = shown->example.query;
    next.sequence.key_text = shown->example.key;
    next.sequence.file = nullptr;
    next.sequence.file_name.clear();
    document_.edit(tr("Show the example"), std::move(next));
}

void MechanismPanel::refresh() {
    const Session& session = document_.session();
    chooser_->set_current(session.mechanism);
    formula_->set_formula(session.mechanism, session.view.selection.stage);
    const Mechanism* shown = find_mechanism(session.mechanism);
    if (!shown)
        return;
    QStringList aliases;
    for (const std::string& name : shown->also_known_as)
        aliases << QString::fromStdString(name);
    aliases_->show_text(tr("Also called %1").arg(aliases.join(QStringLiteral(", "))));
    aliases_->setVisible(!aliases.isEmpty());
    explanation_->show_text(QString::fromStdString(shown->explanation));
    paper_->show_text(QStringLiteral("%1, %2").arg(QString::fromStdString(shown->paper)).arg(shown->year));
    look_for_->show_text(QString::fromStdString(shown->example.look_for));
    reset_->setEnabled(!session.values.empty());
}

}  // namespace headlight
