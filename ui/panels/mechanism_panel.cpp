#include "ui/panels/mechanism_panel.h"

#include "core/io/drawn_weights.h"
#include "core/workbench/comparison_edits.h"
#include "core/workbench/mechanism_edits.h"
#include "core/workbench/model_edits.h"
#include "core/workbench/nothing_left_out.h"
#include "ui/models/document.h"
#include "ui/models/mechanism_library.h"
#include "ui/panels/equivalence_box.h"
#include "ui/panels/mask_box.h"
#include "ui/panels/mechanism_chooser.h"
#include "ui/panels/mechanism_composer.h"
#include "ui/panels/mechanism_details.h"
#include "ui/panels/mechanism_form.h"
#include "ui/views/describe.h"
#include "ui/views/flow_layout.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace headlight {
namespace {

/// "Heads: 3 instead of 8, to fit the width of the token vectors." Empty where nothing had to change.
QString changed_knobs(const Mechanism& mechanism, const ParameterValues& asked,
                      const ParameterValues& settled) {
    const auto text = [](const MechanismParameter& knob, const ParameterValues& values) {
        const auto given = values.find(knob.name);
        const ParameterValue& value = given == values.end() ? knob.standard : given->second;
        const bool is_least =
            knob.kind == MechanismParameter::Kind::integer && double(std::get<Index>(value)) == knob.minimum;
        return QString::fromStdString(is_least && !knob.minimum_word.empty() ? knob.minimum_word
                                                                             : to_string(value));
    };
    QStringList changes;
    for (const MechanismParameter& knob : mechanism.parameters) {
        const QString before = text(knob, asked), after = text(knob, settled);
        if (before != after)
            changes << MechanismPanel::tr("%1: %2 instead of %3, to fit the width of the token vectors.")
                           .arg(QString::fromStdString(knob.label), after, before);
    }
    return changes.join(QChar(u' '));
}

}  // namespace

MechanismPanel::MechanismPanel(Document& document, MechanismLibrary& library, QWidget* parent)
    : QWidget(parent), document_(document), library_(library), chooser_(new MechanismChooser(library)),
      model_note_(new WrappedLabel), badge_(new WrappedLabel), all_kept_(new WrappedLabel),
      aliases_(new WrappedLabel), equivalences_(new EquivalenceBox(document)), details_(new MechanismDetails),
      example_(new QPushButton(tr("Show its e&xample"))), reset_(new QPushButton(tr("&Reset knobs"))),
      compose_(new QPushButton(tr("Build your own…"))), form_(new MechanismForm(document)),
      composer_(new MechanismComposer(document, library)), catalogue_part_(new QWidget),
      mask_(new MaskBox(document)) {
    aliases_->setObjectName(QStringLiteral("mechanism_aliases"));
    make_note(*aliases_);
    describe(
        badge_, QStringLiteral("random_weights"), tr("Random weights"),
        tr("Nobody has trained these projections: the seed has drawn them. Choose a trained model to see "
           "what words have to do with one another"));
    give_role(*badge_, Role::badge);
    model_note_->setObjectName(QStringLiteral("mechanism_model_note"));
    model_note_->setAccessibleName(tr("Why no mechanism runs"));
    make_note(*model_note_);
    all_kept_->setObjectName(QStringLiteral("nothing_left_out"));
    make_note(*all_kept_);
    describe(example_, QStringLiteral("use_example"), tr("Show its example"),
             tr("Puts in the text that shows the point of this mechanism"));
    describe(reset_, QStringLiteral("reset_parameters"), tr("Reset the knobs"),
             tr("Every knob of the formula goes back to its default"));

    describe(compose_, QStringLiteral("build_your_own"), tr("Build your own"),
             tr("Takes this mechanism apart: score, position, mask, normaliser and heads become yours to "
                "combine"));

    auto* buttons = new QWidget;
    auto* flow = new FlowLayout(8, buttons);
    flow->setContentsMargins(0, 0, 0, 0);
    for (QWidget* button : {reset_, example_, compose_})
        flow->addWidget(button);
    auto* catalogue = new QVBoxLayout(catalogue_part_);
    catalogue->setContentsMargins(0, 0, 0, 0);
    catalogue->setSpacing(8);
    catalogue->addWidget(aliases_);
    catalogue->addWidget(form_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(model_note_);
    layout->addWidget(chooser_);
    layout->addWidget(badge_);
    layout->addWidget(catalogue_part_);
    layout->addWidget(composer_);
    layout->addWidget(mask_);
    layout->addWidget(all_kept_);
    layout->addWidget(buttons);
    layout->addWidget(equivalences_);
    layout->addWidget(details_);
    layout->addStretch(1);

    connect(chooser_, &MechanismChooser::chosen, this, &MechanismPanel::choose);
    connect(chooser_, &MechanismChooser::own_chosen, this, &MechanismPanel::choose_own);
    connect(compose_, &QPushButton::clicked, composer_, &MechanismComposer::begin);
    connect(composer_, &MechanismComposer::open_requested, this, &MechanismPanel::open_requested);
    connect(composer_, &MechanismComposer::export_requested, this, &MechanismPanel::export_requested);
    connect(composer_, &MechanismComposer::notice, this, &MechanismPanel::notice);
    connect(composer_, &MechanismComposer::begun, this, &MechanismPanel::composing_began);
    connect(mask_, &MaskBox::notice, this, &MechanismPanel::notice);
    connect(chooser_, &MechanismChooser::picked, this, &MechanismPanel::picture_wanted);
    connect(chooser_, &MechanismChooser::closed, this, &MechanismPanel::chooser_closed);
    connect(form_, &MechanismForm::focus_lost, this, &MechanismPanel::picture_wanted);
    connect(details_, &MechanismDetails::model_chosen, this,
            [this](const QString& name) { search_mechanisms(QStringLiteral("used in ") + name); });
    connect(details_, &MechanismDetails::page_requested, this, &MechanismPanel::page_requested);
    connect(reset_, &QPushButton::clicked, form_, &MechanismForm::reset);
    connect(example_, &QPushButton::clicked, this, &MechanismPanel::use_example);
    connect(&document_, &Document::session_changed, this, &MechanismPanel::refresh);
    connect(&document_, &Document::run_changed, this, &MechanismPanel::show_notes_of_run);
    refresh();
}

void MechanismPanel::search_mechanisms(const QString& text) { chooser_->open(text); }
void MechanismPanel::next_mechanism() { chooser_->step(1); }
void MechanismPanel::previous_mechanism() { chooser_->step(-1); }

void MechanismPanel::choose(const std::string& id) {
    const Mechanism& next = mechanism(id);
    const ParameterValues asked = opening_values(on_its_mechanism(document_.session()), next);
    Edit edit = choose_mechanism(document_.session(), next);
    const QString changed = changed_knobs(next, asked, edit.after.values);
    keep_draft();
    document_.edit(std::move(edit));
    if (!changed.isEmpty())
        emit notice(changed);
}

void MechanismPanel::choose_own(const QString& name, bool is_draft) {
    const CustomMechanism* own = is_draft ? library_.find_draft(name) : library_.find(name);
    if (!own)
        return;
    keep_draft();
    document_.edit(choose_own_mechanism(document_.session(), *own));
    emit another_shown();  // refresh() goes by no name of one's own: it is written while one looks there
}

void MechanismPanel::make_mine(const OwnFormula& formula) { composer_->begin_with(formula); }

void MechanismPanel::keep_draft() { composer_->keep_draft(); }

QWidget& MechanismPanel::formula_problem() { return composer_->formula_problem(); }

void MechanismPanel::build_your_own() {
    const Session& session = document_.session();
    if (!session.custom)
        composer_->begin();
    else if (!session.runs_mechanism())  // a model has taken the place of what was composed
        document_.edit(leave_model(session));
}

void MechanismPanel::use_example() {
    if (find_mechanism(document_.session().mechanism))
        document_.edit(show_example(document_.session()));
}

void MechanismPanel::show_notes_of_run() {
    const std::shared_ptr<const Run> run = document_.run();
    const bool has_plan = run && run->plan;
    const auto show = [](WrappedLabel& label, const std::string& note) {
        label.show_text(QString::fromStdString(note));
        label.setVisible(!note.empty());
    };
    show(*badge_, has_plan ? random_weights_note(*run->session, *run->plan) : "");
    const bool is_of_mechanism = has_plan && run->is_of_mechanism();
    show(*all_kept_, is_of_mechanism ? nothing_left_out_note(*run->plan, *run->trace) : "");
}

void MechanismPanel::refresh() {
    const Session& session = document_.session();
    const std::pair now(session.mechanism, session.custom.has_value());
    const bool is_another = std::exchange(shown_, now) != now;
    show_parts();
    if (is_another)  // once what had the keyboard is away: the control that has it then is scrolled to
        emit another_shown();
}

void MechanismPanel::show_parts() {
    show_notes_of_run();
    const Session& session = document_.session();
    chooser_->set_current(session.mechanism);
    const bool is_own = session.custom.has_value();
    if (is_own)
        chooser_->set_current_own(QString::fromStdString(session.custom->name));
    const bool runs_model = !session.runs_mechanism();
    model_note_->setVisible(runs_model);
    if (runs_model)
        model_note_->show_text(
            session.model
                ? tr("A trained model runs, see the panel Model. A mechanism that you choose here takes "
                     "its place.")
                : tr("Captured attention is shown, see the panel Model. A mechanism that you "
                     "choose here takes its place."));
    composer_->setVisible(is_own && !runs_model);
    mask_->setVisible(!runs_model);
    if (runs_model)
        equivalences_->hide();
    for (QWidget* part : {catalogue_part_, static_cast<QWidget*>(details_), static_cast<QWidget*>(compose_),
                          static_cast<QWidget*>(reset_), static_cast<QWidget*>(example_)})
        part->setVisible(!is_own && !runs_model);
    if (runs_model)
        return;
    const Mechanism* shown = find_mechanism(session.mechanism);
    if (!shown)
        return;
    QStringList aliases;
    for (const std::string& name : shown->also_known_as)
        aliases << QString::fromStdString(name);
    aliases_->show_text(tr("Also called %1").arg(aliases.join(QStringLiteral(", "))));
    aliases_->setVisible(!aliases.isEmpty());
    equivalences_->show_mechanism(session.custom ? nullptr : shown);
    details_->show_mechanism(*shown);
    reset_->setEnabled(!session.values.empty());
}

}  // namespace headlight
