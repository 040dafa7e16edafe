#include "ui/panels/mechanism_notes.h"

#include "core/catalog/mechanism.h"
#include "ui/models/document.h"
#include "ui/views/describe.h"
#include "ui/views/wrapped_label.h"

#include <QAction>
#include <QSettings>
#include <QVBoxLayout>

namespace headlight {
namespace {

const QString shown_key = QStringLiteral("window/notes");

QString link_to(const Mechanism& mechanism) {
    return QStringLiteral("<a href=\"%1\">%2</a>")
        .arg(QString::fromStdString(mechanism.id), QString::fromStdString(mechanism.name).toHtmlEscaped());
}

QString related_html(const Mechanism& mechanism) {
    QStringList names;
    for (const std::string& id : mechanism.related)
        if (const Mechanism* other = find_mechanism(id))
            names << link_to(*other);
    return names.join(QStringLiteral(" · "));
}

/// The title runs into the text: three titles on lines of their own would take the room of the arithmetic.
void show_note(WrappedLabel& label, const QString& title, const QString& html) {
    label.show_text(html.isEmpty() ? QString() : QStringLiteral("<b>%1:</b> %2").arg(title, html));
    label.setVisible(!html.isEmpty());
}

/// Which words the note speaks of; long ones would hide what it says of them.
QString example_title(const std::string& words) {
    constexpr qsizetype longest = 60;
    const QString shown = QString::fromStdString(words).simplified();
    return shown.isEmpty() || shown.size() > longest
               ? MechanismNotes::tr("In its example")
               : MechanismNotes::tr("In its example, “%1”").arg(shown.toHtmlEscaped());
}

}  // namespace

MechanismNotes::MechanismNotes(Document& document, QSettings& settings, QWidget* parent)
    : QWidget(parent), document_(document), action_(new QAction(tr("&Notes"), this)),
      look_for_(new WrappedLabel), correction_(new WrappedLabel), related_(new WrappedLabel) {
    setObjectName(QStringLiteral("mechanism_notes"));
    QFont small;
    small.setPointSizeF(9);
    setFont(small);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    for (WrappedLabel* part : {look_for_, correction_, related_}) {
        part->setTextFormat(Qt::RichText);
        layout->addWidget(part);
    }
    describe(look_for_, QStringLiteral("mechanism_look_for"), tr("What to look for"), {});
    describe(correction_, QStringLiteral("mechanism_correction"), tr("Often printed otherwise"), {});
    describe(related_, QStringLiteral("mechanism_related"), tr("Related mechanisms"),
             tr("Goes to a mechanism that is close to this one"));
    related_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(related_, &QLabel::linkActivated, this,
            [this](const QString& id) { emit related_chosen(id.toStdString()); });
    action_->setObjectName(QStringLiteral("show_notes"));
    action_->setCheckable(true);
    action_->setChecked(settings.value(shown_key, true).toBool());
    action_->setToolTip(tr("What to look for, what is often printed otherwise, and where to go next; without "
                           "them the arithmetic has the whole column"));
    connect(action_, &QAction::toggled, this, [this, &settings](bool shown) {
        settings.setValue(shown_key, shown);
        refresh();
    });
    connect(&document_, &Document::session_changed, this, &MechanismNotes::refresh);
    connect(&document_, &Document::run_changed, this, &MechanismNotes::refresh);
    refresh();
}

void MechanismNotes::refresh() {
    const Session& session = document_.session();
    const bool has_notes = session.runs_mechanism() && !session.custom;
    const Mechanism* shown = has_notes ? find_mechanism(session.mechanism) : nullptr;
    const std::shared_ptr<const Run> run = document_.run();
    QString look_for = shown ? QString::fromStdString(shown->example.look_for) : QString();
    if (session.model && run && run->transcript)
        look_for = QString::fromStdString(run->transcript->model->model->task.what_to_see);
    // The sentence was written for the words of the example: of other words it must not seem to speak.
    const bool has_other_words = shown && session.sequence.query_text != shown->example.query;
    show_note(*look_for_, has_other_words ? example_title(shown->example.query) : tr("What to look for"),
              look_for.toHtmlEscaped());
    show_note(*correction_, tr("Often printed otherwise"),
              shown ? QString::fromStdString(shown->correction).toHtmlEscaped() : QString());
    show_note(*related_, tr("Look at next"), shown ? related_html(*shown) : QString());
    setVisible(action_->isChecked() && (!look_for.isEmpty() || shown));
}

}  // namespace headlight
