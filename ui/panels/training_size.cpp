#include "ui/panels/training_size.h"

#include "ui/models/window_settings.h"
#include "ui/panels/number_control.h"
#include "ui/views/describe.h"
#include "ui/views/plain_number_box.h"
#include "ui/views/whole_number_box.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

constexpr int widest_layers = 512, most_steps = 100'000;

QString heads_effect() {
    return TrainingSize::tr(
        "How many maps each place has. Every head has an equal part of the width, so it must divide it");
}

QString layers_effect() {
    return TrainingSize::tr("Layers of the encoder, and as many of the decoder: more learn more, and slower");
}

QString turns_effect() {
    return TrainingSize::tr(
        "How often the layers are gone through, with the same weights: more than once in a Universal "
        "Transformer");
}

QString segment_effect() {
    return TrainingSize::tr(
        "How many tokens of its own text the decoder reads at a time: it sees those of its segment, and "
        "those of the one before as they were. 0: the whole text at once");
}

/// A label that moves the focus to its field.
QLabel* label_of(const QString& text, QWidget* field) {
    auto* label = new QLabel(text);
    label->setBuddy(field);
    return label;
}

}  // namespace

TrainingSize::TrainingSize(QObject* parent)
    : QObject(parent), width_(new WholeNumberBox), heads_(new WholeNumberBox), layers_(new WholeNumberBox),
      turns_(new WholeNumberBox), segment_(new WholeNumberBox), steps_(new WholeNumberBox),
      rate_(new PlainNumberBox), heads_label_(label_of(tr("&Heads"), heads_)),
      layers_label_(label_of(tr("La&yers"), layers_)), turns_label_(label_of(tr("T&urns"), turns_)),
      segment_label_(label_of(tr("S&egment"), segment_)) {
    describe(width_, QStringLiteral("train_width"), tr("Width"),
             tr("Numbers in each of the model's vectors: a wider one learns more, and slower"));
    width_->setRange(2, widest_layers);
    describe(heads_, QStringLiteral("train_heads"), tr("Heads"), heads_effect());
    heads_->setRange(1, static_cast<int>(most_heads));
    describe(layers_, QStringLiteral("train_layers"), tr("Layers"), layers_effect());
    layers_->setRange(1, static_cast<int>(most_transformer_layers));
    describe(turns_, QStringLiteral("train_turns"), tr("Turns"), turns_effect());
    turns_->setRange(1, static_cast<int>(most_turns));
    describe(segment_, QStringLiteral("train_segment"), tr("Segment"), segment_effect());
    segment_->setRange(0, static_cast<int>(longest_segment));
    describe(steps_, QStringLiteral("train_steps"), tr("Steps"),
             tr("Batches of 64 examples to learn from; no example comes twice"));
    steps_->setRange(1, most_steps);
    steps_->setGroupSeparatorShown(true);
    steps_->setSingleStep(100);
    describe(rate_, QStringLiteral("train_rate"), tr("Learning rate"),
             tr("How far a step moves the weights, at its peak: it rises over the first steps and falls to 0 "
                "over the rest. Too large a one never settles"));
    rate_->setDecimals(6);
    rate_->setRange(least_rate, largest_rate);
    rate_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    for (QSpinBox* number : {width_, heads_, layers_, turns_, segment_, steps_}) {
        ignore_passing_wheel(number);
        connect(number, &QSpinBox::valueChanged, this, &TrainingSize::edited);
    }
    ignore_passing_wheel(rate_);
    connect(rate_, &QDoubleSpinBox::valueChanged, this, &TrainingSize::edited);
}

void TrainingSize::add_rows(QFormLayout& form) {
    form.addRow(tr("W&idth"), width_);
    auto* parts = new QHBoxLayout;
    parts->setSpacing(8);
    parts->addWidget(heads_, 1);
    parts->addWidget(layers_label_);
    parts->addWidget(layers_, 1);
    form.addRow(heads_label_, parts);
    auto* readings = new QHBoxLayout;
    readings->setSpacing(8);
    readings->addWidget(turns_, 1);
    readings->addWidget(segment_label_);
    readings->addWidget(segment_, 1);
    form.addRow(turns_label_, readings);
    form.addRow(tr("Ste&ps"), steps_);
    form.addRow(tr("&Learning rate"), rate_);
}

bool TrainingSize::restore(const WindowSettings& settings) {
    const auto text = [&](const char* key) {
        return settings.value(QStringLiteral("train/") + QLatin1String(key)).toString();
    };
    bool has_any = false;
    for (const auto& [number, key] : {std::pair(width_, "width"),
                                      {heads_, "heads"},
                                      {layers_, "layers"},
                                      {turns_, "turns"},
                                      {steps_, "steps"}})
        if (const int value = text(key).toInt(); value > 0) {
            number->setValue(value);
            has_any = true;
        }
    if (const QString segment = text("segment"); !segment.isEmpty())
        segment_->setValue(segment.toInt());
    if (const double rate = text("rate").toDouble(); rate > 0)
        rate_->setValue(rate);
    else
        has_any = false;  // remembered before there was one: what suits the task is shown anew
    return has_any;
}

void TrainingSize::remember(WindowSettings& settings) const {
    const auto keep = [&](const char* key, const QVariant& value) {
        settings.set_value(QStringLiteral("train/") + QLatin1String(key), value);
    };
    keep("width", width_->value());
    keep("heads", own_heads_.value_or(heads_->value()));
    keep("layers", own_layers_.value_or(layers_->value()));
    keep("turns", turns_->value());
    keep("segment", segment_->value());
    keep("steps", steps_->value());
    keep("rate", rate_->value());
}

void TrainingSize::show_for(const Recipe& recipe) {
    const LayerList& list = recipe.attentions;
    const bool has_heads = !is_recurrent(recipe.host.value()), counts_layers = list.empty();
    const QString needed = has_heads ? QString() : tr("Needs a Transformer, GPT or encoder. ");
    const bool own_says_heads = has_heads && recipe.own;
    heads_->setToolTip((own_says_heads ? tr("Your mechanism says how many there are. ") : needed) +
                       heads_effect());
    turns_->setToolTip(needed + turns_effect());
    layers_->setToolTip((list.empty() ? QString() : tr("The list of layers says how many there are. ")) +
                        layers_effect());
    for (QWidget* part : {static_cast<QWidget*>(heads_), heads_label_})
        part->setEnabled(has_heads && !own_says_heads);
    for (QWidget* part : {static_cast<QWidget*>(turns_), turns_label_})
        part->setEnabled(has_heads);
    const bool has_segments = can_have_segments(*recipe.host);
    segment_->setToolTip(
        (has_segments ? QString() : tr("Needs a Transformer that attends to what it says. ")) +
        segment_effect());
    for (QWidget* part : {static_cast<QWidget*>(segment_), segment_label_})
        part->setEnabled(has_segments);
    for (QWidget* part : {static_cast<QWidget*>(layers_), layers_label_})
        part->setEnabled(counts_layers);
    const QSignalBlocker quiet(this);
    if (own_says_heads) {
        own_heads_ = own_heads_.value_or(heads_->value());
        heads_->setValue(static_cast<int>(recipe.own->heads.count()));
    } else if (own_heads_) {
        heads_->setValue(*std::exchange(own_heads_, std::nullopt));
    }
    layers_->setMaximum(static_cast<int>(has_heads ? most_transformer_layers : most_recurrent_layers));
    if (list.empty()) {
        if (own_layers_)
            layers_->setValue(*std::exchange(own_layers_, std::nullopt));
        return;
    }
    own_layers_ = own_layers_.value_or(layers_->value());
    layers_->setValue(
        static_cast<int>(std::max({list.all.size(), list.encoder.size(), list.decoder.size()})));
}

void TrainingSize::show_settings(const TrainingSettings& suited) {
    const ModelCounts counts = suited.model.counts();
    const QSignalBlocker quiet(this);
    width_->setValue(static_cast<int>(suited.model.common().width));
    if (!own_heads_)
        heads_->setValue(static_cast<int>(counts.heads));
    turns_->setValue(static_cast<int>(counts.turns));
    segment_->setValue(static_cast<int>(counts.segment));
    if (own_layers_)
        own_layers_ = static_cast<int>(counts.layers);
    else
        layers_->setValue(static_cast<int>(counts.layers));
    steps_->setValue(static_cast<int>(suited.steps));
    rate_->setValue(suited.schedule.peak);
}

Recipe TrainingSize::added_to(Recipe recipe) const {
    recipe.width = width_->value();
    const Architecture& its = architecture(recipe.host.value());
    // What follows from the host is left to it.
    if (is_recurrent(its.type)) {
        if (layers_->value() != std::max<Index>(its.layers, 1))
            recipe.layers = layers_->value();
    } else {
        if (!recipe.own)
            recipe.heads = heads_->value();
        if (turns_->value() != std::max<Index>(its.turns, 1))
            recipe.turns = turns_->value();
        if (can_have_segments(its.type) && segment_->value() != its.segment)
            recipe.segment = segment_->value();
        if (recipe.attentions.empty())
            recipe.layers = layers_->value();
    }
    recipe.steps = steps_->value();
    recipe.rate = rate_->value();
    return recipe;
}

}  // namespace headlight
