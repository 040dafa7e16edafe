#include "core/io/model_note.h"

#include "core/io/shipped_models.h"

namespace headlight {
namespace {

bool says_what_people_are_shown(const Transcript& transcript) {
    const std::optional<Example>& shown = transcript.model->model->task.shown;
    return shown && !transcript.untouched && transcript.source == shown->source &&
           transcript.words == shown->target;
}

/// Tasks say which step looks at which place of the source. A model that reads source and answer as one text
/// may know by its first layer what it copies: one that copies without a mistake has no diagonal.
constexpr std::string_view in_one_text = "Source and answer are one text, in which each row looks back: the "
                                         "row of => writes the first of the answer, the row behind it the "
                                         "second. In the first layer rows gather what stands before them; "
                                         "behind it a bright cell is often in the column of what has "
                                         "gathered, and not of what is written next. So no diagonal need be "
                                         "there.";

bool reads_source_and_answer_as_one(const Transcript& transcript) {
    const ModelSpec& spec = transcript.model->model->configuration;
    return spec.reads_one_text() && !spec.reads_in_any_order() &&
           transcript.model->model->task.kind == TaskKind::translation;
}

}  // namespace

std::string what_to_look_for(const std::string& model, const Transcript& transcript) {
    const std::string& of_task = transcript.model->model->task.what_to_see;
    const ShippedModel* shipped = find_shipped_model(model);
    if (!shipped)
        return reads_source_and_answer_as_one(transcript) ? std::string(in_one_text) : of_task;
    std::string text = shipped->in_any.empty() ? of_task : std::string(shipped->in_any);
    if (!shipped->in_shown.empty() && says_what_people_are_shown(transcript))
        (text += ' ') += shipped->in_shown;
    return text;
}

}  // namespace headlight
