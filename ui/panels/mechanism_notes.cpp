#include "ui/panels/mechanism_notes.h"

#include "core/catalog/mechanism.h"
#include "core/figure/theme_table.h"
#include "core/io/model_note.h"
#include "ui/actions/context_menu.h"
#include "ui/models/document.h"
#include "ui/models/window_settings.h"
#include "ui/render/subscripts.h"
#include "ui/views/describe.h"
#include "ui/views/wrapped_label.h"

#include <QAction>
#include <QCoreApplication>
#include <QEvent>
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

/// Lines that each note of text has in any case, and those of the links under them.
constexpr Index fewest_lines = 2, lines_of_links = 2;
/// Lines of the column that are left to the arithmetic before a note has more than its fewest: as many as
/// that of a weight, with its row, has.
constexpr int lines_of_arithmetic = 34;
constexpr int most_share = 4;    // of the column, for arithmetic that is longer: a quarter
constexpr double smaller = 0.9;  // than the type of the column
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
QString first_lines(const QString& title, const QString& text, const QFont& font, int width, Index lines) {
    const auto starts = line_starts(title, text, font, width);
    if (std::ssize(starts) <= lines)
        return text;
    const qsizetype last = std::max<qsizetype>(starts[static_cast<std::size_t>(lines) - 1] - title.size(), 0);
    return text.left(last) + QFontMetrics(font).elidedText(text.mid(last), Qt::ElideRight, width);
}

QString title_of_look_for() { return QCoreApplication::translate("MechanismNotes", "What to look for"); }
QString title_of_correction() { return QCoreApplication::translate("MechanismNotes", "Common mistakes"); }
QString title_of_related() {
    return QCoreApplication::translate("MechanismNotes", "Look at next") + QStringLiteral(": ");
}
QString title_of_compared(const Mechanism& mechanism) {
    return QCoreApplication::translate("MechanismNotes", "Common mistakes, %1: ")
        .arg(QString::fromStdString(mechanism.name));
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
    describe(look_for_, QStringLiteral("mechanism_look_for"), title_of_look_for(), {});
    describe(correction_, QStringLiteral("mechanism_correction"), title_of_correction(), {});
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
    size_type();
    if (parent)
        parent->installEventFilter(this);
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

void MechanismNotes::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange)
        return;
    size_type();
    refresh();
}

bool MechanismNotes::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        refresh();
    return QWidget::eventFilter(watched, event);
}

void MechanismNotes::size_type() {
    const double share = is_for_class(document_.view().theme) ? 1 : smaller;
    QFont small;
    small.setPointSizeF(share * QFontInfo(font()).pointSizeF());
    for (QWidget* part : std::initializer_list<QWidget*>{look_for_, correction_, compared_, related_, more_})
        part->setFont(small);
}

int MechanismNotes::width_of_text() const { return width() - 2 * note_side; }

Index MechanismNotes::lines_with_room() const {
    if (!parentWidget())
        return 0;
    const QMargins margins = layout()->contentsMargins();
    const int column = parentWidget()->height(),
              left = column - lines_of_arithmetic * fontMetrics().lineSpacing(),
              room = std::min(left, column / most_share) - margins.top() - margins.bottom() -
                     3 * layout()->spacing();
    return std::max(0, room / look_for_->fontMetrics().lineSpacing());
}

int MechanismNotes::width_of_links() const {
    return width_of_text() - more_->sizeHint().width() - layout()->spacing();
}

Index MechanismNotes::lines_of_first_link(const Mechanism* mechanism) const {
    for (const std::string& id : mechanism ? mechanism->related : std::vector<std::string>())
        if (const Mechanism* first = find_mechanism(id))
            return std::ssize(line_starts(title_of_related(), QString::fromStdString(first->name),
                                          related_->font(), width_of_links()));
    return 0;
}

Index MechanismNotes::lines_of_each(const Content& content) const {
    std::vector<Index> whole;
    const auto add = [&](const QString& title, const QString& text) {
        if (!text.isEmpty())
            whole.push_back(std::ssize(line_starts(title, text, content.font, width_of_text())));
    };
    add(title_of_look_for() + QStringLiteral(": "), content.look_for);
    add(title_of_correction() + QStringLiteral(": "), content.correction);
    if (!content.compared.empty())  // the others are asked for
        add(title_of_compared(*content.compared.front()),
            QString::fromStdString(content.compared.front()->correction));
    const Index links = std::max(lines_of_links, lines_of_first_link(content.mechanism));
    const auto all_lines = [&](Index most) {
        Index sum = links;
        for (const Index lines : whole)
            sum += std::min(lines, most);
        return sum;
    };
    Index lines = fewest_lines;
    while (std::ranges::any_of(whole, [&](Index each) { return each > lines; }) &&
           all_lines(lines + 1) <= content.lines)
        ++lines;
    return lines;
}

void MechanismNotes::show_note(WrappedLabel& label, const QString& title, const QString& text, Index lines) {
    const QString bold_title = title + QStringLiteral(": ");
    const QString few = first_lines(bold_title, text, label.font(), width_of_text(), lines);
    is_cut_ = is_cut_ || few != text;
    const QString& shown = shown_.is_whole ? text : few;
    label.setToolTip(shown == text ? QString() : QStringLiteral("<p>%1</p>").arg(html_with_subscripts(text)));
    label.show_text(text.isEmpty() ? QString() : note_html(bold_title, html_with_subscripts(shown)));
    label.setVisible(!text.isEmpty());
}

void MechanismNotes::show_compared(const std::vector<const Mechanism*>& compared, Index lines) {
    QStringList notes;
    for (const Mechanism* each : compared) {
        const QString title = title_of_compared(*each), text = QString::fromStdString(each->correction);
        const QString few = first_lines(title, text, compared_->font(), width_of_text(), lines);
        is_cut_ = is_cut_ || few != text || !notes.isEmpty();
        if (notes.isEmpty() || shown_.is_whole)
            notes << note_html(title.toHtmlEscaped(), html_with_subscripts(shown_.is_whole ? text : few));
    }
    compared_->show_text(notes.join(QStringLiteral("<br>")));
    compared_->setVisible(!notes.isEmpty());
}

void MechanismNotes::show_related(const Mechanism* mechanism) {
    const QString title = title_of_related();
    QStringList names, links;
    for (const std::string& id : mechanism ? mechanism->related : std::vector<std::string>()) {
        const Mechanism* other = find_mechanism(id);
        if (!other)
            continue;
        names << QString::fromStdString(other->name);
        const auto lines =
            line_starts(title, names.join(QStringLiteral(" · ")), related_->font(), width_of_links());
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
    const Content content{.look_for = look_for,
                          .correction = correction,
                          .compared = compared_in_view(session),
                          .mechanism = shown,
                          .font = look_for_->font(),
                          .width = width(),
                          .lines = lines_with_room(),
                          .is_whole = more_->isChecked()};
    if (content != shown_)
        lay_out(content);
    setVisible(action_->isChecked() && !is_withheld_ &&
               (!look_for.isEmpty() || shown || !content.compared.empty()));
}

void MechanismNotes::lay_out(const Content& content) {
    shown_ = content;
    is_cut_ = false;
    const Index lines = lines_of_each(content);
    show_note(*look_for_, title_of_look_for(), content.look_for, lines);
    show_note(*correction_, title_of_correction(), content.correction, lines);
    show_compared(content.compared, lines);
    more_->setText(content.is_whole ? tr("Less") : tr("More…"));
    show_related(content.mechanism);
    more_->setVisible(is_cut_);
}

}  // namespace headlight
