#include "ui/panels/training_layers.h"

#include "core/catalog/family.h"
#include "core/catalog/used_by.h"
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

#include <algorithm>
#include <memory>
#include <utility>

namespace headlight {
namespace {

const QString layers_file_key = QStringLiteral("train/layers_file");
const QString layers_model_key = QStringLiteral("train/layers_model");
const QString layers_from_file_key = QStringLiteral("train/layers_from_file");

QString choice_effect() {
    return TrainingLayers::tr("Whether all layers attend alike, take turns as in a published model, or "
                              "each attends as a file says");
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
    choice_->addItem(tr("All alike"), 0);
    add_known();
    label_->setBuddy(choice_);
    ignore_passing_wheel(choice_);
    open_->setAutoDefault(false);
    connect(choice_, &QComboBox::activated, this, [this](int row) {
        reading_.cancel();
        ask_for(choice_->itemData(row).toInt());
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

void TrainingLayers::add_known() {
    std::vector<const KnownModel*> models;
    for (const KnownModel& model : known_models())
        if (!model.pattern.empty())
            models.push_back(&model);
    const auto name_of = [](const KnownModel& model) {
        return QString::fromUtf8(model.name.data(), qsizetype(model.name.size()));
    };
    std::ranges::sort(models, [&](const KnownModel* a, const KnownModel* b) {
        return name_of(*a).compare(name_of(*b), Qt::CaseInsensitive) < 0;
    });
    for (const Family& family : families()) {
        bool is_first = true;
        for (const KnownModel* model : models) {
            if (family_of_layers(*model) != family.name)
                continue;
            if (std::exchange(is_first, false))
                choice_->insert_heading(choice_->count(), QString::fromStdString(family.name));
            known_.push_back({name_of(*model), layers_as_in(*model)});
            choice_->addItem(tr("As in %1").arg(known_.back().model), static_cast<int>(known_.size()));
            choice_->setItemData(choice_->count() - 1, QString::fromStdString(layers_text(*model)),
                                 Qt::ToolTipRole);
        }
    }
}

void TrainingLayers::restore() {
    const QString path = settings_.value(layers_file_key).toString();
    const bool is_from_file = settings_.value(layers_from_file_key, true).toBool();
    const auto model = std::ranges::find(known_, settings_.value(layers_model_key).toString(), &Known::model);
    if (model != known_.end())
        ask_for(1 + static_cast<int>(model - known_.begin()));
    if (path.isEmpty())
        return;
    if (model == known_.end() && is_from_file)
        read(path);
    else
        offer(path);
}

void TrainingLayers::offer(const QString& path) {
    start_reading(
        offering_, path, [this] { show_choice(); }, [](const Error&) {});  // nobody has asked for it
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
    offering_.cancel();
    start_reading(
        reading_, path, [this] { ask_for(own_number()); },
        [this](const Error& error) {
            problem_ = QString::fromStdString(error.what());
            emit edited();
        });
    emit edited();
}

void TrainingLayers::start_reading(LatestJob& job, const QString& path, const std::function<void()>& done,
                                   const std::function<void(const Error&)>& failed) {
    job.start(
        "read layers",
        [this, path, done](const Cancellation&) -> Job::Delivery {
            const auto list = std::make_shared<const LayerList>(read_layers(path.toStdString()));
            return [this, path, list, done] {
                take(*list, tr("As in %1").arg(QFileInfo(path).fileName()), path);
                done();
            };
        },
        failed);
}

void TrainingLayers::show_list(const LayerList& list) {
    reading_.cancel();
    offering_.cancel();
    const auto model = std::ranges::find(known_, list, &Known::list);
    if (model != known_.end())
        return ask_for(1 + static_cast<int>(model - known_.begin()));
    if (!list.empty())
        take(list, tr("As filled in"), {});
    ask_for(list.empty() ? 0 : own_number());
}

void TrainingLayers::take(LayerList list, const QString& choice, const QString& path) {
    own_ = std::move(list);
    path_ = path;
    choice_->removeItem(choice_->findData(own_number()));
    constexpr int behind_all_alike = 1;
    choice_->insertItem(behind_all_alike, choice, own_number());
    choice_->setItemData(behind_all_alike, path, Qt::ToolTipRole);
}

const LayerList& TrainingLayers::list() const {
    static const LayerList none;
    return asked_ == 0              ? none
           : asked_ == own_number() ? own_
                                    : known_[static_cast<std::size_t>(asked_ - 1)].list;
}

void TrainingLayers::ask_for(int number) {
    asked_ = number;
    problem_.clear();
    const bool is_known = number > 0 && number < own_number();
    // A file stays named while something else is asked for: who comes back to it need not look for it again.
    const bool is_from_file = number == own_number() && !path_.isEmpty();
    if (is_from_file)
        settings_.set_value(layers_file_key, path_);
    settings_.set_value(layers_from_file_key, is_from_file);
    settings_.set_value(layers_model_key,
                        is_known ? known_[static_cast<std::size_t>(number - 1)].model : QString());
    said_->show_text(layer_list_text(list()));
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
    const bool shows_list = has_layers_ && asked_ > 0;
    choice_->setCurrentIndex(choice_->findData(shows_list ? asked_ : 0));
    said_->setVisible(shows_list);
}

Recipe TrainingLayers::added_to(Recipe recipe) const {
    if (asked_ == 0 || !lists_layers(recipe.host.value()))
        return recipe;
    recipe.attention.clear();
    recipe.own.reset();
    recipe.own_name.clear();
    recipe.attentions = list();
    return recipe;
}

}  // namespace headlight
