#pragma once

#include "core/model/generation_trace.h"
#include "core/model/training.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// A text under whose eyes a model learns. Saying the same target in every frame (teacher forcing) keeps the
/// rows of its maps in their places.
struct FilmedText {
    std::string source;                 ///< as it is typed; of a language model all of its text
    std::optional<std::string> target;  ///< what it is made to say; nothing: its own words, which change
    bool operator==(const FilmedText&) const = default;
};

/// Held-out example `number` of a task, with its answer.
FilmedText filmed_example(const Task& task, Index number);

/// The weights of one place that attends, [head, row, column]; rows are what looks.
struct FilmedMap {
    std::string site;
    Index heads = 0, rows = 0, columns = 0;
    std::vector<float> weights;
    /// Likewise, 1 = the pair may not meet; empty where every pair may, or where nobody knows.
    std::vector<std::uint8_t> forbidden{};
    bool operator==(const FilmedMap&) const = default;
};

/// Where a model in training looked at one moment. Once made it is shared and never changed.
struct FilmFrame {
    Index step = 0;  ///< done before it
    GeneratedWords words;
    std::vector<FilmedMap> maps;  ///< of the sites that were asked, in the host's order

    const FilmedMap* find(std::string_view site) const;  ///< nullptr when it was not asked
    std::size_t bytes() const;
};

/// What a model does with the text now. Throws Error naming the word that it does not know, and for a text
/// that is empty or too long.
FilmFrame film_frame(const TaskModel& model, std::span<const float> weights, const FilmedText& text,
                     Index step);

/// A frame every so many steps. When there are too many of them every second one goes, so that the film of a
/// long training is as long as that of a short one.
class Film {
public:
    struct Limits {
        std::size_t frames = 240;
        std::size_t bytes = std::size_t(24) << 20;
    };

    explicit Film(Index every = 1, Limits limits = {240, std::size_t(24) << 20})
        : limits_(limits), every_(every) {}

    /// Whether a frame is due after so many steps.
    bool wants(Index step) const { return step % every_ == 0; }
    /// Adds a frame of a later step than the last one, or of the same in its place.
    void add(std::shared_ptr<const FilmFrame> frame);
    /// Drops what is after that step.
    void cut_after(Index step);

    Index every() const { return every_; }
    const std::vector<std::shared_ptr<const FilmFrame>>& frames() const { return frames_; }
    /// The last frame that is not after the step, else the first one; null in an empty film.
    std::shared_ptr<const FilmFrame> at(Index step) const;

private:
    std::size_t bytes() const;

    Limits limits_;
    Index every_;
    std::vector<std::shared_ptr<const FilmFrame>> frames_;  ///< by step
};

}  // namespace headlight
