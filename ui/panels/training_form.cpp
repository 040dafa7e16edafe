#include "ui/panels/training_form.h"

#include "core/model/fitting_hosts.h"
#include "core/tensor/error.h"
#include "ui/models/training_title.h"
#include "ui/models/unread_text.h"
#include "ui/models/window_settings.h"
#include "ui/panels/attention_combo.h"
#include "ui/panels/number_control.h"
#include "ui/panels/recurrent_fields.h"
#include "ui/panels/seed_box.h"
#include "ui/panels/training_knobs.h"
#include "ui/panels/training_layers.h"
#include "ui/panels/training_sentence.h"
#include "ui/panels/training_size.h"
#include "ui/views/describe.h"
#include "ui/views/lazy_combo.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

const QString prefix = QStringLiteral("train/");

QString q(std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); }

/// The first sentence, without what it lists.
QString in_short(const std::string& paragraph) {
    static const QRegularExpression end(QStringLiteral("[:.] "));
    const QString text = QString::fromStdString(paragraph);
    const qsizetype length = text.indexOf(end);
    return length < 0 ? text : text.left(length) + QChar('.');
}

QString in_words(const Error& error) {
    const auto unread = unread_text(error, {}, false);
    if (!unread)
        return QString::fromStdString(error.what());
    return unread->is_in_source ? TrainingForm::tr("Sentence: %1").arg(unread->problem)
                                : TrainingForm::tr("Answer: %1").arg(unread->problem);
}

QString attention_effect() {
    return TrainingForm::tr(
        "What turns queries and keys into weights: a score, a normaliser, or a mechanism, yours or of the "
        "catalogue. What this model cannot learn with leaves the list once that has been tried, and what is "
        "yours then says why; type to search it");
}

constexpr int list_letters = 19;  // of a drop-down list

}  // namespace

TrainingForm::TrainingForm(const MechanismLibrary& library, WindowSettings& settings, QWidget* parent)
    : QWidget(parent), settings_(settings), task_(new LazyCombo(list_letters)),
      host_(new LazyCombo(list_letters)), attention_(new AttentionCombo(library, list_letters)),
      knobs_(new TrainingKnobs(settings, this)), layers_(new TrainingLayers(settings, this)),
      recurrent_(new RecurrentFields(settings, this)), size_(new TrainingSize(this)), seed_(new SeedBox),
      sentence_(new TrainingSentence(settings, this)), start_(new QPushButton(tr("&Train"))),
      meaning_(new WrappedLabel), refusal_(new WrappedLabel) {
    build();
    connect_parts();
    restore();
}

void TrainingForm::build() {
    describe(task_, QStringLiteral("train_task"), tr("Task"), tr("What the model is to learn"));
    for (const Task& each : tasks()) {
        task_->addItem(q(each.name), q(each.id));
        task_->setItemData(task_->count() - 1, q(each.meaning), Qt::ToolTipRole);
    }
    describe(host_, QStringLiteral("train_host"), tr("Model"),
             tr("What the attention works in: a recurrent encoder and decoder, or a Transformer"));
    describe(attention_, QStringLiteral("train_attention"), tr("Attention"), attention_effect());
    describe(
        seed_, QStringLiteral("train_seed"), tr("Seed"),
        tr("Draws the first weights and the examples: the same seed learns the same, to the last digit"));
    describe(start_, QStringLiteral("train_start"), tr("Train"), tr("Begins a new run"));
    meaning_->setObjectName(QStringLiteral("train_meaning"));
    meaning_->setAccessibleName(tr("What is learned"));
    make_note(*meaning_);
    refusal_->setObjectName(QStringLiteral("train_refusal"));
    refusal_->setAccessibleName(tr("What cannot be trained"));
    make_note(*refusal_);
    for (QComboBox* list : {task_, host_, static_cast<QComboBox*>(attention_)})
        ignore_passing_wheel(list);
    ignore_passing_wheel(seed_);

    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(6);
    form->addRow(tr("Tas&k"), task_);
    form->addRow(meaning_);
    form->addRow(tr("&Model"), host_);
    form->addRow(tr("&Attention"), attention_);
    knobs_->add_rows(*form, *attention_);
    recurrent_->add_rows(*form);
    size_->add_rows(*form);
    layers_->add_rows(*form);
    form->addRow(tr("See&d"), seed_);
    sentence_->add_rows(*form);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(sentence_->example_button());
    buttons->addStretch(1);
    buttons->addWidget(start_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(form);
    layout->addLayout(buttons);
    layout->addWidget(refusal_);  // below them, so that they keep their place
    start_->setAutoDefault(false);
}

void TrainingForm::connect_parts() {
    connect(task_, &QComboBox::activated, this, [this] {
        show_hosts();
        sentence_->show_for(headlight::task(task()));
        list_attentions();
    });
    connect(host_, &QComboBox::activated, this, &TrainingForm::list_attentions);
    connect(attention_, &QComboBox::activated, this, &TrainingForm::follow_attention);
    connect(attention_, &AttentionCombo::listed, this, [this] {
        size_is_due_ = filled_in_ || !std::exchange(keeps_size_, false);
        follow_attention();
    });
    connect(attention_, &AttentionCombo::own_changed, this, &TrainingForm::follow_attention);
    connect(knobs_, &TrainingKnobs::edited, this, &TrainingForm::refresh);
    connect(layers_, &TrainingLayers::edited, this, &TrainingForm::follow_attention);
    connect(recurrent_, &RecurrentFields::edited, this, &TrainingForm::refresh);
    connect(size_, &TrainingSize::edited, this, [this] {
        size_is_due_ = false;
        refresh();
    });
    connect(seed_, &SeedBox::valueChanged, this, &TrainingForm::refresh);
    connect(sentence_, &TrainingSentence::edited, this, [this] {
        text_is_new_ = true;
        refresh();
    });
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
    layers_->restore();
    keeps_size_ = size_->restore(settings_);
    bool has_seed = false;
    const quint64 seed = text("seed").toULongLong(&has_seed);
    seed_->setValue(has_seed ? seed : 1);
    sentence_->show_for(headlight::task(task()));
    list_attentions();
}

void TrainingForm::remember() const {
    const auto keep = [this](const QString& key, const QVariant& value) {
        settings_.set_value(prefix + key, value);
    };
    keep(QStringLiteral("task"), task_->currentData());
    keep(QStringLiteral("host"), q(to_word(host())));
    if (attention_->currentData().isValid())
        keep(QStringLiteral("attention"), attention_->currentData());
    size_->remember(settings_);
    keep(QStringLiteral("seed"), seed_->value());
}

void TrainingForm::keyPressEvent(QKeyEvent* event) {
    // Not the window's default button: Enter in a field of numbers is to start nothing.
    const bool is_enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (is_enter && start_->hasFocus())
        return start_->click();
    QWidget::keyPressEvent(event);
}

// What can be chosen

std::string TrainingForm::task() const { return task_->currentData().toString().toStdString(); }

FilmedText TrainingForm::text() const { return sentence_->text(); }

HostType TrainingForm::host() const { return static_cast<HostType>(host_->currentData().toInt()); }

void TrainingForm::fill_in(const Recipe& recipe, const FilmedText& text) {
    filled_in_ = recipe;
    task_->setCurrentIndex(task_->findData(q(recipe.task)));
    show_hosts();
    host_->setCurrentIndex(host_->findData(static_cast<int>(recipe.host.value())));
    seed_->setValue(recipe.seed);
    recurrent_->remember(recipe);
    knobs_->remember(recipe);
    layers_->show_list(recipe.attentions);
    sentence_->show_for(headlight::task(task()));
    if (!text.source.empty())
        sentence_->show_text(text);
    attention_->want(recipe.attention);
    list_attentions();
}

void TrainingForm::show_hosts() {
    const Task& task = headlight::task(this->task());
    const QVariant before = host_->currentData();
    host_->clear();
    for (const HostType each : possible_hosts(task))
        for (const Word<HostType>& word : words<HostType>())
            if (word.value == each) {
                host_->addItem(host_title(each), static_cast<int>(each));
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
    if (const auto own = attention_->chosen_own()) {
        recipe.own = own->spec;
        recipe.own_name = own->name;
    } else {
        recipe.attention = attention_->chosen().value_or(std::string());
    }
    return knobs_->added_to(layers_->added_to(recipe));
}

void TrainingForm::follow_attention() {
    layers_->show_for(host());
    const Recipe chosen = recipe();
    const bool is_listed = !chosen.attentions.empty();
    attention_->setEnabled(!is_listed);
    attention_->setToolTip(is_listed ? tr("The list of layers says what attends. %1").arg(attention_effect())
                                     : attention_effect());
    knobs_->show_for(chosen);
    recurrent_->show_for(chosen);
    size_->show_for(chosen);
    refresh();
}

// What comes of it

void TrainingForm::set_obstacle(const QString& obstacle) {
    obstacle_ = obstacle;
    refresh();
}

void TrainingForm::refresh() {
    plan_.reset();
    asked_.reset();
    if (!attention_->chosen() || layers_->is_reading()) {
        preparing_.cancel();
        return show_outcome({});
    }
    try {
        if (size_is_due_)
            prepare_size();
        else
            prepare_plan();
    } catch (const Error& error) {
        preparing_.cancel();
        show_outcome(in_words(error));
    }
    // Not before, so that a button that can be pressed again in the same step keeps its focus.
    if (preparing_.is_running())
        start_->setEnabled(false);
}

void TrainingForm::prepare_size() {
    const auto done = [this] {
        size_is_due_ = false;
        focuses_start_ = std::exchange(filled_in_, {}).has_value();
        refresh();
    };
    preparing_.start_in_step(
        "size a model",
        [this, done,
         asked = filled_in_ ? *filled_in_ : recipe()](const Cancellation&) -> LatestJob::Delivery {
            return [this, done, settings = prepare(asked).settings] {
                size_->show_settings(settings);
                done();
            };
        },
        [done](const Error&) { done(); });  // prepare_plan() says why
}

void TrainingForm::prepare_plan() {
    Recipe asked = size_->added_to(recurrent_->added_to(recipe()));
    asked.seed = seed_->value();
    preparing_.start_in_step(
        "prepare a training run",
        [this, asked](const Cancellation&) -> LatestJob::Delivery {
            return [this, asked, prepared = prepare(asked)] { take_plan(asked, prepared); };
        },
        [this](const Error& error) { show_outcome(in_words(error)); });
}

void TrainingForm::take_plan(const Recipe& asked, const Preparation& prepared) {
    try {
        sentence_->check();
    } catch (const Error& error) {
        return show_outcome(in_words(error));
    }
    plan_ = TrainingPlan{prepared.name, training_title(asked).toStdString(), prepared.settings, prepared.goal,
                         sentence_->text()};
    asked_ = asked;
    remember();
    show_outcome({});
    if (std::exchange(text_is_new_, false))
        emit text_changed();
}

void TrainingForm::show_outcome(QString refusal) {
    if (refusal.isEmpty())
        refusal = obstacle_;
    if (!layers_->problem().isEmpty())  // the rest goes on without that file
        refusal = refusal.isEmpty() ? layers_->problem() : layers_->problem() + QChar('\n') + refusal;
    refusal_->setVisible(!refusal.isEmpty());
    refusal_->show_text(refusal);
    start_->setEnabled(plan_ && obstacle_.isEmpty());
    // Once and not later: who is writing what was lacking keeps the field.
    if (std::exchange(focuses_start_, false) && start_->isEnabled())
        start_->setFocus();
}

}  // namespace headlight
