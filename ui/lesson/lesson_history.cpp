#include "ui/lesson/lesson_history.h"

#include <utility>

namespace headlight {

void LessonHistory::begin(State now) {
    states_.clear();
    states_.push_back(std::move(now));
    at_ = 0;
    merge_.clear();
}

void LessonHistory::add(State now, const QString& merge) {
    const bool goes_on = at_ > 0 && !merge.isEmpty() && merge == merge_ && !can_redo();
    states_.resize(at_ + 1);
    if (goes_on)
        states_.back() = std::move(now);
    else
        states_.push_back(std::move(now));
    if (states_.size() > most_changes + 1)
        states_.erase(states_.begin());
    at_ = states_.size() - 1;
    merge_ = merge;
}

void LessonHistory::look(std::size_t step, int part) {
    states_[at_].step = step;
    states_[at_].part = part;
}

const LessonHistory::State& LessonHistory::go(std::size_t at) {
    merge_.clear();
    return states_[at_ = at];
}

}  // namespace headlight
