#include "app/cli/spoken_session.h"

#include "core/io/session_model.h"
#include "core/io/shipped_models.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

/// Whether a request leads to these words, or to a text that begins with them.
bool leads_to(Speaker& speaker, const SpeechRequest& request, std::span<const std::string> said) try {
    const Utterance utterance = *speaker.say(request);
    std::vector<std::string> words;
    for (const UtteredStep& step : utterance.steps)
        if (!step.is_given)
            words.push_back(step.said);
    return words.size() >= said.size() && std::ranges::equal(std::span(words).first(said.size()), said);
} catch (const Error&) {
    return false;
}

}  // namespace

std::optional<Session> spoken_session(std::shared_ptr<const TrainedModel> trained, const std::string& model,
                                      SpeechRequest request, std::span<const std::string> said) {
    Session session = with_model(example_session(), whole_name(model), *trained->model);
    Speaker speaker(std::move(trained));
    SpeechRequest& asked = session.model->request = std::move(request);
    if (leads_to(speaker, asked, said))
        return session;
    asked.chosen.assign(said.begin(), said.end());
    asked.target.reset();
    asked.choice = {};
    if (!leads_to(speaker, asked, said))
        return std::nullopt;
    return session;
}

}  // namespace headlight
