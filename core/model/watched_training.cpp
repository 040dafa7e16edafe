#include "core/model/watched_training.h"

#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

namespace {

/// As many frames and points as a person can tell apart, whatever the length of the training.
Index frames_every(Index steps) { return std::max<Index>(steps / 200, 1); }
Index measurements_every(Index steps) { return std::clamp<Index>(steps / 40, 5, 100); }

}  // namespace

bool TrainingRecord::has_reached(double goal) const {
    return goal > 0 &&
           std::ranges::any_of(exact_match, [&](const Measurement& each) { return each.share >= goal; });
}

void TrainingRecord::cut_after(Index step) {
    loss.cut_after(step);
    film.cut_after(step);
    std::erase_if(exact_match, [&](const Measurement& each) { return each.step > step; });
}

Film TrainingWatch::film_for(Index steps) { return Film(frames_every(steps)); }

void TrainingWatch::after_step(const Training& training, double loss, TrainingRecord& record) const {
    const Index step = training.steps();
    record.loss.add(step, loss);
    const bool is_over = step >= steps_;
    if (step % measurements_every(steps_) == 0 || is_over)
        record.exact_match.push_back({step, training.exact_match_rate(measured_examples)});
    if (record.film.wants(step) || is_over)
        take_frame(training, record);
}

void TrainingWatch::take_frame(const Training& training, TrainingRecord& record) const {
    try {
        record.film.add(std::make_shared<const FilmFrame>(
            film_frame(training.model(), training.weights(), record.text, training.steps())));
        record.film_problem.clear();
    } catch (const Error& error) {
        record.film_problem = error.what();
    }
}

WatchedTraining::WatchedTraining(const TrainingSettings& settings, FilmedText text)
    : training_(settings), watch_(settings.steps) {
    record_.film = TrainingWatch::film_for(settings.steps);
    film(std::move(text));
}

WatchedTraining::WatchedTraining(const TrainingSettings& settings, TrainingState state, TrainingRecord record)
    : training_(settings), record_(std::move(record)), watch_(settings.steps) {
    training_.resume(std::move(state));
    record_.cut_after(training_.steps());
}

void WatchedTraining::step() {
    const double loss = training_.step();
    watch_.after_step(training_, loss, record_);
}

void WatchedTraining::film(FilmedText text) {
    record_.text = std::move(text);
    watch_.take_frame(training_, record_);
}

}  // namespace headlight
