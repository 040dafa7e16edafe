#include "ui/panels/mechanism_composer.h"

#include "core/program/own_formula.h"
#include "core/tensor/error.h"
#include "core/workbench/mechanism_edits.h"
#include "ui/actions/context_menu.h"
#include "ui/models/document.h"
#include "ui/models/mechanism_library.h"
#include "ui/models/spec_formula.h"
#include "ui/panels/composer_mask.h"
#include "ui/panels/composer_row.h"
#include "ui/panels/formula_box.h"
#include "ui/panels/setting_control.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace headlight {
namespace {

/// "Split into heads. It needs queries and keys of one width. Here: 8 and 4.", or what to choose instead
/// where a run says for which tokens.
QString problem_text(const Error& error, const AttentionSpec& spec, const Run* run) {
    if (run && run->plan)
        if (const auto out = way_out(error, spec, few_tokens(run->plan->inputs)))
            return QString::fromStdString(*out);
    const ErrorDetail& detail = error.detail();
    QString what = in_words(detail.what);
    what[0] = what[0].toUpper();
    return MechanismComposer::tr("%1. It needs %2. Here: %3.")
        .arg(what, QString::fromStdString(detail.expected), QString::fromStdString(detail.got));
}

/// What the Tab key stops at inside `part`, in its order.
std::vector<QWidget*> tab_stops_in(const QWidget& part) {
    std::vector<QWidget*> stops;
    // Before it is in a window the chain leads round within it.
    for (QWidget* next = part.nextInFocusChain(); next != &part && part.isAncestorOf(next);
         next = next->nextInFocusChain())
        if (next->focusPolicy() & Qt::TabFocus)
            stops.push_back(next);
    return stops;
}

}  // namespace

MechanismComposer::MechanismComposer(Document& document, MechanismLibrary& library, QWidget* parent)
    : QWidget(parent), document_(document), library_(library), formula_(new WrappedLabel),
      problem_(new WrappedLabel) {
    formula_->setObjectName(QStringLiteral("own_formula"));
    formula_->setAccessibleName(tr("Formula of your mechanism"));
    formula_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    make_note(*formula_);
    problem_->setObjectName(QStringLiteral("compose_problem"));
    give_role(*problem_, Role::problem);
    problem_->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(build_name());
    layout->addWidget(build_buttons());  // above what they change, so that they stay where they are
    layout->addWidget(formula_);
    layout->addWidget(problem_);
    own_formula_ = new FormulaBox;
    layout->addWidget(own_formula_);
    connect(own_formula_, &FormulaBox::edited, this, &MechanismComposer::type_formula);
    connect(&document_, &Document::session_changed, this, &MechanismComposer::refresh);
    connect(&document_, &Document::run_changed, this, &MechanismComposer::refresh);
    connect(&document_, &Document::error_changed, this, [this] {
        own_formula_->set_judged();
        show_error();
    });
    connect(&library_, &MechanismLibrary::changed, this, &MechanismComposer::refresh);
    connect(&library_, &MechanismLibrary::saved, this, [this](const QString& name) {
        emit notice(tr("“%1” is in your library: the list of mechanisms has it under Mine.").arg(name));
    });
    refresh();
}

QWidget* MechanismComposer::build_name() {
    auto* row = new QWidget;
    name_ = new QLineEdit;
    describe(name_, QStringLiteral("own_name"), tr("Name of your mechanism"),
             tr("What it is called in the list of mechanisms, in pictures and in files"));
    name_->setMaxLength(60);
    auto* label = new QLabel(tr("Name"));
    make_title(*label);
    label->setBuddy(name_);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(label);
    layout->addWidget(name_, 1);
    connect(name_, &QLineEdit::textEdited, this, &MechanismComposer::rename);
    connect(name_, &QLineEdit::editingFinished, this, &MechanismComposer::refresh);
    return row;
}

QWidget* MechanismComposer::build_buttons() {
    auto* block = new QWidget;
    save_ = new QPushButton(tr("Save"));
    describe(save_, QStringLiteral("own_save"), tr("Save to your library"),
             tr("Keeps it in your library, which the list of mechanisms begins with: Mine"));
    auto* share = new QToolButton;
    describe(share, QStringLiteral("own_share"), tr("Share"),
             tr("Gives it to somebody else: as text, or as a file that opens here"));
    share->setText(tr("Share"));
    share->setPopupMode(QToolButton::InstantPopup);
    share->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new ContextMenu(QStringLiteral("own_share_menu"), share);
    connect(&menu->offer(QStringLiteral("own_copy")), &QAction::triggered, this, &MechanismComposer::copy);
    connect(&menu->offer(QStringLiteral("own_export")), &QAction::triggered, this,
            &MechanismComposer::export_requested);
    QAction* remove = &menu->offer(QStringLiteral("own_remove"));
    connect(remove, &QAction::triggered, this, [this] {
        if (const auto& custom = document_.session().custom)
            library_.remove(QString::fromStdString(custom->name));
    });
    connect(menu, &QMenu::aboutToShow, this, [this, remove] {
        const auto& custom = document_.session().custom;
        remove->setEnabled(custom && library_.keeps(QString::fromStdString(custom->name)));
    });
    share->setMenu(menu);
    as_formula_ = new QPushButton(tr("As a formula"));
    describe(as_formula_, QStringLiteral("own_as_formula"), tr("Write it as a formula"),
             tr("Its lines, to be changed: one a stage, with the same numbers"));
    connect(as_formula_, &QPushButton::clicked, this, &MechanismComposer::write_formula);
    auto* open = new QPushButton(tr("Open…"));
    describe(open, QStringLiteral("own_open"), tr("Open a mechanism"),
             tr("Opens a mechanism from a file; one that is dropped on the window opens too"));
    auto* back = new QPushButton(tr("Back to the catalogue"));
    describe(back, QStringLiteral("own_leave"), tr("Back to the catalogue"),
             tr("Shows the mechanism that this one began with. Yours stays in the list of mechanisms: Mine"));
    connect(save_, &QPushButton::clicked, this, &MechanismComposer::save);
    connect(open, &QPushButton::clicked, this, &MechanismComposer::open_requested);
    connect(back, &QPushButton::clicked, this, &MechanismComposer::leave);

    auto* files = new QHBoxLayout;
    files->setSpacing(8);
    files->addWidget(save_);
    files->addWidget(share);
    files->addWidget(open);
    files->addStretch(1);
    auto* layout = new QVBoxLayout(block);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* ways = new QHBoxLayout;
    ways->setSpacing(8);
    ways->addWidget(as_formula_);
    ways->addWidget(back);
    ways->addStretch(1);
    layout->addLayout(files);
    layout->addLayout(ways);
    return block;
}

void MechanismComposer::build_rows() {
    const std::vector<QWidget*> stops = tab_stops_in(*this);
    QWidget* before = stops.empty() ? this : stops.back();
    std::vector<QWidget*> parts;
    QString taken = letters_of_left_panels();
    for (const SpecAxis& axis : spec_axes()) {
        auto* row = new ComposerRow(axis, with_key(QString::fromStdString(axis.label), taken));
        rows_.push_back(row);
        parts.push_back(row);
        layout()->addWidget(row);
        connect(row, &ComposerRow::chosen, this,
                [this, row](const std::function<void(AttentionSpec&)>& apply) { choose(*row, apply); });
        connect(row, &ComposerRow::edited, this,
                [this, row](const std::function<void(AttentionSpec&)>& apply, const QString& merge) {
                    document_.edit(
                        compose_own(document_.session(), row->axis().label, apply, merge.toStdString()));
                });
        if (axis.id == "position") {
            mask_ = new ComposerMask(with_key(tr("Mask"), taken));
            parts.push_back(mask_);
            layout()->addWidget(mask_);
            connect(mask_, &ComposerMask::edited, this, [this](const Mask& mask, const QString& merge) {
                document_.edit(compose_own(
                    document_.session(), "Mask", [mask](AttentionSpec& spec) { spec.mask = mask; },
                    merge.toStdString()));
            });
        }
    }
    // What is made last would be last of the whole window.
    for (const QWidget* part : parts)
        for (QWidget* stop : tab_stops_in(*part)) {
            setTabOrder(before, stop);
            before = stop;
        }
}

QString MechanismComposer::own_name() const {
    const Mechanism* base = find_mechanism(document_.session().mechanism);
    // A name of the catalogue begins with a capital letter, and so it stands first.
    return library_.free_name(
        tr("%1 of mine").arg(base ? QString::fromStdString(base->name) : tr("Attention")));
}

void MechanismComposer::begin() {
    document_.edit(build_own(document_.session(), own_name().toStdString()));
    emit begun();
    choose_name();
    look_at_name();
}

void MechanismComposer::begin_with(const OwnFormula& formula) {
    document_.edit(make_own(document_.session(), own_name().toStdString(), formula));
    emit begun();
    own_formula_->take_keyboard();
    look_at_name();
}

QWidget& MechanismComposer::formula_problem() { return own_formula_->problem(); }

/// A mechanism that no formula says is left for the plainest one.
void MechanismComposer::write_formula() {
    const auto run = document_.run();
    try {
        if (run && run->plan) {
            const OwnFormula formula = own_formula(*run->plan);
            name_->setFocus();  // else Qt scrolls to what is behind the button, which cannot be pressed then
            document_.edit(make_own(document_.session(), own_name().toStdString(), formula));
            return choose_name();
        }
    } catch (const Error& error) {
        emit notice(QString::fromStdString(error.what()));
    }
    document_.edit(headlight::write_formula(document_.session()));
}

void MechanismComposer::type_formula(const QString& text) {
    document_.edit(headlight::type_formula(document_.session(), text.toStdString()));
}

void MechanismComposer::choose_name() {
    name_->setFocus();
    name_->end(false);
    name_->home(true);  // all of it, seen from its beginning
}

void MechanismComposer::look_at_name() {
    // The button that began it stands far below; the rows are laid out only now.
    QTimer::singleShot(0, this, [this] {
        for (QWidget* around = parentWidget(); around; around = around->parentWidget())
            if (auto* area = qobject_cast<QScrollArea*>(around))
                area->ensureWidgetVisible(name_);
    });
}

void MechanismComposer::choose(const ComposerRow& row, const std::function<void(AttentionSpec&)>& apply) {
    const auto run = document_.run();
    const bool is_of_heads = row.axis().id == "heads" && run && run->plan;
    const auto change = [&](AttentionSpec& spec) {
        apply(spec);
        if (is_of_heads)  // their number is asked for once there are several
            spec = with_fitting_heads(spec, few_tokens(run->plan->inputs));
    };
    document_.edit(compose_own(document_.session(), row.axis().label, change, {}));
}

void MechanismComposer::rename(const QString& name) {
    document_.edit(rename_own(document_.session(), name.trimmed().toStdString()));
}

void MechanismComposer::save() {
    if (const auto& custom = document_.session().custom)
        library_.save({custom->name, session_spec(document_.session())});
}

void MechanismComposer::copy() {
    const Session& session = document_.session();
    if (!session.custom)
        return;
    QGuiApplication::clipboard()->setText(
        QString::fromStdString(write_mechanism({session.custom->name, session_spec(session)})));
    emit notice(tr("“%1” is on the clipboard as JSON.").arg(QString::fromStdString(session.custom->name)));
}

void MechanismComposer::keep_draft() {
    const Session& session = document_.session();
    if (!session.custom || document_.lesson())  // nothing of a lesson is taken for the person's work
        return;
    const CustomMechanism own{session.custom->name, session_spec(session)};
    if (library_.has(own) || same_spec(session_spec(leave_own(session).after), own.spec))
        return;
    library_.keep_draft(own);
    emit notice(tr("“%1” is not saved: the list of mechanisms keeps it under Mine.")
                    .arg(QString::fromStdString(own.name)));
}

void MechanismComposer::leave() {
    keep_draft();
    document_.edit(leave_own(document_.session()));
}

void MechanismComposer::refresh() {
    const Session& session = document_.session();
    if (!session.custom) {
        trials_.cancel();
        tried_.reset();
        shown_.reset();
        return;
    }
    if (rows_.empty())
        build_rows();
    const QString name = QString::fromStdString(session.custom->name);
    if (name_->text().trimmed() != name && !(name_->hasFocus() && name_->text().trimmed().isEmpty()))
        name_->setText(name);
    const AttentionSpec spec = session_spec(session);
    const bool on_image = bool(session.sequence.image);
    if (shown_ != spec || shown_on_image_ != on_image) {
        shown_ = spec;
        shown_on_image_ = on_image;
        for (ComposerRow* row : rows_)
            row->show_spec(spec, on_image);
        mask_->show_mask(spec.mask, on_image);
        show_formula(spec);
        formula_->show_words(spec_formula(spec).join(QChar(u'\n')));
    }
    save_->setEnabled(!library_.has({session.custom->name, spec}));
    show_error();
    try_words();
}

/// A formula, or another algorithm, has the place of the parts that it does without.
void MechanismComposer::show_formula(const AttentionSpec& spec) {
    const bool is_formula = spec.algorithm.type == AlgorithmType::formula;
    own_formula_->setVisible(is_formula);
    formula_->setVisible(!is_formula);
    as_formula_->setEnabled(!is_formula);  // in its place, or what is beside it would come under the pointer
    const AttentionSpec plainest;
    for (ComposerRow* row : rows_)  // what an algorithm cannot have is shown, to be changed
        row->setVisible(is_used(row->axis(), spec) || row->axis().word(spec) != row->axis().word(plainest));
    if (is_formula)
        own_formula_->show_text(QString::fromStdString(spec.algorithm.options.word("text")));
}

void MechanismComposer::show_error() {
    if (rows_.empty())
        return;
    const std::optional<Error>& error = document_.error();
    const bool is_of_formula = error && error->detail().what == "formula" && error->detail().where != "mask";
    own_formula_->show_problem(is_of_formula ? error : std::nullopt);
    const std::string about = error ? axis_of(error->detail().where, error->detail().what) : std::string();
    const QString text = error && shown_ ? problem_text(*error, *shown_, document_.run().get()) : QString();
    bool is_beside = about == "mask";
    for (ComposerRow* row : rows_) {
        const bool is_here = row->axis().id == about && !is_of_formula && !row->isHidden();
        row->show_problem(is_here ? text : QString());
        is_beside = is_beside || is_here;
    }
    mask_->show_problem(about == "mask" ? text : QString());
    problem_->show_text(is_beside ? QString() : text);
    problem_->setVisible(error && !is_beside && !is_of_formula);
}

void MechanismComposer::try_words() {
    const AttentionSpec spec = session_spec(document_.session());
    const auto run = document_.run();
    if (!run || !run->plan)
        return;
    const auto trial = std::pair(spec, run->plan->inputs.query.shape());
    if (tried_ == trial)
        return;
    tried_ = trial;
    trials_.start(
        "try the words",
        [this, spec,
         tokens = few_tokens(run->plan->inputs)](const Cancellation& cancellation) -> Job::Delivery {
            const auto reasons = std::make_shared<const WordReasons>(
                impossible_words(spec, tokens, [&] { return cancellation.requested(); }));
            return [this, reasons] { show_impossible(*reasons); };
        },
        [this](const Error&) { show_impossible({}); });  // every word can be tried by choosing it
}

void MechanismComposer::show_impossible(const WordReasons& reasons) {
    const auto of = [&](const std::string& axis) {
        const auto found = reasons.find(axis);
        return found == reasons.end() ? std::map<std::string, std::string>() : found->second;
    };
    for (ComposerRow* row : rows_)
        row->show_impossible(of(row->axis().id));
    for (std::size_t part = 0; part < most_mask_parts; ++part)
        mask_->show_impossible(part, of("mask." + std::to_string(part)));
}

}  // namespace headlight
