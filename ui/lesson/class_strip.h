#pragma once

#include <QLabel>

#include <vector>

class QShortcut;

namespace headlight {

class LessonPlayer;

/// What a class is asked, above the picture on the whole screen, where the lesson's column is away: the
/// question with its options, numbered, then its answer; else the title of the step. The key of an option's
/// number gives that answer.
class ClassStrip : public QLabel {
    Q_OBJECT
public:
    explicit ClassStrip(LessonPlayer& player, QWidget* parent = nullptr);

    /// Whether the lesson is nowhere else.
    void set_wanted(bool wanted);

private:
    void refresh();

    LessonPlayer& player_;
    std::vector<QShortcut*> keys_;  ///< of the digits from 1
    bool is_wanted_ = false;
};

}  // namespace headlight
