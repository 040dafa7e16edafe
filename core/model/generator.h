#pragma once

#include "core/model/generation_request.h"
#include "core/model/transcript.h"

#include <functional>

namespace headlight {

/// What a request takes at most, as long as nobody knows where the text ends.
struct GenerationCost {
    Index rounds = 0;          ///< how often `cancelled` is asked: steps of the text and of its beams
    double multiply_adds = 0;  ///< of the steps that are not known yet
    double bytes = 0;          ///< the weights, the maps of every site, and what each step keeps
};

/// Lets a model generate. Keeps what it has said, so that the next request computes only what is new in it:
/// one more word costs one step.
class Generator {
public:
    /// Throws Error for a null model.
    explicit Generator(std::shared_ptr<const TrainedModel> model);
    ~Generator();

    const TrainedModel& model() const { return *model_; }
    /// Counted before anything of it is computed. Throws Error as generate() does.
    GenerationCost cost(const GenerationRequest& request) const;
    /// Throws Error naming the word that the model does not know, for a text that is empty or too long, and
    /// for an intervention at a place that the model does not have (require_possible_interventions()).
    /// Nothing when `cancelled`, asked between the steps, says so; Interrupted within a step. What was read
    /// until then is kept.
    std::optional<Transcript> generate(const GenerationRequest& request,
                                       const std::function<bool()>& cancelled = {});
    /// Steps that were computed since it was made.
    Index steps_computed() const { return steps_computed_; }

private:
    struct Script;
    struct Search;
    Index rounds_of(const Script& script, bool is_touched) const;
    Script script_of(const GenerationRequest& request) const;
    void start(std::unique_ptr<Generation>& generation, const Script& script) const;
    /// What the script says at a step that nobody has decided.
    Index next_word(const Script& script, const GenerationStep& now, Index step) const;
    std::optional<std::vector<Index>> follow(Generation& generation, const Script& script,
                                             const std::function<bool()>& cancelled);
    /// The tree of a script that asks for one, from `known` where it is that.
    bool search(std::unique_ptr<Search>& known, const Script& script,
                const std::vector<Intervention>& interventions, const std::function<bool()>& cancelled) const;
    bool leave_untouched(Transcript& transcript, const Script& script, const std::vector<Index>& said,
                         const std::function<bool()>& cancelled);

    std::shared_ptr<const TrainedModel> model_;
    std::unique_ptr<Generation> generation_;
    std::vector<Intervention> interventions_;  ///< of generation_
    std::unique_ptr<Search> search_;
    std::unique_ptr<Generation> untouched_;  ///< the same source, nothing changed inside
    std::unique_ptr<Search> untouched_search_;
    Index steps_computed_ = 0;
};

/// A sentence that shows what the model has learned: held-out number `number` of its task.
std::string example_source(const TaskModel& model, Index number);

}  // namespace headlight
