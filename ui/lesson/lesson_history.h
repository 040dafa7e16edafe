#pragma once

#include "core/lesson/lesson.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace headlight {

/// What a lesson that is being written was like before each change, for undo and redo. Plain logic.
class LessonHistory {
public:
    static constexpr std::size_t most_changes = 50;

    /// The lesson, and the step and the part of it that are being written.
    struct State {
        Lesson lesson;
        std::size_t step = 0;
        int part = 0;
    };

    /// Another lesson: what was changed before belongs to none of it.
    void begin(State now);
    /// `now` follows a change. Changes with the same non-empty `merge` key that follow one another are one,
    /// as the letters of a text are.
    void add(State now, const QString& merge);

    /// Another step or part is being written: undo of the next change comes back to it.
    void look(std::size_t step, int part);

    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < states_.size(); }
    const State& undo() { return go(at_ - 1); }
    const State& redo() { return go(at_ + 1); }

private:
    const State& go(std::size_t at);

    std::vector<State> states_{1};  ///< the oldest first
    std::size_t at_ = 0;            ///< of what is written now
    QString merge_;
};

}  // namespace headlight
