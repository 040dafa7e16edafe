#include "core/model/tasks/alphabet.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr Index speech_bands = 12;
constexpr Index fewest_spoken = 3, most_spoken = 7;      ///< letters
constexpr Index fastest_speech = 2, slowest_speech = 4;  ///< frames of a letter; some have one more
constexpr double speech_noise = 0.2;                     ///< its standard deviation; a tone's height is 1

/// Capitals, so that what sounds is told from what is written.
const Tokens& spoken_letters() {
    static const Tokens letters = characters_of("ABCDEFGHIJ");
    return letters;
}

const Tokens& written_letters() {
    static const Tokens letters = characters_of("abcdefghij");
    return letters;
}

constexpr const char* spoken_pause = "-";

/// Each at a speed of its own, with pauses between all letters or where the same one follows.
Example make_speech(Random& random) {
    const Index speed = random.between(fastest_speech, slowest_speech);
    const bool has_pauses = random.chance(0.5);
    Example example;
    Index before = -1;
    const Index letters = random.between(fewest_spoken, most_spoken);
    for (Index i = 0; i < letters; ++i) {
        const Index letter = random.below(std::ssize(spoken_letters()));
        const auto number = static_cast<std::size_t>(letter);
        if (i > 0 && (has_pauses || letter == before))
            example.source.push_back(spoken_pause);
        example.source.insert(example.source.end(), static_cast<std::size_t>(speed + random.below(2)),
                              spoken_letters()[number]);
        example.target.push_back(written_letters()[number]);
        before = letter;
    }
    return example;
}

/// How loud a tone at this place among the bands is in one of them.
double tone_in(Index band, double place) {
    constexpr double breadth = 0.8;
    const double away = (static_cast<double>(band) - place) / breadth;
    return std::exp(-away * away / 2);
}

/// A letter has two tones, as vowels have two formants: a low one, and a high one that glides up or down. It
/// begins softly.
double spoken_tones(Index letter, Index frame, Index band) {
    const double low = 0.5 + 1.5 * static_cast<double>(letter % 4);
    const double glide = (letter % 2 == 0 ? 0.25 : -0.25) * static_cast<double>(frame);
    const double high = 7 + 1.75 * static_cast<double>(letter / 4) + glide;
    return (frame == 0 ? 0.6 : 1) * (tone_in(band, low) + tone_in(band, high));
}

/// The noise of a frame follows from all that was heard up to it: the same recording sounds the same, and one
/// that begins alike begins alike.
FloatTensor speech_spectrogram(std::span<const std::string> source) {
    std::vector<float> numbers;
    const Tokens& letters = spoken_letters();
    std::uint64_t stream = 0;
    Index frame = 0;  // of its letter
    for (std::size_t place = 0; place < source.size(); ++place) {
        stream = substream(stream, source[place]);
        frame = place > 0 && source[place] == source[place - 1] ? frame + 1 : 0;
        // Words of a file that are none of these are pauses, too.
        const auto letter = std::ranges::find(letters, source[place]);
        for (Index band = 0; band < speech_bands; ++band) {
            const double tones =
                letter == letters.end() ? 0 : spoken_tones(letter - letters.begin(), frame, band);
            numbers.push_back(static_cast<float>(
                tones + speech_noise * standard_normal(stream, static_cast<std::uint64_t>(band))));
        }
    }
    return FloatTensor({std::ssize(source), speech_bands}, std::move(numbers));
}

}  // namespace

Task declare_task_speech() {
    Task task;
    task.id = "speech";
    task.name = "Spelling of speech";
    task.order = 550;
    task.meaning =
        "Write down what is spoken. The model is not given letters but a spectrogram, which this program "
        "makes as noise and tones: every letter has a low tone and a high one that glides, and lasts for "
        "two to five frames; some speakers pause between letters. Sources are written with a capital for "
        "each frame in which a letter sounds, and - for a pause: CCAAA-BB is \"cab\". The model is to find "
        "where letters begin and end, as in Listen, Attend and Spell, and to write each once.";
    task.what_to_see =
        "A staircase from the upper left to the lower right: each letter that is written looks at the frames "
        "in which it sounds, and the next one goes on where they end. Where a letter is spoken twice, an "
        "attention that knows nothing of places may take one for the other; one that knows where it looked "
        "last (location_aware) moves on.";
    task.source_vocabulary = spoken_letters();
    task.source_vocabulary.push_back(spoken_pause);
    task.target_vocabulary = written_letters();
    task.longest_source = most_spoken * (slowest_speech + 1) + most_spoken - 1;
    task.longest_target = most_spoken;
    // The same word at another speed would give a held-out answer away.
    task.split_by = [](const Example& each) { return each.target; };
    task.shown = Example{.source = characters_of("CCCAABBB-BBAAAGGEEE"), .target = characters_of("cabbage")};
    task.sound = {.bands = speech_bands, .milliseconds = 20, .of = speech_spectrogram};
    task.make = make_speech;
    return task;
}

}  // namespace headlight
