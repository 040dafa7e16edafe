#include "ui/panels/trained_models_button.h"

#include "core/io/shipped_models.h"
#include "ui/panels/choice_popup.h"

#include <QKeyEvent>
#include <QStyleOptionButton>

namespace headlight {
namespace {

/// A row that any of `words` finds, too. It stands for no model where it has no name.
QStandardItem* make_row(const QString& text, const QString& effect, const QString& words,
                        const QString& name = {}) {
    auto* row = new QStandardItem(text);
    row->setEditable(false);
    row->setToolTip(effect);
    row->setData(name, Qt::UserRole);
    row->setData(QString(text + QChar(' ') + words), ChoiceFilter::SearchRole);
    return row;
}

}  // namespace

TrainedModelsButton::TrainedModelsButton(QWidget* parent) : QPushButton(parent) {
    connect(this, &QPushButton::clicked, this, [this] { open({}); });
}

void TrainedModelsButton::initStyleOption(QStyleOptionButton* option) const {
    QPushButton::initStyleOption(option);
    option->features |= QStyleOptionButton::HasMenu;  // the arrow of those that open one
}

void TrainedModelsButton::keyPressEvent(QKeyEvent* event) {
    if (ChoicePopup::begins_search(*event))
        return open(event->text());
    QPushButton::keyPressEvent(event);
}

void TrainedModelsButton::open(const QString& typed) {
    if (!popup_)
        popup_ = make_popup();
    popup_->open(typed);
}

ChoicePopup* TrainedModelsButton::make_popup() {
    list_models();
    auto* popup = new ChoicePopup(
        *this, models_,
        {.search = tr("Search the models"),
         .effect = tr("Finds a model by its task, its attention or its name"),
         .placeholder = tr("Search by task, attention or name"),
         .rows = tr("Trained models"),
         .rows_effect = tr("The models that come with the program; one that is chosen runs on its example"),
         .nothing = models_.rowCount() > 0
                        ? tr("No model that comes with the program is like this. Search for less.")
                        : tr("No model comes with this program. “Open a file…” below opens one of yours."),
         .letters = 72});  // the longest row
    connect(popup, &ChoicePopup::picked, this, [this](int row) {
        const QString name = models_.item(row)->data(Qt::UserRole).toString();
        if (name.isEmpty())
            emit file_asked();
        else
            emit chosen(name);
    });
    return popup;
}

void TrainedModelsButton::list_models() {
    for (const ShippedModel& model : shipped_models()) {
        const QString name = QString::fromUtf8(model.name);
        models_.appendRow(
            make_row(QString::fromUtf8(model.title), tr("Runs this model on its example"), name, name));
    }
    // The first question of many: said here, where people look for its answer.
    if (models_.rowCount() > 0)
        models_.appendRow(
            make_row(tr("Who looks at “it”? None of these knows the word: open BERT or GPT-2…"),
                     tr("Opens the attention that a model of another program computed, such as BERT or "
                        "GPT-2; the manual's other-programs.md tells how to capture it"),
                     tr("file folder capture")));
}

}  // namespace headlight
