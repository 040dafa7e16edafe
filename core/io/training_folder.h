#pragma once

#include "core/io/checkpoint_file.h"
#include "core/io/training_record_file.h"
#include "core/tensor/words.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

// A training run of the window, as a folder that survives the program:
// - run.json: what a list of runs says of it
// - record.safetensors: its curves and its film (training_record_file.h)
// - checkpoint.safetensors: what it goes on from (checkpoint_file.h)

enum class TrainingPhase {
    training,  ///< or it was, when the program was killed
    paused,
    stopped,  ///< before its last step, for good
    finished,
};
template <>
std::span<const Word<TrainingPhase>> words();

/// What a list of runs says of one.
struct TrainingSummary {
    std::string name;  ///< "dates-additive-gru, run 2"
    TrainingPhase phase = TrainingPhase::paused;
    Index steps = 0;  ///< done
    Index of = 0;     ///< that there are to be
    double goal = 0;  ///< exact match that such a model is to reach; 0: there is none
    ExactMatch exact_match;
    std::string title = {};  ///< the name in words
    bool operator==(const TrainingSummary&) const = default;
};

std::string write_training_summary(const TrainingSummary& summary);
/// Throws Error for anything else.
TrainingSummary parse_training_summary(std::string_view text);

/// Each file takes the place of the older one at once, the list's last: a kill between them leaves a run that
/// goes on from the older checkpoint. Makes the folder.
void write_training_folder(const std::filesystem::path& folder, const TrainingSummary& summary,
                           const TrainingRecord& record, const Checkpoint& checkpoint);
/// The summary alone.
void write_training_summary(const std::filesystem::path& folder, const TrainingSummary& summary);

TrainingSummary read_training_summary(const std::filesystem::path& folder);
TrainingRecord read_training_record(const std::filesystem::path& folder);
Checkpoint read_training_checkpoint(const std::filesystem::path& folder);

}  // namespace headlight
