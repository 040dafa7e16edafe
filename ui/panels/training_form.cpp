#include "ui/panels/training_form.h"

#include "core/model/attention_choices.h"
#include "core/tensor/error.h"
#include "ui/models/unread_text.h"
#include "ui/panels/attention_combo.h"
#include "ui/panels/describe.h"
#include "ui/panels/number_control.h"
#include "ui/views/wrapped_label.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <utility>

namespace headlight {
namespace {

const QString prefix = QStringLiteral("train/");
constexpr int widest = 512, most_steps = 100'000, largest_seed = 1'000'000;

QString q(std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); }

/// "GRU", "Transformer"
QString host_title(std::string_view word) {
    constexpr std::size_t longest_abbreviation = 4;
    const QString title = q(word);
    return word.size() <= longest_abbreviation ? title.toUpper() : title.left(1).toUpper() + title.mid(1);
}

/// The first sentence, without what it lists.
QString in_short(const std::string& paragraph) {
    static const QRegularExpression end(QStringLiteral("[:.] "));
    const QString text = QString::fromStdString(paragraph);
    const qsizetype length = text.indexOf(end);
    return length < 0 ? text : text.left(length) + QChar('.');
}

/// Long enough to show a pattern, short enough for large cells.
Index telling_example(const Task& task) {
    constexpr Index least = 7, most = 12, tried = 50;
    for (Index number = 0; number < tried; ++number) {
        const Index length = std::ssize(tokens_of(task, filmed_example(task, number).source));
        if (length >= least && length <= most)
            return number;
    }
    return 0;
}

/// Throws Error for a text with others.
void require_words(const Task& task, const std::string& text, Side side) {
    try {
        tokens_of(task, text, side);
    } catch (const Error& error) {
        throw error.within(side == Side::source ? "source text" : "target text");
    }
}

QString in_words(const Error& error) {
    const auto unread = unread_text(error, {}, false);
    if (!unread)
        return QString::fromStdString(error.what());
    return unread->is_in_source ? TrainingForm::tr("Sentence: %1").arg(unread->problem)
                                : TrainingForm::tr("Answer: %1").arg(unread->problem);
}

}  // namespace

TrainingForm::TrainingForm(QSettings& settings, QWidget* parent)
    : QWidget(parent), settings_(settings), task_(new QComboBox), host_(new QComboBox),
      attention_(new AttentionCombo), width_(new QSpinBox), steps_(new QSpinBox), seed_(new QSpinBox),
      source_(new QLineEdit), target_(new QLineEdit), example_(new QPushButton(tr("Another e&xample"))),
      start_(new QPushButton(tr("&Train"))), meaning_(new WrappedLabel), refusal_(new WrappedLabel) {
    build();
    restore();
    connect_parts();
}

void TrainingForm::build() {
    describe(task_, QStringLiteral("train_task"), tr("Task"), tr("What the model is to learn"));
    for (const Task& each : tasks()) {
        task_->addItem(q(each.name), q(each.id));
        task_->setItemData(task_->count() - 1, q(each.meaning), Qt::ToolTipRole);
    }
    describe(host_, QStringLiteral("train_host"), tr("Model"),
             tr("What the attention works in: a recurrent encoder and decoder, or a Transformer"));
    describe(attention_, QStringLiteral("train_attention"), tr("Attention"),
             tr("What turns queries and keys into weights: a score, a normaliser, or a mechanism of the "
                "catalogue. Only those that this model can learn with are listed"));
    describe(width_, QStringLiteral("train_width"), tr("Width"),
             tr("Numbers in each of the model's vectors: a wider one learns more, and slower"));
    width_->setRange(2, widest);
    describe(steps_, QStringLiteral("train_steps"), tr("Steps"),
             tr("Batches of 64 examples to learn from; no example comes twice"));
    steps_->setRange(1, most_steps);
    steps_->setGroupSeparatorShown(true);
    steps_->setSingleStep(100);
    describe(
        seed_, QStringLiteral("train_seed"), tr("Seed"),
        tr("Draws the first weights and the examples: the same seed learns the same, to the last digit"));
    seed_->setRange(0, largest_seed);
    describe(source_, QStringLiteral("train_source"), tr("Sentence"),
             tr("What is filmed: the model reads it every few batches. A run that learns this task is filmed "
                "with it from its next frame on"));
    describe(target_, QStringLiteral("train_target"), tr("Answer"),
             tr("What the model is made to say of it (teacher forcing), so that the rows stay in their "
                "places. Empty: its own words"));
    target_->setPlaceholderText(tr("its own words"));
    describe(example_, QStringLiteral("train_example"), tr("Another example"),
             tr("Puts in a sentence that the model never sees in training, and its answer"));
    describe(start_, QStringLiteral("train_start"), tr("Train"), tr("Begins a new run"));
    meaning_->setObjectName(QStringLiteral("train_meaning"));
    meaning_->setAccessibleName(tr("What is learned"));
    meaning_->setProperty("role", "note");
    refusal_->setObjectName(QStringLiteral("train_refusal"));
    refusal_->setAccessibleName(tr("What cannot be trained"));
    refusal_->setProperty("role", "note");
    for (QComboBox* list : {task_, host_, static_cast<QComboBox*>(attention_)}) {
        list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        list->setMinimumContentsLength(19);
        ignore_passing_wheel(list);
    }
    for (QSpinBox* number : {width_, steps_, seed_})
        ignore_passing_wheel(number);

    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(6);
    form->addRow(tr("Tas&k"), task_);
    form->addRow(meaning_);
    form->addRow(tr("&Model"), host_);
    form->addRow(tr("&Attention"), attention_);
    form->addRow(tr("W&idth"), width_);
    form->addRow(tr("Ste&ps"), steps_);
    form->addRow(tr("See&d"), seed_);
    form->addRow(tr("Sentence &filmed"), source_);
    target_label_ = new QLabel(tr("Ans&wer"));
    target_label_->setBuddy(target_);
    form->addRow(target_label_, target_);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(example_);
    buttons->addStretch(1);
    buttons->addWidget(start_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(form);
    layout->addLayout(buttons);
    layout->addWidget(refusal_);  // below them, so that they keep their place
    for (QPushButton* button : {example_, start_})
        button->setAutoDefault(false);
}

void TrainingForm::connect_parts() {
    connect(task_, &QComboBox::activated, this, [this] {
        show_hosts();
        show_text();
        list_attentions();
    });
    connect(host_, &QComboBox::activated, this, &TrainingForm::list_attentions);
    connect(attention_, &QComboBox::activated, this, &TrainingForm::refresh);
    connect(attention_, &AttentionCombo::listed, this, [this] {
        show_size();
        refresh();
    });
    for (QSpinBox* number : {width_, steps_, seed_})
        connect(number, &QSpinBox::valueChanged, this, &TrainingForm::refresh);
    const auto tell = [this] {
        refresh();
        if (plan_)
            emit text_changed();
    };
    connect(source_, &QLineEdit::textEdited, this, [this, tell] {
        if (answers_example_)  // which this is no more
            target_->clear();
        tell();
    });
    connect(target_, &QLineEdit::textEdited, this, [this, tell] {
        answers_example_ = false;
        tell();
    });
    connect(example_, &QPushButton::clicked, this, &TrainingForm::show_example);
    connect(start_, &QPushButton::clicked, this, &TrainingForm::start_asked);
}

// What is remembered

void TrainingForm::restore() {
    const auto text = [this](const char* key) {
        return settings_.value(prefix + QLatin1String(key)).toString();
    };
    task_->setCurrentIndex(std::max(0, task_->findData(text("task"))));
    show_hosts();
    for (const Word<HostType>& word : words<HostType>())
        if (q(word.word) == text("host"))
            host_->setCurrentIndex(std::max(0, host_->findData(static_cast<int>(word.value))));
    attention_->want(text("attention").toStdString());
    for (const auto& [number, key] : {std::pair(width_, "width"), {steps_, "steps"}, {seed_, "seed"}})
        if (const int value = text(key).toInt(); value > 0) {
            number->setValue(value);
            keeps_size_ = true;
        }
    if (!keeps_size_)
        seed_->setValue(1);
    show_text();
    list_attentions();
}

void TrainingForm::remember() const {
    const auto keep = [this](const QString& key, const QVariant& value) {
        settings_.setValue(prefix + key, value);
    };
    const QString task = task_->currentData().toString();
    keep(QStringLiteral("task"), task);
    keep(QStringLiteral("host"), q(to_word(host())));
    if (attention_->currentData().isValid())
        keep(QStringLiteral("attention"), attention_->currentData());
    keep(QStringLiteral("width"), width_->value());
    keep(QStringLiteral("steps"), steps_->value());
    keep(QStringLiteral("seed"), seed_->value());
    keep(QStringLiteral("source/") + task, source_->text());
    keep(QStringLiteral("target/") + task, target_->text());
}

// What can be chosen

std::string TrainingForm::task() const { return task_->currentData().toString().toStdString(); }

HostType TrainingForm::host() const { return static_cast<HostType>(host_->currentData().toInt()); }

void TrainingForm::show_hosts() {
    const Task& task = headlight::task(this->task());
    const QVariant before = host_->currentData();
    host_->clear();
    for (const HostType each : possible_hosts(task))
        for (const Word<HostType>& word : words<HostType>())
            if (word.value == each) {
                host_->addItem(host_title(word.word), static_cast<int>(each));
                host_->setItemData(host_->count() - 1, q(word.meaning), Qt::ToolTipRole);
            }
    host_->setCurrentIndex(std::max(0, host_->findData(before)));
    meaning_->show_text(in_short(task.meaning));
    meaning_->setToolTip(q(task.meaning));
}

void TrainingForm::list_attentions() {
    attention_->list_for(headlight::task(task()), host());
    refresh();
}

Recipe TrainingForm::recipe() const {
    Recipe recipe;
    recipe.task = task();
    recipe.host = host();
    recipe.attention = attention_->chosen().value_or(std::string());
    return recipe;
}

void TrainingForm::show_size() {
    if (std::exchange(keeps_size_, false))
        return;
    try {
        const TrainingSettings suited = prepare(recipe()).settings;
        const QSignalBlocker no_width(width_), no_steps(steps_);
        width_->setValue(
            static_cast<int>(std::visit([](const auto& each) { return each.width; }, suited.model)));
        steps_->setValue(static_cast<int>(suited.steps));
    } catch (const Error&) {
        return;  // refresh() says why
    }
}

// The sentence

void TrainingForm::show_text() {
    const QString key = task_->currentData().toString();
    const Task& task = headlight::task(this->task());
    const FilmedText example = filmed_example(task, example_number_ = telling_example(task));
    source_->setText(settings_.value(prefix + QStringLiteral("source/") + key, q(example.source)).toString());
    target_->setText(
        settings_.value(prefix + QStringLiteral("target/") + key, q(example.target.value_or(std::string())))
            .toString());
    answers_example_ = target_->text() == q(example.target.value_or(std::string()));
    const bool answers = task.kind == TaskKind::translation;
    target_->setVisible(answers);
    target_label_->setVisible(answers);
}

void TrainingForm::show_example() {
    const FilmedText example = filmed_example(headlight::task(task()), ++example_number_);
    source_->setText(q(example.source));
    target_->setText(q(example.target.value_or(std::string())));
    answers_example_ = true;
    refresh();
    emit text_changed();
}

FilmedText TrainingForm::text() const {
    FilmedText text{source_->text().toStdString(), {}};
    if (headlight::task(task()).kind == TaskKind::translation && !target_->text().trimmed().isEmpty())
        text.target = target_->text().toStdString();
    return text;
}

// What comes of it

void TrainingForm::set_obstacle(const QString& obstacle) {
    obstacle_ = obstacle;
    refresh();
}

void TrainingForm::refresh() {
    plan_.reset();
    QString refusal;
    if (attention_->chosen()) {
        try {
            Recipe asked = recipe();
            asked.width = width_->value();
            asked.steps = steps_->value();
            asked.seed = static_cast<std::uint64_t>(seed_->value());
            const Preparation prepared = prepare(asked);
            const Task& task = headlight::task(asked.task);
            const FilmedText filmed = text();
            require_words(task, filmed.source, Side::source);
            if (filmed.target)
                require_words(task, *filmed.target, Side::target);
            plan_ = TrainingPlan{prepared.name, prepared.settings, prepared.goal, filmed};
            remember();
        } catch (const Error& error) {
            refusal = in_words(error);
        }
    }
    if (refusal.isEmpty())
        refusal = obstacle_;
    refusal_->setVisible(!refusal.isEmpty());
    refusal_->show_text(refusal);
    start_->setEnabled(plan_ && obstacle_.isEmpty());
}

}  // namespace headlight
