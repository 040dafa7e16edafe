#include "core/io/model_note.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace headlight {
namespace {

/// Two models of a task may go about it in different ways.
struct ModelNote {
    std::string_view model;       ///< inside the program
    std::string_view in_any;      ///< in place of what the task says; empty where that is true of the model
    std::string_view in_shown{};  ///< of words of the example that people are shown
};

constexpr ModelNote model_notes[] = {
    {"translate-additive-gru",
     {},
     "In \"the black cat does not sleep\", which becomes le chat noir ne dort pas, noir looks at "
     "\"black\" and chat at \"cat\", the other way round; ne looks at \"not\", but pas at \"sleep\", the "
     "verb that it closes; le looks at \"cat\", the noun ahead that gives its gender."},
    {"translate-transformer",
     {},
     "In \"the black cat does not sleep\", which becomes le chat noir ne dort pas, every head of both "
     "decoder layers agrees on these: noir looks at \"black\" and chat at \"cat\", the other way round; "
     "dort looks at \"sleep\"; pas looks at \"not\". On the others the heads of decoder layer 2 divide "
     "the work. Head 1: ne looks at \"sleep\", the verb that it stands before; le looks at \"the\". Head "
     "2: ne looks at \"not\"; le looks at \"cat\", the noun ahead that gives its gender."},
    {"hard-attention-dates",
     "One cell is lit in each row: the letter that was drawn. The last digit of the year draws that digit "
     "itself; most other steps draw letters that tell little, for each letter's vector knows of its "
     "neighbours, too. The soft weights, from which it is drawn, show how sure each step was."},
    {"sort-gpt",
     "No diagonal: behind => the rows look at characters that are still to be written. In layer 2 the "
     "brightest cell of head 1 is mostly in the column of the very next one; other heads look further "
     "ahead, or at characters that were just written."},
    {"induction-xl",
     "In layer 1, clearest in head 4, a faint stripe a whole period below the diagonal, on the same "
     "letter one time before. No head has the one sharp induction stripe, a period less one below the "
     "diagonal: in layer 2 the weight spreads over many letters."},
    {"distinct-slots",
     "In the first layer letters that are the same look alike: their rows are equal, and so are their "
     "columns. Where the label is asked for there is a row for each slot: the slots compete for the "
     "letters, round by round, and letters that are the same go the same way."},
    {"whereabouts-coattention",
     "In the first layer the words of each sentence look at its name or at its place. Where the text "
     "looks at its question the weights are nearly even. Where the label is asked for there is one row "
     "over the text: it marks the sentence that is asked for, and leaves the others dark."},
    {"race-vit",
     "In the one layer each patch looks at itself alone: no patch knows another. Only the class token, which "
     "asks for the label, can tell who is ahead: over the picture its one row lights up that runner, in "
     "whichever lane. Write another one in front, and the light jumps."},
};

bool says_what_people_are_shown(const Transcript& transcript) {
    const std::optional<Example>& shown = transcript.model->model->task.shown;
    return shown && !transcript.untouched && transcript.source == shown->source &&
           transcript.words == shown->target;
}

}  // namespace

std::string what_to_look_for(const std::string& model, const Transcript& transcript) {
    const auto* note = std::ranges::find(model_notes, model, &ModelNote::model);
    if (note == std::end(model_notes))
        return transcript.model->model->task.what_to_see;
    std::string text =
        note->in_any.empty() ? transcript.model->model->task.what_to_see : std::string(note->in_any);
    if (!note->in_shown.empty() && says_what_people_are_shown(transcript))
        (text += ' ') += note->in_shown;
    return text;
}

}  // namespace headlight
