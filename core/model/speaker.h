#pragma once

#include "core/model/speech_request.h"
#include "core/model/utterance.h"

#include <functional>

namespace headlight {

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
    struct Search;
    Script script_of(const SpeechRequest& request) const;
    void start(std::unique_ptr<Speech>& speech, const Script& script) const;
    std::optional<std::vector<Index>> follow(Speech& speech, const Script& script,
                                             const std::function<bool()>& cancelled);
    /// The tree of a script that asks for one, from `known` where it is that.
    bool search(std::unique_ptr<Search>& known, const Script& script,
                const std::vector<Intervention>& interventions, const std::function<bool()>& cancelled) const;
    bool leave_untouched(Utterance& utterance, const Script& script, const std::vector<Index>& said,
                         const std::function<bool()>& cancelled);

    std::shared_ptr<const TrainedModel> model_;
    std::unique_ptr<Speech> speech_;
    std::vector<Intervention> interventions_;  ///< of speech_
    std::unique_ptr<Search> search_;
    std::unique_ptr<Speech> untouched_;  ///< the same source, nothing changed inside
    std::unique_ptr<Search> untouched_search_;
    Index steps_computed_ = 0;
};

/// A sentence that shows what the model has learned: held-out number `number` of its task.
std::string example_source(const TaskModel& model, Index number);

}  // namespace headlight
