#include "ui/panels/mechanism_notes.h"

#include "core/catalog/mechanism.h"
#include "core/io/model_note.h"
#include "ui/actions/context_menu.h"
#include "ui/models/document.h"
#include "ui/models/window_settings.h"
#include "ui/views/describe.h"
#include "ui/views/wrapped_label.h"

#include <QAction>
#include <QHBoxLayout>
#include <QResizeEvent>
#include <QTextLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <vector>

namespace headlight {
namespace {

const QString shown_key = QStringLiteral("window/notes");

QString link_to(const Mechanism& mechanism) {
    return QStringLiteral("<a href=\"%1\">%2</a>")
        .arg(QString::fromStdString(mechanism.id), QString::fromStdString(mechanism.name).toHtmlEscaped());
}

/// Lines of each note of text, and those of the links under them.
constexpr int lines_of_text = 2, lines_of_links = 2;
constexpr int note_side = 12;

/// Where each line of a note begins, whose title runs into the text: titles on lines of their own would take
/// the room of the arithmetic.
std::vector<qsizetype> line_starts(const QString& title, const QString& text, const QFont& font, int width) {
    QTextLayout layout(title + text, font);
    QTextCharFormat bold;
    bold.setFontWeight(QFont::Bold);
    layout.setFormats({{0, static_cast<int>(title.size()), bold}});
    std::vector<qsizetype> starts;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(std::max(width, 1));
        starts.push_back(line.textStart());
    }
    layout.endLayout();
    return starts;
}

/// As much of `text` as two lines or more have room for; "…" where it goes on.
QString first_lines(const QString& title, const QString& text, const QFont& font, int width, int lines) {
    const auto starts = line_starts(title, text, font, width);
    if (std::ssize(starts) <= lines)
        return text;
    const qsizetype last = std::max<qsizetype>(starts[static_cast<std::size_t>(lines) - 1] - title.size(), 0);
    return text.left(last) + QFontMetrics(font).elidedText(text.mid(last), Qt::ElideRight, width);
}

QString note_html(const QString& title, const QString& html) {
    return QStringLiteral("<b>%1</b>%2").arg(title, html);
}

/// The sentence about an example was written for its words and knobs: of others it must not seem to speak.
bool shows_example(const Session& session, const ExampleInput& example) {
    const SequenceSettings& sequence = session.sequence;
    const bool has_knobs = std::ranges::all_of(example.values, [&](const auto& knob) {
        const auto set = session.values.find(knob.first);
        return set != session.values.end() && set->second == knob.second;
    });
    return has_knobs && !sequence.file && !sequence.image && sequence.query_text == example.query &&
           (example.key.empty() || sequence.key_text == example.key);
}

/// The mechanisms of the catalogue whose maps stand beside the session's own, if they do, that in view first.
std::vector<const Mechanism*> compared_in_view(const Session& session) {
    std::vector<const Mechanism*> all;
    if (session.view.view != ViewKind::compare || !session.runs_mechanism())
        return all;
    for (const ComparedMechanism& each : session.compared) {
        const Mechanism* other = each.custom ? nullptr : find_mechanism(each.mechanism);
        if (other && !other->correction.empty() && other->id != session.mechanism &&
            std::ranges::find(all, other) == all.end())
            all.push_back(other);
    }
    std::ranges::stable_partition(
        all, [&](const Mechanism* each) { return each->name == session.view.selection.site; });
    return all;
}

}  // namespace

MechanismNotes::MechanismNotes(Document& document, WindowSettings& settings, QWidget* parent)
    : QWidget(parent), document_(document), action_(make_action(QStringLiteral("show_notes"), this)),
      look_for_(new WrappedLabel), correction_(new WrappedLabel), compared_(new WrappedLabel),
      related_(new WrappedLabel), more_(new QToolButton) {
    setObjectName(QStringLiteral("mechanism_notes"));
    QFont small;
    small.setPointSizeF(9);
    setFont(small);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(note_side, 8, note_side, 8);
    layout->setSpacing(6);
    for (WrappedLabel* part : {look_for_, correction_, compared_, related_})
        part->setTextFormat(Qt::RichText);
    layout->addWidget(look_for_);
    layout->addWidget(correction_);
    layout->addWidget(compared_);
    auto* last = new QHBoxLayout;
    last->addWidget(related_, 1);
    last->addWidget(more_, 0, Qt::AlignBottom);
    layout->addLayout(last);
    describe(more_, QStringLiteral("notes_more"), tr("All of the notes"),
             tr("Shows the notes whole, which leaves the arithmetic less room; and back"));
    more_->setCheckable(true);
    more_->setAutoRaise(true);
    connect(more_, &QToolButton::toggled, this, &MechanismNotes::refresh);
    describe(look_for_, QStringLiteral("mechanism_look_for"), tr("What to look for"), {});
    describe(correction_, QStringLiteral("mechanism_correction"), tr("Common mistakes"), {});
    describe(compared_, QStringLiteral("compared_correction"), tr("Common mistakes about what is compared"),
             {});
    describe(related_, QStringLiteral("mechanism_related"), tr("Related mechanisms"),
             tr("Goes to a mechanism that is close to this one"));
    related_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(related_, &QLabel::linkActivated, this,
            [this](const QString& id) { emit related_chosen(id.toStdString()); });
    action_->setCheckable(true);
    action_->setChecked(settings.value(shown_key, true).toBool());
    connect(action_, &QAction::toggled, this, [this, &settings](bool shown) {
        settings.set_value(shown_key, shown);
        refresh();
    });
    connect(&document_, &Document::session_changed, this, &MechanismNotes::refresh);
    connect(&document_, &Document::run_changed, this, &MechanismNotes::refresh);
    connect(&document_.looking(), &Looking::view_changed, this, [this] {
        if (!document_.session().compared.empty())
            refresh();
    });
    refresh();
}

void MechanismNotes::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        refresh();
}

void MechanismNotes::show_note(WrappedLabel& label, const QString& title, const QString& text, int lines) {
    const QString bold_title = title + QStringLiteral(": ");
    const QString few = first_lines(bold_title, text, label.font(), width() - 2 * note_side, lines);
    is_cut_ = is_cut_ || few != text;
    const QString& shown = shown_.is_whole ? text : few;
    label.setToolTip(shown == text ? QString() : text);
    label.show_text(text.isEmpty() ? QString() : note_html(bold_title, shown.toHtmlEscaped()));
    label.setVisible(!text.isEmpty());
}

void MechanismNotes::show_compared(const std::vector<const Mechanism*>& compared) {
    QStringList notes;
    for (const Mechanism* each : compared) {
        const QString title = tr("Common mistakes, %1: ").arg(QString::fromStdString(each->name)),
                      text = QString::fromStdString(each->correction);
        const QString few =
            first_lines(title, text, compared_->font(), width() - 2 * note_side, lines_of_text);
        is_cut_ = is_cut_ || few != text || !notes.isEmpty();
        if (notes.isEmpty() || shown_.is_whole)
            notes << note_html(title.toHtmlEscaped(), (shown_.is_whole ? text : few).toHtmlEscaped());
    }
    compared_->show_text(notes.join(QStringLiteral("<br>")));
    compared_->setVisible(!notes.isEmpty());
}

void MechanismNotes::show_related(const Mechanism* mechanism) {
    const QString title = tr("Look at next") + QStringLiteral(": ");
    const int room = width() - 2 * note_side - more_->sizeHint().width() - layout()->spacing();
    QStringList names, links;
    for (const std::string& id : mechanism ? mechanism->related : std::vector<std::string>()) {
        const Mechanism* other = find_mechanism(id);
        if (!other)
            continue;
        names << QString::fromStdString(other->name);
        const auto lines = line_starts(title, names.join(QStringLiteral(" · ")), related_->font(), room);
        const bool fits = names.size() == 1 || std::ssize(lines) <= lines_of_links;
        is_cut_ = is_cut_ || !fits;
        if (fits || shown_.is_whole)
            links << link_to(*other);
    }
    related_->show_text(links.isEmpty() ? QString() : note_html(title, links.join(QStringLiteral(" · "))));
    related_->setVisible(!links.isEmpty());
}

void MechanismNotes::withhold(bool withheld) {
    is_withheld_ = withheld;
    refresh();
}

void MechanismNotes::refresh() {
    const Session& session = document_.session();
    const bool has_notes = session.runs_mechanism() && !session.custom;
    const Mechanism* shown = has_notes ? find_mechanism(session.mechanism) : nullptr;
    const std::shared_ptr<const Run> run = document_.run();
    QString look_for, correction = shown ? QString::fromStdString(shown->correction) : QString();
    if (shown && shows_example(session, shown->example))
        look_for = QString::fromStdString(shown->example.look_for);
    if (session.model && run && run->transcript && run->session->model)
        look_for = QString::fromStdString(what_to_look_for(run->session->model->name, *run->transcript));
    const Content content{look_for, correction, compared_in_view(session), shown,
                          font(),   width(),    more_->isChecked()};
    if (content != shown_)
        lay_out(content);
    setVisible(action_->isChecked() && !is_withheld_ &&
               (!look_for.isEmpty() || shown || !content.compared.empty()));
}

void MechanismNotes::lay_out(const Content& content) {
    shown_ = content;
    is_cut_ = false;
    show_note(*look_for_, tr("What to look for"), content.look_for, lines_of_text);
    show_note(*correction_, tr("Common mistakes"), content.correction, lines_of_text);
    show_compared(content.compared);
    more_->setText(content.is_whole ? tr("Less") : tr("More…"));
    show_related(content.mechanism);
    more_->setVisible(is_cut_);
}

}  // namespace headlight
