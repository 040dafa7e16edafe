#include "app/cli/generated_session.h"

#include "core/io/session_model.h"
#include "core/io/shipped_models.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

/// Whether a request leads to these words, or to a text that begins with them.
bool leads_to(Generator& generator, const GenerationRequest& request, std::span<const std::string> said) try {
    const Transcript transcript = *generator.generate(request);
    std::vector<std::string> words;
    for (const TranscriptStep& step : transcript.steps)
        if (!step.is_given)
            words.push_back(step.said);
    return words.size() >= said.size() && std::ranges::equal(std::span(words).first(said.size()), said);
} catch (const Error&) {
    return false;
}

}  // namespace

std::optional<Session> generated_session(std::shared_ptr<const TrainedModel> trained,
                                         const std::string& model, GenerationRequest request,
                                         std::span<const std::string> said) {
    Session session = with_model(example_session(), whole_name(model), *trained->model);
    Generator generator(std::move(trained));
    GenerationRequest& asked = session.model->request = std::move(request);
    if (leads_to(generator, asked, said))
        return session;
    asked.chosen.assign(said.begin(), said.end());
    asked.target.reset();
    asked.choice = {};
    if (!leads_to(generator, asked, said))
        return std::nullopt;
    return session;
}

}  // namespace headlight
