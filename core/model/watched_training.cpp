#include "core/model/watched_training.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

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

WatchedTraining::WatchedTraining(const TrainingSettings& settings, FilmedText text)
    : training_(settings), measured_every_(measurements_every(settings.steps)) {
    record_.film = Film(frames_every(settings.steps));
    film(std::move(text));
}

WatchedTraining::WatchedTraining(const TrainingSettings& settings, TrainingState state, TrainingRecord record)
    : training_(settings), record_(std::move(record)), measured_every_(measurements_every(settings.steps)) {
    training_.resume(std::move(state));
    record_.cut_after(training_.steps());
}

void WatchedTraining::step() {
    const double loss = training_.step();
    const Index step = training_.steps();
    if (!std::isfinite(loss))
        throw Error({"train", "step " + std::to_string(step), "a loss that is a number",
                     "none: the training has diverged"});
    record_.loss.add(step, loss);
    if (step % measured_every_ == 0 || is_over())
        record_.exact_match.push_back({step, training_.exact_match_rate(measured_examples)});
    if (record_.film.wants(step) || is_over())
        take_frame();
}

void WatchedTraining::film(FilmedText text) {
    record_.text = std::move(text);
    take_frame();
}

void WatchedTraining::take_frame() {
    try {
        record_.film.add(std::make_shared<const FilmFrame>(
            film_frame(training_.model(), training_.weights(), record_.text, training_.steps())));
        record_.film_problem.clear();
    } catch (const Error& error) {
        record_.film_problem = error.what();
    }
}

}  // namespace headlight
