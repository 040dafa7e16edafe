#pragma once

#include "core/io/lesson_place.h"

#include <QFrame>

#include <optional>

class QLabel;
class QToolButton;

namespace headlight {

class Document;
struct Edit;
struct Session;

/// One quiet line over the picture where all its weights are small, with the scales that show them. Once it
/// is closed, it does not come back before another mechanism is chosen. In a lesson it is said at the place
/// where the weights became small, and not again at the next.
class ScaleHint : public QFrame {
    Q_OBJECT
public:
    explicit ScaleHint(Document& document, QWidget* parent = nullptr);

public slots:
    void dismiss();
    /// Behind the last step of a lesson nothing is said: the picture is still that of the step.
    void set_lesson_ended(bool ended);

private:
    QToolButton* add_scale(const QString& id, const QString& text, const QString& effect,
                           Edit (*choose)(Session));
    void refresh();

    Document& document_;
    QLabel* message_;
    bool is_dismissed_ = false, is_lesson_ended_ = false;
    /// Where weights became small: a place of a lesson, or no lesson; nothing while they are not.
    std::optional<std::optional<LessonPlace>> said_at_;
};

}  // namespace headlight
