#include "core/model/speaker.h"

#include "core/model/conversation.h"
#include "core/model/decoding.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

/// A request in the model's numbers.
struct Speaker::Script {
    Prompt prompt;
    /// What the first steps are followed by: the rest of what is given, and what a person has decided.
    std::vector<Index> decided;
    Index most = 1;  ///< steps

    std::size_t given() const { return prompt.given.size() - 1; }
};

namespace {

constexpr Index most_choices = 8;

/// Names the field that a person typed into.
template <class Read>
auto named(const char* field, const Read& read) {
    try {
        return read();
    } catch (const Error& error) {
        throw error.within(field);
    }
}

/// A model that has learned a vector for each place has no more places.
Index places_of(const TaskModel& model) {
    const auto* transformer = std::get_if<TransformerConfiguration>(&model.configuration);
    const bool is_limited = transformer && transformer->places == PlaceEncoding::learned;
    return is_limited ? transformer->longest : longest_text;
}

void require_places(const TaskModel& model, Index tokens, const char* field) {
    if (const Index most = places_of(model); tokens > most)
        throw Error({"read text", field, "at most " + std::to_string(most) + " tokens",
                     std::to_string(tokens) + " tokens"});
}

}  // namespace

Speaker::Speaker(std::shared_ptr<const TrainedModel> model) : model_(std::move(model)) {
    if (!model_ || !model_->model)
        throw Error({"let a model speak", "", "a model", "none"});
}

Speaker::~Speaker() = default;

Speaker::Script Speaker::script_of(const SpeechRequest& request) const {
    const TaskModel& model = *model_->model;
    Script script;
    script.prompt = named("source text", [&] { return prompt(model, request.source); });
    const std::vector<Index>& given = script.prompt.given;
    require_places(model, std::ssize(script.prompt.source), "source text");
    require_places(model, std::ssize(given), "source text");
    script.decided.assign(given.begin() + 1, given.end());
    const std::vector<Index> decided =
        request.target ? named("target text", [&] { return forced_tokens(model, *request.target); })
                       : named("chosen words", [&] { return model.target.numbers(request.chosen); });
    script.decided.insert(script.decided.end(), decided.begin(), decided.end());
    require_places(model, std::ssize(script.decided) + 1, "target text");
    if (!model.host->is_classifier())
        script.most = std::max(std::ssize(given) - 1 + longest_answer(model, script.prompt),
                               std::ssize(script.decided) + 1);
    script.most = std::min(script.most, places_of(model));
    return script;
}

std::optional<std::vector<Index>> Speaker::follow(Speech& speech, const Script& script,
                                                  const std::function<bool()>& cancelled) {
    std::vector<Index> said;
    for (Index step = 0; step < script.most; ++step) {
        if (cancelled && cancelled())
            return std::nullopt;
        const Index token = step == 0 ? Vocabulary::begin : said.back();
        const bool is_known = step < std::ssize(speech.steps()) &&
                              speech.steps()[static_cast<std::size_t>(step)].token == token;
        if (!is_known) {
            speech.keep(step);
            speech.read(token);
            ++steps_computed_;
        }
        const SpokenStep& now = speech.steps()[static_cast<std::size_t>(step)];
        if (step < std::ssize(script.decided))
            said.push_back(script.decided[static_cast<std::size_t>(step)]);
        else
            said.push_back(likeliest(now.logits));
        if (said.back() == Vocabulary::end)
            break;
    }
    speech.keep(std::ssize(said));
    return said;
}

namespace {

/// What was said behind what was given, without the end.
std::vector<std::string> own_words(const TaskModel& model, std::span<const Index> said, std::size_t given) {
    std::vector<Index> own(said.begin() + static_cast<std::ptrdiff_t>(std::min(given, said.size())),
                           said.end());
    if (!own.empty() && own.back() == Vocabulary::end)
        own.pop_back();
    return model.target.words(own);
}

UtteredStep uttered(const Vocabulary& words, const SpokenStep& step, Index said) {
    UtteredStep uttered;
    uttered.read = words.word(step.token);
    uttered.said = words.word(said);
    for (const Candidate& each : candidates(step.logits, words.size())) {
        if (each.token == said)
            uttered.probability = each.probability;
        if (std::ssize(uttered.choices) < most_choices)
            uttered.choices.push_back({words.word(each.token), each.probability});
    }
    return uttered;
}

}  // namespace

std::optional<Utterance> Speaker::say(const SpeechRequest& request, const std::function<bool()>& cancelled) {
    const TaskModel& model = *model_->model;
    const Script script = script_of(request);
    const auto start = [&](std::unique_ptr<Speech>& speech) {
        if (!speech || speech->source() != script.prompt.source)
            speech = std::make_unique<Speech>(*model.host, model_->weights, script.prompt.source);
    };
    start(speech_);
    if (interventions_ != request.interventions)
        speech_->keep(0);
    interventions_ = request.interventions;
    speech_->set_interventions(interventions_);
    const auto said = follow(*speech_, script, cancelled);
    if (!said)
        return std::nullopt;

    Utterance utterance;
    utterance.model = model_;
    utterance.source = model.source.words(script.prompt.source);
    utterance.is_over = said->back() == Vocabulary::end || model.host->is_classifier();
    utterance.words = own_words(model, *said, script.given());
    for (std::size_t i = 0; i < said->size(); ++i) {
        UtteredStep step = uttered(model.target, speech_->steps()[i], (*said)[i]);
        step.is_given = i < script.given();
        step.is_chosen = !step.is_given && i < script.decided.size();
        utterance.steps.push_back(std::move(step));
    }
    if (!interventions_.empty()) {
        start(untouched_);
        const auto otherwise = follow(*untouched_, script, cancelled);
        if (!otherwise)
            return std::nullopt;
        utterance.untouched = own_words(model, *otherwise, script.given());
    }
    utterance.sites =
        spoken_sites(*model.host, model_->weights, *speech_, spoken_words(model, *speech_, *said));
    return utterance;
}

std::string example_source(const TaskModel& model, Index number) {
    constexpr std::uint64_t seed = 1;
    const Example drawn = number == 0 && model.task.shown
                              ? *model.task.shown
                              : example(model.task, seed, number, Split::held_out);
    if (model.task.kind != TaskKind::language_model)
        return text_of(model.task, drawn.source, Side::source);
    const auto given =
        std::span(drawn.target).first(static_cast<std::size_t>(std::max<Index>(drawn.given, 1)));
    return text_of(model.task, given, Side::source);
}

}  // namespace headlight
