#include "ui/lesson/question_form.h"

#include "ui/views/decimal_box.h"
#include "ui/views/describe.h"
#include "ui/views/typed_text.h"
#include "ui/views/whole_number_box.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace headlight {
namespace {

constexpr int most_options = 8;

}  // namespace

QuestionForm::QuestionForm(Place place, QWidget* parent)
    : QWidget(parent), place_(place), rows_(new QFormLayout(this)), kind_(new QComboBox), ask_(new QLineEdit),
      query_(new QLineEdit), key_(new QLineEdit), because_(new QLineEdit), tolerance_(new DecimalBox),
      options_(new QPlainTextEdit), answer_(new WholeNumberBox) {
    rows_->setContentsMargins(0, 0, 0, 0);
    kind_->addItem(tr("No question"));
    for (const Word<Question::Kind>& kind : words<Question::Kind>())
        kind_->addItem(QString::fromUtf8(kind.meaning.data(), qsizetype(kind.meaning.size())));
    tolerance_->setRange(0.01, 1);
    tolerance_->setSingleStep(0.05);
    answer_->setRange(1, most_options);
    options_->setTabChangesFocus(true);
    options_->setMaximumHeight(5 * fontMetrics().lineSpacing());
    const auto add = [&](const QString& label, QWidget* field, const char* id, const QString& effect) {
        describe(field, QLatin1String(id), QString(label).remove(u'&'), effect);
        rows_->addRow(label, field);
    };
    add(tr("Question"), kind_, "question_kind", tr("What the class is asked before the first reveal"));
    add(tr("Asked"), ask_, "question_ask", tr("The question as it is read"));
    add(tr("Who looks (row)"), query_, "question_query",
        tr("A word at the left of the picture, or its number from 1. Asked which cell is largest, nothing "
           "here "
           "means anywhere in the picture"));
    add(tr("At what (column)"), key_, "question_key", tr("A word above the picture, or its number from 1"));
    add(tr("Right within"), tolerance_, "question_tolerance", tr("A guess that is no further off is right"));
    add(tr("Answers"), options_, "question_options", tr("One on each line, 2 to 8"));
    add(tr("Right one"), answer_, "question_answer", tr("Which of the answers is right, counted from 1"));
    add(tr("The reason"), because_, "question_because",
        tr("Said behind the answer, which need not be repeated; {{weight:it,animal}} stands for a number"));
    ask_->setPlaceholderText(tr("What the class is asked"));
    query_->setPlaceholderText(tr("a word at the left of the picture"));
    key_->setPlaceholderText(tr("a word above the picture"));
    options_->setPlaceholderText(tr("One answer on each line"));
    because_->setPlaceholderText(tr("Why it is so, in a sentence; said behind the answer"));
    if (place_ == Place::around_a_lesson) {
        rows_->labelForField(kind_)->hide();
        kind_->hide();
    }
    connect(kind_, &QComboBox::currentIndexChanged, this, [this] {
        show_fields();
        emit edited();
    });
    for (const QLineEdit* field : {ask_, query_, key_, because_})
        connect(field, &QLineEdit::textEdited, this, &QuestionForm::edited);
    connect(options_, &QPlainTextEdit::textChanged, this, &QuestionForm::edited);
    connect(tolerance_, &QDoubleSpinBox::valueChanged, this, &QuestionForm::edited);
    connect(answer_, &QSpinBox::valueChanged, this, &QuestionForm::edited);
    show_fields();
}

void QuestionForm::show_question(const std::optional<Question>& question) {
    const QSignalBlocker quiet(this);
    const Question shown = question.value_or(Question());
    const auto& kinds = words<Question::Kind>();
    const auto at = std::ranges::find(kinds, shown.kind, &Word<Question::Kind>::value) - kinds.begin();
    kind_->setCurrentIndex(question ? int(at) + 1 : 0);
    ask_->setText(QString::fromStdString(shown.ask));
    query_->setText(QString::fromStdString(shown.query));
    key_->setText(QString::fromStdString(shown.key));
    because_->setText(QString::fromStdString(shown.because));
    for (QLineEdit* sentence : {ask_, because_})
        sentence->home(false);  // which is read from its beginning
    tolerance_->setValue(shown.tolerance);
    QStringList options;
    for (const std::string& option : shown.options)
        options += QString::fromStdString(option);
    options_->setPlainText(options.join(u'\n'));
    answer_->setValue(int(shown.answer) + 1);
    show_fields();
}

std::optional<Question> QuestionForm::question() const {
    if (!has_question())
        return std::nullopt;
    Question question;
    if (place_ == Place::in_a_step)
        question.kind = words<Question::Kind>()[std::size_t(kind_->currentIndex() - 1)].value;
    question.ask = ask_->text().toStdString();
    question.because = because_->text().toStdString();
    if (question.kind == Question::Kind::weight || question.kind == Question::Kind::cell)
        question.query = query_->text().toStdString();
    if (question.kind == Question::Kind::weight) {
        question.key = key_->text().toStdString();
        question.tolerance = tolerance_->value();
    }
    if (question.kind == Question::Kind::choice) {
        for (const QString& line : typed_text(*options_).split(u'\n', Qt::SkipEmptyParts))
            question.options.push_back(line.trimmed().toStdString());
        const auto last = std::max<std::size_t>(1, question.options.size());
        question.answer = std::min(std::size_t(answer_->value()), last) - 1;
    }
    return question;
}

bool QuestionForm::has_question() const {
    return kind_->currentIndex() > 0 || place_ == Place::around_a_lesson;
}

void QuestionForm::show_fields() {
    const bool is_asked = has_question();
    const Question::Kind kind = place_ == Place::around_a_lesson || !is_asked
                                    ? Question::Kind::choice
                                    : words<Question::Kind>()[std::size_t(kind_->currentIndex() - 1)].value;
    const auto show = [&](QWidget* field, bool is_shown) {
        field->setVisible(is_shown);
        rows_->labelForField(field)->setVisible(is_shown);
    };
    const bool is_weight = is_asked && kind == Question::Kind::weight;
    const bool is_choice = is_asked && kind == Question::Kind::choice;
    show(ask_, is_asked);
    show(because_, is_asked);
    show(query_, is_weight || (is_asked && kind == Question::Kind::cell));
    show(key_, is_weight);
    show(tolerance_, is_weight);
    show(options_, is_choice);
    show(answer_, is_choice);
}

}  // namespace headlight
