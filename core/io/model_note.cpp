#include "core/io/model_note.h"

#include "core/io/shipped_models.h"

namespace headlight {
namespace {

bool says_what_people_are_shown(const Transcript& transcript) {
    const std::optional<Example>& shown = transcript.model->model->task.shown;
    return shown && !transcript.untouched && transcript.source == shown->source &&
           transcript.words == shown->target;
}

}  // namespace

std::string what_to_look_for(const std::string& model, const Transcript& transcript) {
    const std::string& of_task = transcript.model->model->task.what_to_see;
    const ShippedModel* shipped = find_shipped_model(model);
    if (!shipped)
        return of_task;
    std::string text = shipped->in_any.empty() ? of_task : std::string(shipped->in_any);
    if (!shipped->in_shown.empty() && says_what_people_are_shown(transcript))
        (text += ' ') += shipped->in_shown;
    return text;
}

}  // namespace headlight
