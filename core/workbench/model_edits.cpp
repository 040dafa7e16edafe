#include "core/workbench/model_edits.h"

#include "core/figure/view.h"
#include "core/io/session_model.h"
#include "core/tensor/error.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>

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

Session with_choice(Session session, const Transcript& transcript, Index step, const std::string& word) {
    if (!session.model || step < 0 || step >= std::ssize(transcript.steps))
        return session;
    const auto at = static_cast<std::size_t>(step);
    if (transcript.steps[at].is_given)
        throw Error({"choose a word", "step " + std::to_string(step + 1), "a word that the model says",
                     "one that it was given"});
    GenerationRequest& request = session.model->request;
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
    while (!chosen.empty() && request.choice.way == WordChoice::Way::greedy) {
        const auto& choices = transcript.steps[first + chosen.size() - 1].choices;
        if (choices.empty() || choices.front().word != chosen.back())
            break;
        chosen.pop_back();
    }
    request.chosen = std::move(chosen);
    request.followed.clear();
    request.target.reset();
    return session;
}

Session with_target(Session session, const std::string& text) {
    if (!session.model)
        return session;
    forget_interventions(session.model->request, session.model->request.target.value_or(std::string()), text);
    session.model->request.target = text.empty() ? std::nullopt : std::optional(text);
    show_all(session);
    return session;
}

Session with_own_words(Session session) {
    if (!session.model)
        return session;
    forget_interventions(session.model->request, session.model->request.target.value_or(std::string()), {});
    session.model->request.chosen.clear();
    session.model->request.followed.clear();
    session.model->request.target.reset();
    return session;
}

Session with_word_choice(Session session, const WordChoice& choice) {
    if (!session.model)
        return session;
    session.model->request.choice = choice;
    session.model->request.followed.clear();
    show_all(session);
    return session;
}

Session with_followed(Session session, const TranscriptBeams& beams, Index node) {
    if (!session.model || node <= 0 || node >= std::ssize(beams.tree.nodes))
        return session;
    std::vector<std::string>& followed = session.model->request.followed;
    followed.clear();
    for (Index at = node; node != beams.tree.best && at > 0;
         at = beams.tree.nodes[static_cast<std::size_t>(at)].parent)
        followed.insert(followed.begin(), beams.words[static_cast<std::size_t>(at)]);
    show_all(session);
    return session;
}

}  // namespace headlight
