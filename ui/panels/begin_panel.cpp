#include "ui/panels/begin_panel.h"

#include "core/catalog/lessons.h"
#include "core/catalog/mechanism.h"
#include "ui/actions/context_menu.h"
#include "ui/panels/lesson_menu.h"
#include "ui/panels/trained_models_button.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace headlight {

BeginPanel::BeginPanel(LessonMenu& lessons, QWidget* parent)
    : QWidget(parent), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(8, 8, 8, 8);
    column_->setSpacing(4);
    connect(add(QStringLiteral("begin_example"), tr("Three words, every number"),
                tr("The whole way from words to attention, small enough to check by hand.")),
            &QPushButton::clicked, this, &BeginPanel::first_example_asked);
    add(QStringLiteral("begin_lessons"), tr("Lessons"),
        tr("Read, guess, and see the answer computed; 5 to 15 minutes each."))
        ->setMenu(&lessons.menu());
    add_menu(add(QStringLiteral("begin_course"), tr("A tour of the mechanisms"),
                 tr("Each builds on the ones before.")),
             "begin_tour_menu", &BeginPanel::fill_tour);
    auto* models = new TrainedModelsButton;
    place(models, QStringLiteral("begin_model"), tr("A trained model"),
          tr("It translates, sorts or reads dates, and shows where it looks."));
    connect(models, &TrainedModelsButton::chosen, this, &BeginPanel::model_asked);
    connect(models, &TrainedModelsButton::file_asked, this, &BeginPanel::file_asked);
    connect(add(QStringLiteral("begin_training"), tr("Watch a model learn"),
                tr("Its attention takes shape before your eyes, in minutes.")),
            &QPushButton::clicked, this, &BeginPanel::training_asked);
    connect(add(QStringLiteral("begin_text"), tr("Your own sentence"),
                tr("Type it; every mechanism then looks at your words.")),
            &QPushButton::clicked, this, &BeginPanel::own_text_asked);
    connect(add(QStringLiteral("begin_file"), tr("Open a file…"),
                tr("A session, a figure, a text, an image, or token vectors.")),
            &QPushButton::clicked, this, &BeginPanel::file_asked);
    column_->addStretch(1);
    auto* close = new QPushButton(tr("Show the panels"));
    describe(close, QStringLiteral("begin_close"), tr("Show the panels"),
             tr("Text, mechanism and knobs in place of this column; Ctrl+Home comes back to it"));
    connect(close, &QPushButton::clicked, this, &BeginPanel::panels_asked);
    column_->addWidget(close);
}

QPushButton* BeginPanel::add(const QString& id, const QString& title, const QString& effect) {
    auto* button = new QPushButton;
    place(button, id, title, effect);
    return button;
}

void BeginPanel::place(QPushButton* button, const QString& id, const QString& title, const QString& effect) {
    button->setText(title);
    describe(button, id, title, effect);
    give_role(*button, Role::way);
    make_title(*button);
    auto* note = new QLabel(effect);
    make_note(*note);
    note->setWordWrap(true);
    note->setContentsMargins(8, 0, 0, 8);
    column_->addWidget(button);
    column_->addWidget(note);
}

void BeginPanel::add_menu(QPushButton* button, const char* id, void (BeginPanel::*fill)(ContextMenu&)) {
    auto* menu = new ContextMenu(QLatin1String(id), button);
    button->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu, fill] {
        if (menu->isEmpty())
            (this->*fill)(*menu);
    });
}

void BeginPanel::fill_tour(ContextMenu& menu) {
    int number = 1;
    for (const Mechanism* stop : lessons()) {
        const QStringList about{QString::number(number++), QString::fromStdString(stop->name),
                                QString::fromStdString(stop->example.look_for)};
        connect(&menu.offer(QStringLiteral("begin_tour"), about, QString::fromStdString(stop->id)),
                &QAction::triggered, this, [this, id = stop->id] { emit mechanism_asked(id); });
    }
}

}  // namespace headlight
