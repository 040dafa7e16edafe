#include "ui/panels/training_layers.h"

#include "core/io/layers_file.h"
#include "core/tensor/error.h"
#include "ui/models/layer_list_text.h"
#include "ui/models/window_settings.h"
#include "ui/panels/number_control.h"
#include "ui/views/describe.h"
#include "ui/views/lazy_combo.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <memory>

namespace headlight {
namespace {

const QString layers_file_key = QStringLiteral("train/layers_file");

QString choice_effect() {
    return TrainingLayers::tr("Whether all layers attend alike, or each as a file says");
}

QString open_effect() {
    return TrainingLayers::tr("Opens a list of what each layer attends with, the first one first, as JSON: "
                              "[\"window\", \"grouped_query\"]. It says how many layers there are, too");
}

}  // namespace

TrainingLayers::TrainingLayers(WindowSettings& settings, QObject* parent)
    : QObject(parent), settings_(settings), folder_(settings, QStringLiteral("train/layers_folder")),
      choice_(new LazyCombo(10)), open_(new QPushButton(tr("From a &file…"))),
      label_(new QLabel(tr("Layers are"))), said_(new WrappedLabel) {
    describe(choice_, QStringLiteral("train_layers_choice"), tr("What the layers are"), choice_effect());
    describe(open_, QStringLiteral("train_layers_open"), tr("Layers from a file"), open_effect());
    said_->setObjectName(QStringLiteral("train_layers_said"));
    said_->setAccessibleName(tr("What each layer attends with"));
    make_note(*said_);
    said_->hide();
    choice_->addItem(tr("All alike"));
    label_->setBuddy(choice_);
    ignore_passing_wheel(choice_);
    open_->setAutoDefault(false);
    connect(choice_, &QComboBox::activated, this, [this](int row) {
        reading_.cancel();
        ask_for_list(row > 0);
    });
    connect(open_, &QPushButton::clicked, this, &TrainingLayers::ask_file);
}

void TrainingLayers::add_rows(QFormLayout& form) {
    auto* parts = new QHBoxLayout;
    parts->setSpacing(8);
    parts->addWidget(choice_, 1);
    parts->addWidget(open_);
    form.addRow(label_, parts);
    form.addRow(said_);
}

void TrainingLayers::restore() {
    if (const QString path = settings_.value(layers_file_key).toString(); !path.isEmpty())
        read(path);
}

void TrainingLayers::ask_file() {
    const QString path =
        QFileDialog::getOpenFileName(open_->window(), tr("Layers from a file"), folder_.path(),
                                     tr("Lists of layers (*.json);;All files (*)"));
    if (path.isEmpty())
        return;
    folder_.remember_place_of(path);
    read(path);
}

void TrainingLayers::read(const QString& path) {
    problem_.clear();
    reading_.start(
        "read layers",
        [this, path](const Cancellation&) -> Job::Delivery {
            const auto list = std::make_shared<const LayerList>(read_layers(path.toStdString()));
            return [this, path, list] {
                take(*list, tr("As in %1").arg(QFileInfo(path).fileName()), path);
                ask_for_list(true);
            };
        },
        [this](const Error& error) {
            problem_ = QString::fromStdString(error.what());
            emit edited();
        });
    emit edited();
}

void TrainingLayers::show_list(const LayerList& list) {
    reading_.cancel();
    if (!list.empty())
        take(list, tr("As filled in"), {});
    ask_for_list(!list.empty());
}

void TrainingLayers::take(LayerList list, const QString& choice, const QString& path) {
    list_ = std::move(list);
    path_ = path;
    said_->show_text(layer_list_text(list_));
    choice_->removeItem(1);
    choice_->addItem(choice);
    choice_->setItemData(1, path, Qt::ToolTipRole);
}

void TrainingLayers::ask_for_list(bool asks) {
    asks_list_ = asks;
    problem_.clear();
    settings_.set_value(layers_file_key, asks ? path_ : QString());
    show_choice();
    emit edited();
}

void TrainingLayers::show_for(HostType host) {
    has_layers_ = lists_layers(host);
    const auto effect_of = [&](const QString& effect) {
        return has_layers_ ? effect
                           : tr("Needs a Transformer, GPT, encoder or Universal Transformer. %1").arg(effect);
    };
    choice_->setToolTip(effect_of(choice_effect()));
    open_->setToolTip(effect_of(open_effect()));
    for (QWidget* part : std::initializer_list<QWidget*>{choice_, open_, label_})
        part->setEnabled(has_layers_);
    show_choice();
}

void TrainingLayers::show_choice() {
    // What a person asked for comes back with the next host that can have it.
    const bool shows_list = has_layers_ && asks_list_;
    choice_->setCurrentIndex(shows_list ? 1 : 0);
    said_->setVisible(shows_list);
}

Recipe TrainingLayers::added_to(Recipe recipe) const {
    if (!asks_list_ || !lists_layers(recipe.host.value()))
        return recipe;
    recipe.attention.clear();
    recipe.attentions = list_;
    return recipe;
}

}  // namespace headlight
