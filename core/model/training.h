#pragma once

#include "core/model/host.h"
#include "core/model/learner.h"
#include "core/model/model_spec.h"
#include "core/model/tasks/task.h"
#include "core/model/vocabulary.h"

#include <string>

namespace headlight {

constexpr Index most_parts = 64;  ///< of a batch

/// Everything that decides what a training run ends with, byte for byte, on the same processor.
struct TrainingSettings {
    std::string task = "dates";
    /// A language model reads source, separator and target as one text.
    ModelSpec model;  ///< vocabularies are the task's
    std::uint64_t seed = 1;
    Index batch = 64;
    Index parts = 2;  ///< of a batch, each on a thread of its own; results depend on it, threads come and go
    Index steps = 3000;
    nn::Schedule schedule;
    nn::AdamOptions adam;
};

/// Words and host of a model for a task.
struct TaskModel {
    /// With the task's words. Throws Error when such a model has no place for the task.
    TaskModel(const Task& task, const ModelSpec& spec);
    /// With the words that a model was trained with.
    TaskModel(const Task& task, ModelSpec spec, Vocabulary source, Vocabulary target);

    const Task& task;
    bool is_one_text;  ///< source and target as one text, for a model that reads only one
    Vocabulary source;
    Vocabulary target;
    ModelSpec configuration;
    std::unique_ptr<Host> host;

    /// Source and target have the same words: those of one text.
    bool has_one_vocabulary() const { return is_one_text || task.kind == TaskKind::language_model; }

    /// What the tokens of a source are called on the axes of maps: its words, with the pair that each is of
    /// if the task has points, or the place of each patch of what is seen; or the times of what is heard.
    Tokens source_names(std::span<const Index> tokens) const;
    /// The picture that the tokens of a source are patches of; nothing where they are of none.
    PatchedPicture picture(std::span<const Index> tokens) const;
    /// Examples as what the model learns from.
    Batch batch(std::span<const Example> examples) const;
    /// How many of the examples are answered exactly. A model that says each token of an answer behind those
    /// before it says all of them: the answers are read, and need not be said token by token.
    Index right_answers(std::span<const float> weights, std::span<const Example> examples) const;
    /// What it should say.
    Tokens expected(const Example& example) const;

private:
    Example prepared(const Example& example) const;
    /// Tasks whose sources are heard or seen have it.
    SourceFrames perceived() const;
    /// The number that each source word has among those of the target: what a model can copy.
    std::vector<Index> as_target_words() const;
};

/// The share of so many held-out examples that a model gets all right, in [0, 1], on so many threads.
double exact_match_rate(const TaskModel& model, std::span<const float> weights, std::uint64_t seed,
                        Index examples, Index threads);

/// Everything that a training run carries from one step to the next.
struct TrainingState {
    Index steps = 0;  ///< done so far
    std::vector<float> weights;
    nn::Adam<float>::Moments moments;
    bool operator==(const TrainingState&) const = default;
};

/// A model learning a task.
class Training {
public:
    /// Throws Error when the weights take more than memory_limit().
    explicit Training(const TrainingSettings& settings);

    const TrainingSettings& settings() const { return settings_; }
    const TaskModel& model() const { return model_; }
    std::span<const float> weights() const { return learner_.weights(); }
    Index steps() const { return step_; }  ///< done so far

    /// One batch. Returns its mean loss per token. Interrupted, it has not been taken and can be asked for
    /// again. Throws Error where the loss is no number.
    double step();
    /// Gives back the memory that steps work in; the next step takes it again.
    void rest() { learner_.rest(); }
    /// Returns the share of the held-out examples of its seed that are answered exactly.
    double exact_match_rate(Index examples) const;

    /// What resume() goes on from, to the same bytes as a run that was never interrupted.
    TrainingState checkpoint() const;
    /// Goes on from the state of a run with the same settings. Throws Error when it has another number of
    /// weights.
    void resume(TrainingState state);

private:
    /// The first line of a layer's formula that makes what is not finite of these weights and a batch; empty
    /// where none does.
    std::string infinite_line(std::span<const float> weights, const Learner::Loss& loss);

    TrainingSettings settings_;
    TaskModel model_;
    Learner learner_;
    Index step_ = 0;
};

}  // namespace headlight
