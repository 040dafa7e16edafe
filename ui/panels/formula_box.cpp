#include "ui/panels/formula_box.h"

#include "core/attention/formula_remarks.h"
#include "ui/views/describe.h"
#include "ui/views/formula_edit.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {
namespace {

constexpr int least_lines = 6, most_lines = 18;

/// The first formula of docs/formula.md.
constexpr const char* example_lines = "scores = q @ k.T / sqrt(d) - abs(i - j) / 4\n"
                                      "weights = softmax(where(j <= i, scores, -inf))\n"
                                      "context = weights @ v";

/// "line 2, column 15" as numbers; 0 where an error has no such place.
std::pair<int, int> place_of(const Error& error) {
    static const QRegularExpression place(QStringLiteral("^line (\\d+), column (\\d+)"));
    const auto found = place.match(QString::fromStdString(error.detail().where));
    return {found.captured(1).toInt(), found.captured(2).toInt()};
}

/// None of a text that is half typed while the run of the one before is told.
QStringList remark_lines(const std::string& formula) try {
    QStringList lines;
    for (const FormulaRemark& each : remarks_on(*typed_formula(formula)))
        lines += FormulaBox::tr("Line %1: %2.").arg(each.place.line).arg(QString::fromStdString(each.text));
    return lines;
} catch (const Error&) {
    return {};
}

}  // namespace

FormulaBox::FormulaBox(QWidget* parent)
    : QWidget(parent), edit_(new FormulaEdit), problem_(new WrappedLabel), remarks_(new WrappedLabel) {
    describe(edit_, QStringLiteral("own_formula_text"), tr("Formula, one line a stage"),
             tr("What each head does between its queries q, keys k and values v and its context, one line a "
                "stage: "
                "scores = q @ k.T / sqrt(d)"));
    edit_->setPlaceholderText(QLatin1String(example_lines));
    auto* title = new QLabel(tr("Formula"));
    make_title(*title);
    title->setBuddy(edit_);
    problem_->setObjectName(QStringLiteral("own_formula_problem"));
    give_role(*problem_, Role::problem);
    problem_->hide();
    remarks_->setObjectName(QStringLiteral("own_formula_remarks"));
    remarks_->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(title);
    layout->addWidget(edit_);
    layout->addWidget(problem_);
    layout->addWidget(remarks_);
    list_words();
    connect(edit_, &QPlainTextEdit::textChanged, this, [this] {
        const int lines = std::clamp(edit_->document()->blockCount() + 1, least_lines, most_lines);
        edit_->setFixedHeight(lines * edit_->fontMetrics().lineSpacing() + 2 * edit_->frameWidth() + 12);
        leave_problem();
        emit edited(edit_->toPlainText());
    });
}

void FormulaBox::show_text(const QString& text) {
    const QSignalBlocker silent(this);
    edit_->show_text(text);
}

void FormulaBox::take_keyboard() {
    edit_->window()->activateWindow();
    edit_->setFocus();
}

/// Pale and not hidden: the window shows an error itself while this label is hidden, and would for as long as
/// the run takes.
void FormulaBox::leave_problem() {
    remarks_->setEnabled(false);
    is_past_ = is_past_ || !problem_->isHidden();
    if (!is_past_)
        return;
    problem_->setEnabled(false);
    edit_->mark(0, 0);
}

void FormulaBox::show_problem(const std::optional<Error>& error) {
    const auto [line, column] = error ? place_of(*error) : std::pair(0, 0);
    edit_->mark(is_past_ ? 0 : line, column);
    problem_->setEnabled(!is_past_);
    const bool was_shown = !problem_->isHidden();
    problem_->setVisible(error.has_value());
    show_remarks(!error);
    if (!error)
        return;
    const ErrorDetail& detail = error->detail();
    const QString expected = QString::fromStdString(detail.expected),
                  got = QString::fromStdString(detail.got);
    const QString said =
        line > 0 ? tr("Line %1, column %2: it needs %3. Here: %4.").arg(line).arg(column).arg(expected, got)
                 : tr("It needs %1. Here: %2.").arg(expected, got);
    if (was_shown && said == problem_->text())
        return;  // who has scrolled since stays there
    problem_->show_text(said);
    if (edit_->hasFocus())
        QTimer::singleShot(0, this, &FormulaBox::look_at_problem);
}

void FormulaBox::show_remarks(bool is_right) {
    const QStringList lines = is_right ? remark_lines(edit_->toPlainText().toStdString()) : QStringList();
    remarks_->setEnabled(true);
    remarks_->setVisible(!lines.isEmpty());
    remarks_->show_text(lines.join(QLatin1Char('\n')));
}

/// In a low window it stands below the end of the column, where nobody sees why nothing is computed.
void FormulaBox::look_at_problem() {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);  // what is around grows one by one
    for (QWidget* around = parentWidget(); around; around = around->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(around)) {
            area->ensureWidgetVisible(problem_, 0, 4);
            // By its cursor: what is typed goes before what is said of it.
            area->ensureWidgetVisible(edit_, 0, 4);
        }
}

QWidget& FormulaBox::problem() { return *problem_; }

void FormulaBox::list_words() {
    QList<std::pair<QString, QString>> words;
    for (const FormulaWord& word : formula_words())
        words.append({QString::fromStdString(word.name), QString::fromStdString(word.meaning)});
    for (const FormulaFunction& function : formula_functions())
        words.append(
            {QString::fromUtf8(function.name.data(), static_cast<qsizetype>(function.name.size())),
             QString::fromUtf8(function.meaning.data(), static_cast<qsizetype>(function.meaning.size()))});
    std::ranges::sort(words);
    edit_->set_words(words);
}

}  // namespace headlight
