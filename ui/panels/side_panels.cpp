#include "ui/panels/side_panels.h"

#include "core/catalog/mechanism.h"
#include "ui/actions/actions.h"
#include "ui/models/document.h"
#include "ui/panels/dock_table.h"
#include "ui/panels/figure_panel.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/mechanism_notes.h"
#include "ui/panels/mechanism_panel.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/sequence_panel.h"
#include "ui/panels/window_messages.h"
#include "ui/views/panel_area.h"

#include <QApplication>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <string>
#include <utility>

namespace headlight {
namespace {

const QString mechanism_dock = QStringLiteral("mechanism_dock"), model_dock = QStringLiteral("model_dock");

}  // namespace

SidePanels::SidePanels(Document& document, MechanismLibrary& library, WindowSettings& settings,
                       Actions& actions, WindowColumns& columns, QObject* parent)
    : QObject(parent), document_(document), library_(library), settings_(settings), actions_(actions),
      columns_(columns) {
    for (const DockRow& row : dock_rows())
        columns_.add(row, row.build(*this));
    columns_.put_in_right_title(notes_->action());
    columns_.bring_to_front(mechanism_dock);
    connect(&document_, &Document::session_changed, this, &SidePanels::show_who_attends);
    connect(&document_, &Document::session_changed, this, &SidePanels::offer_example);
    offer_example();
    connect(notes_, &MechanismNotes::related_chosen, mechanism_, &MechanismPanel::choose);
    connect(mechanism_, &MechanismPanel::composing_began, this, [this] {
        columns_.open(mechanism_dock);  // the levels are asked for it from behind other panels
        columns_.favour_lower_left();
    });
    connect(mechanism_, &MechanismPanel::picture_wanted, this, &SidePanels::picture_wanted);
    connect(mechanism_, &MechanismPanel::chooser_closed, this, &SidePanels::end_choosing);
}

QWidget* SidePanels::build_sequence() { return new PanelArea(sequence_ = new SequencePanel(document_)); }

QWidget* SidePanels::build_mechanism() {
    auto* area = new PanelArea(mechanism_ = new MechanismPanel(document_, library_));
    connect(mechanism_, &MechanismPanel::another_shown, area, &PanelArea::show_top);
    return area;
}

QWidget* SidePanels::build_parameters() {
    return new PanelArea(parameters_ = new ParametersPanel(document_, actions_));
}

QWidget* SidePanels::build_model() { return new PanelArea(model_ = new ModelPanel(document_)); }

QWidget* SidePanels::build_inspector() {
    auto* both = new QWidget;
    inspector_ = new InspectorPanel(document_, both);
    // Without a place they would be shown at once, as a window of their own.
    notes_ = new MechanismNotes(document_, settings_, both);
    auto* layout = new QVBoxLayout(both);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(inspector_, 1);
    layout->addWidget(notes_);
    return both;
}

QWidget* SidePanels::build_figure() { return new PanelArea(figure_ = new FigurePanel(document_)); }

QWidget* SidePanels::build_ways() { return ways_ = new QStackedWidget; }

MechanismPanel& SidePanels::open_mechanism() {
    before_choosing_.reset();  // who asks for the panel keeps it
    columns_.open(mechanism_dock);
    return *mechanism_;
}

void SidePanels::ask_for_mechanism(const QString& text) {
    const Before before{columns_.left_state(), QApplication::focusWidget()};
    open_mechanism().search_mechanisms(text);
    before_choosing_ = before;
}

void SidePanels::end_choosing(bool was_picked) {
    const std::optional<Before> before = std::exchange(before_choosing_, std::nullopt);
    if (!before)
        return;
    if (was_picked)  // its knobs are wanted next; but a folded column keeps them until somebody looks there
        return columns_.fold_back(before->column);
    if (before->column == columns_.left_state())
        return;
    columns_.put_back(before->column);
    if (before->focus && before->focus->isVisible())
        before->focus->setFocus(Qt::OtherFocusReason);
}

ModelPanel& SidePanels::open_model() {
    columns_.open(model_dock);
    return *model_;
}

void SidePanels::show_who_attends(const Session& before) {
    const bool is_mechanism = document_.session().runs_mechanism();
    if (before.runs_mechanism() == is_mechanism)
        return;
    columns_.show_upper_left(is_mechanism);
    columns_.bring_to_front(is_mechanism ? mechanism_dock : model_dock);
}

void SidePanels::offer_example() {
    const Session& session = document_.session();
    actions_.at(QStringLiteral("mechanism_example"))
        .setEnabled(session.runs_mechanism() && !session.custom && find_mechanism(session.mechanism));
}

void SidePanels::ask(FileActions& files, WindowMessages& messages) {
    connect(sequence_, &SequencePanel::open_requested, &files, &FileActions::ask_open);
    connect(sequence_, &SequencePanel::example_picture_requested, &files, &FileActions::show_example_picture);
    connect(mechanism_, &MechanismPanel::open_requested, &files, &FileActions::ask_open);
    connect(mechanism_, &MechanismPanel::export_requested, &files, &FileActions::ask_save_mechanism);
    connect(parameters_, &ParametersPanel::open_requested, &files, &FileActions::ask_parameters);
    connect(model_, &ModelPanel::folder_requested, &files, &FileActions::ask_model);
    connect(model_, &ModelPanel::other_capture_requested, &files, &FileActions::ask_other_capture);
    connect(model_, &ModelPanel::other_model_requested, &files, &FileActions::ask_other_model);
    connect(figure_, &FigurePanel::range_file_requested, &files, &FileActions::ask_range_file);

    connect(&files, &FileActions::mechanism_opening, mechanism_, &MechanismPanel::keep_draft);
    connect(&files, &FileActions::mechanism_opened, this,
            [this] { columns_.bring_to_front(mechanism_dock); });
    messages.leave_to(mechanism_->formula_problem());
    connect(mechanism_, &MechanismPanel::notice, &messages, &WindowMessages::say);
    connect(model_, &ModelPanel::problem, &messages, &WindowMessages::show_past_problem);
    const auto refuse_paste = [&messages](const char* panel, const char* most) {
        return [&messages, panel, most](qsizetype length) {
            messages.show_past_problem(Error(
                {"paste text", panel, most, std::to_string(length) + " characters; the text is as it was"}));
        };
    };
    connect(sequence_, &SequencePanel::paste_refused, &messages,
            refuse_paste("Sequence", "at most 32,768 tokens in this window"));
    connect(model_, &ModelPanel::paste_refused, &messages, refuse_paste("Model", "at most 512 tokens"));
}

}  // namespace headlight
