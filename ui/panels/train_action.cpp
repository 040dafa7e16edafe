#include "ui/panels/train_action.h"

#include "ui/panels/train_window.h"
#include "ui/panels/training_form.h"
#include "ui/views/bring_to_front.h"
#include "ui/views/describe.h"
#include "ui/views/elided_button.h"

#include <QMainWindow>

#include <utility>

namespace headlight {

TrainAction::TrainAction(Document& document, MechanismLibrary& library, WindowSettings& settings,
                         std::filesystem::path folder, QMainWindow* window)
    : QObject(window), document_(document), library_(library), settings_(settings),
      folder_(std::move(folder)), main_(window), status_(new ElidedButton) {
    describe(status_, QStringLiteral("train_status"), tr("Training"),
             tr("A model is learning in the background; shows its window"));
    status_->setAutoRaise(true);
    status_->hide();
    connect(status_, &QToolButton::clicked, this, &TrainAction::show);
}

TrainAction::~TrainAction() { delete train_; }

TrainWindow* TrainAction::window() const { return train_; }

TrainWindow& TrainAction::made_window() {
    if (!train_) {
        train_ = new TrainWindow(document_, library_, settings_, folder_, main_);
        connect(train_, &TrainWindow::open_model_asked, this, &TrainAction::open_model_asked);
        connect(train_, &TrainWindow::background_changed, status_,
                [this](const QString& name, const QString& state) {
                    status_->setText(state);
                    status_->setToolTip(
                        tr("%1 in the background: %2. A click shows its window").arg(name, state));
                    status_->setVisible(!state.isEmpty());
                });
        connect(train_, &TrainWindow::learned, this, &TrainAction::notice);
    }
    return *train_;
}

void TrainAction::show() { bring_to_front(made_window()); }

void TrainAction::show_filled_in(const Recipe& recipe, const FilmedText& text) {
    show();
    train_->form().fill_in(recipe, text);
}

bool TrainAction::may_close() { return !train_ || train_->may_close(); }

void TrainAction::pause() {
    if (train_)
        train_->pause();
}

}  // namespace headlight
