#include "ui/panels/player_line.h"

#include "ui/panels/motion_bar.h"
#include "ui/panels/player_bar.h"
#include "ui/panels/player_keys.h"
#include "ui/panels/run_status.h"
#include "ui/panels/window_messages.h"
#include "ui/views/depth_sign.h"

#include <QEvent>
#include <QFontInfo>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace headlight {
namespace {

/// In sizes of the type: where the depths leave the player enough, and where they do with their names.
constexpr int line_with_depths = 72, line_with_names = 92;
/// Where the words of the line are long enough for messages to lie over them.
constexpr int line_with_messages = 72;

/// What runs, and the depths.
class BesidePlayer : public QWidget {
public:
    explicit BesidePlayer(RunStatus& run) : run_(run) {}

    /// Without the depths, which go where they have no room: a window that is being made narrower must not be
    /// held up by them.
    QSize minimumSizeHint() const override {
        const QMargins margins = layout()->contentsMargins();
        return {run_.minimumSizeHint().width() + margins.left() + margins.right(),
                layout()->minimumSize().height()};
    }

private:
    RunStatus& run_;
};

}  // namespace

PlayerLine::PlayerLine(Document& document, WindowSettings& settings, Actions& actions, QWidget* learned,
                       QWidget* parent)
    : QToolBar(tr("Player"), parent), player_(new PlayerBar(document)), depth_(new DepthSign(document)),
      run_(new RunStatus(document)), status_(new BesidePlayer(*run_)), line_(new QWidget),
      message_line_(new QWidget) {
    setObjectName(QStringLiteral("player_bar"));
    setMovable(false);
    setFloatable(false);
    auto* status = new QHBoxLayout(status_);
    status->setContentsMargins(0, 0, 8, 0);
    run_->add_beside(learned);
    status->addWidget(run_);  // its words beside those of the player
    status->addWidget(depth_);
    auto* layout = new QHBoxLayout(line_);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(player_, 1);
    layout->addWidget(status_);
    player_->bind(actions);
    motion_ = new MotionBar(document, *player_, settings, actions);
    player_->keys().give_way_to(*motion_);
    auto* both = new QWidget;
    auto* column = new QVBoxLayout(both);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(motion_);
    column->addWidget(message_line_);
    column->addWidget(line_);
    message_line_->hide();
    addWidget(both);
    show_what_has_room();
}

void PlayerLine::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    show_what_has_room();
}

void PlayerLine::changeEvent(QEvent* event) {
    QToolBar::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        show_what_has_room();
}

void PlayerLine::show_what_has_room() {
    const int size = type_size();
    message_line_->setFixedHeight(player_->minimumHeight());
    depth_->show_name(width() >= line_with_names * size);
    depth_->setVisible(width() >= line_with_depths * size);
}

int PlayerLine::type_size() const { return QFontInfo(depth_->font()).pixelSize(); }

MessageRoom PlayerLine::message_room() {
    return {.host = line_->parentWidget(),
            .line = line_,
            .first = player_->place(),
            .last = run_->words(),
            .own_line = message_line_,
            // By the width alone: a picture shall not become lower because a run has begun.
            .needs_own_line = [this] { return width() < line_with_messages * type_size(); }};
}

void PlayerLine::say_in(WindowMessages& messages) {
    connect(motion_, &MotionBar::problem, &messages, &WindowMessages::show_past_problem);
    connect(motion_, &MotionBar::notice, &messages, &WindowMessages::say);
}

}  // namespace headlight
