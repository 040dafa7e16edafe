#pragma once

#include "core/model/speech_request.h"
#include "core/model/spoken_trace.h"
#include "core/model/trained_model.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// One decoding step, in words.
struct UtteredStep {
    struct Choice {
        std::string word;
        double probability = 0;
        bool operator==(const Choice&) const = default;
    };
    std::string read;             ///< what the step read
    std::string said;             ///< what it was followed by
    double probability = 0;       ///< of that
    bool is_given = false;        ///< part of what a language model is given
    bool is_chosen = false;       ///< by a person, not by the model
    std::vector<Choice> choices;  ///< the likeliest, best first
};

/// What a model has said, with every number on the way. Once made it is shared and never changed.
struct Utterance {
    std::shared_ptr<const TrainedModel> model;
    std::vector<std::string> source;  ///< its tokens; empty where there is none
    std::vector<UtteredStep> steps;
    bool is_over = false;            ///< the last step said the end; otherwise there was no room for more
    std::vector<std::string> words;  ///< what it says, without what it was given and without the end
    /// The same without the interventions, if there are any.
    std::optional<std::vector<std::string>> untouched;
    std::vector<SpokenSite> sites;
};

/// Lets a model speak. Keeps what it has said, so that the next request computes only what is new in it: one
/// more word costs one step.
class Speaker {
public:
    /// Throws Error for a null model.
    explicit Speaker(std::shared_ptr<const TrainedModel> model);
    ~Speaker();

    const TrainedModel& model() const { return *model_; }
    /// Throws Error naming the word that the model does not know, and for a text that is empty or too long.
    /// Nothing when `cancelled`, asked between the steps, says so.
    std::optional<Utterance> say(const SpeechRequest& request, const std::function<bool()>& cancelled = {});
    /// Steps that were computed since it was made.
    Index steps_computed() const { return steps_computed_; }

private:
    struct Script;
    Script script_of(const SpeechRequest& request) const;
    std::optional<std::vector<Index>> follow(Speech& speech, const Script& script,
                                             const std::function<bool()>& cancelled);

    std::shared_ptr<const TrainedModel> model_;
    std::unique_ptr<Speech> speech_;
    std::vector<Intervention> interventions_;  ///< of speech_
    std::unique_ptr<Speech> untouched_;        ///< the same source, nothing changed inside
    Index steps_computed_ = 0;
};

/// A sentence that shows what the model has learned: held-out number `number` of its task.
std::string example_source(const TaskModel& model, Index number);

}  // namespace headlight
