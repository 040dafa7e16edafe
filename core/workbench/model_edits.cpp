#include "core/workbench/model_edits.h"

#include "core/figure/view.h"
#include "core/io/model_title.h"
#include "core/io/session_model.h"
#include "core/tensor/error.h"
#include "core/tensor/visible_text.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

/// The whole of what is said, the last step in focus.
void show_all(Session& session) {
    session.view.decoding_step.reset();
    session.view.selection.query = last_row;
}

/// Spaces around words, and how many between them, are not read.
icu::UnicodeString as_read(const std::string& text) {
    const icu::UnicodeString written = icu::UnicodeString::fromUTF8(text);
    icu::UnicodeString read;
    for (int32_t at = 0; at < written.length(); at = written.moveIndex32(at, 1)) {
        const UChar32 character = written.char32At(at);
        if (!u_isUWhiteSpace(character))
            read.append(character);
        else if (!read.isEmpty() && !read.endsWith(u" "))
            read.append(u' ');
    }
    return read.trim();
}

/// What was changed inside was changed at places in the text: of other words it would be a change that nobody
/// has made.
void forget_interventions(GenerationRequest& request, const std::string& before, const std::string& now) {
    if (as_read(before) != as_read(now))
        request.interventions.clear();
}

/// What is said before step `at`, where it was not given, and `word` there: but for the words at the end that
/// the model would say anyway.
std::vector<std::string> words_up_to(const Transcript& transcript, std::size_t at, const std::string& word,
                                     const WordChoice& choice) {
    std::vector<std::string> chosen;
    std::size_t first = 0;
    for (std::size_t i = 0; i < at; ++i) {
        if (transcript.steps[i].is_given)
            first = i + 1;
        else
            chosen.push_back(transcript.steps[i].said);
    }
    chosen.push_back(word);
    // Where it searches or draws, the likeliest word is not what it would say anyway.
    while (!chosen.empty() && choice.way == WordChoice::Way::greedy) {
        const auto& choices = transcript.steps[first + chosen.size() - 1].choices;
        if (choices.empty() || choices.front().word != chosen.back())
            break;
        chosen.pop_back();
    }
    return chosen;
}

}  // namespace

bool has_lost_interventions(const Session& before, const Session& now) {
    if (!before.model || !now.model || before.model->request.interventions.empty() ||
        !now.model->request.interventions.empty())
        return false;
    const GenerationRequest &was = before.model->request, &is = now.model->request;
    return before.model->name != now.model->name || was.source != is.source || was.target != is.target;
}

Index current_step(const ViewState& view, const Transcript& transcript) {
    const Index last = std::max<Index>(std::ssize(transcript.steps), 1) - 1;
    const SiteRecord* site = transcript.find(view.selection.site);
    if (!site || site->site.in_encoder)
        return last;
    Index step = view.selection.query;
    if (headlight::view(view.view).rows_arrive && view.decoding_step)
        step = std::min(step, *view.decoding_step);
    return std::clamp<Index>(step, 0, last);
}

Session with_source(Session session, const std::string& text) {
    if (!session.model)
        return session;
    forget_interventions(session.model->request, session.model->request.source, text);
    session.model->request.source = text;
    session.model->request.chosen.clear();
    session.model->request.followed.clear();
    show_all(session);
    return session;
}

Edit run_model(Session session, const std::string& name, const TaskModel& model) {
    return {"Run " + model_title(name), with_model(std::move(session), name, model)};
}

Edit leave_model(Session session) { return {"Back to the mechanism", on_its_mechanism(std::move(session))}; }

Edit type_source(Session session, const std::string& text) {
    return {"Type the source", with_source(std::move(session), text), typing_key("model_source", text)};
}

Edit show_next_source(Session session, const std::string& text) {
    return {"Next example", with_source(std::move(session), text)};
}

Edit choose_word(Session session, const Transcript& transcript, Index step, const std::string& word) {
    std::string name = "Choose " + in_quotes(word);
    if (!session.model || step < 0 || step >= std::ssize(transcript.steps))
        return {std::move(name), std::move(session)};
    const auto at = static_cast<std::size_t>(step);
    if (transcript.steps[at].is_given)
        throw Error({"choose a word", "step " + std::to_string(step + 1), "a word that the model says",
                     "one that it was given"});
    GenerationRequest& request = session.model->request;
    request.chosen = words_up_to(transcript, at, word, request.choice);
    request.followed.clear();
    request.target.reset();
    return {std::move(name), std::move(session)};
}

Edit type_target(Session session, const std::string& text) {
    if (session.model) {
        GenerationRequest& request = session.model->request;
        forget_interventions(request, request.target.value_or(std::string()), text);
        request.target = text.empty() ? std::nullopt : std::optional(text);
        show_all(session);
    }
    return {"Type the target", std::move(session), typing_key("model_target", text)};
}

Edit leave_words_to_model(Session session) {
    if (session.model) {
        GenerationRequest& request = session.model->request;
        forget_interventions(request, request.target.value_or(std::string()), {});
        request.chosen.clear();
        request.followed.clear();
        request.target.reset();
    }
    return {"Its own words", std::move(session)};
}

Edit change_word_choice(Session session, std::string name, const WordChoice& choice, std::string merge) {
    if (session.model) {
        session.model->request.choice = choice;
        session.model->request.followed.clear();
        show_all(session);
    }
    return {std::move(name), std::move(session), std::move(merge)};
}

Edit follow_beam(Session session, const TranscriptBeams& beams, Index node) {
    if (session.model && node > 0 && node < std::ssize(beams.tree.nodes)) {
        std::vector<std::string>& followed = session.model->request.followed;
        followed.clear();
        for (Index at = node; node != beams.tree.best && at > 0;
             at = beams.tree.nodes[static_cast<std::size_t>(at)].parent)
            followed.insert(followed.begin(), beams.words[static_cast<std::size_t>(at)]);
        show_all(session);
    }
    return {"Look at a text of the beam", std::move(session), "beam_node"};
}

}  // namespace headlight
