#include "core/model/speaker.h"

#include "core/model/decoding.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

/// A request in the model's numbers.
struct Speaker::Script {
    std::vector<Index> source;
    std::vector<Index> given;    ///< read before the model speaks
    std::vector<Index> decided;  ///< `given`, and behind it what a person has decided
    bool ends = false;           ///< the text ends behind what is decided
    Index most = 1;              ///< steps
};

namespace {

/// Of a source; longer ones are no example of any task here, and would take long.
constexpr Index most_tokens = 128;
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

Tokens typed_tokens(const TaskModel& model, const std::string& text, Side side, const char* field) {
    return named(field, [&] {
        constexpr std::size_t most_bytes = 1 << 14;
        if (text.size() > most_bytes)
            throw Error({"read text", "", "at most 128 tokens", std::to_string(text.size()) + " bytes"});
        Tokens tokens = tokens_of(model.task, text, side);
        if (std::ssize(tokens) > most_tokens)
            throw Error({"read text", "", "at most 128 tokens", std::to_string(tokens.size()) + " tokens"});
        return tokens;
    });
}

/// How many tokens the model has places for, if that is limited.
Index most_places(const TaskModel& model) {
    const auto* transformer = std::get_if<TransformerConfiguration>(&model.configuration);
    return transformer && transformer->places == PlaceEncoding::learned ? transformer->longest
                                                                        : 4 * most_tokens;
}

void require_room(Index tokens, Index most, const char* field) {
    if (tokens > most)
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
    const Tokens typed = typed_tokens(model, request.source, Side::source, "source text");
    if (model.is_one_text) {
        script.given = model.target.numbers(typed);
        if (model.task.kind == TaskKind::translation)
            script.given.push_back(model.target.number(std::string(text_separator)));
    } else {
        script.source = model.source.numbers(typed);
        require_room(std::ssize(typed), most_places(model), "source text");
    }
    if (model.host->is_classifier())
        return script;
    script.decided = script.given;
    const auto decide = [&](const Tokens& words, const char* field) {
        for (const Index token : named(field, [&] { return model.target.numbers(words); }))
            script.decided.push_back(token);
    };
    if (request.target) {
        decide(typed_tokens(model, *request.target, Side::target, "target text"), "target text");
        script.ends = true;
    } else {
        require_room(std::ssize(request.chosen), most_tokens, "chosen words");
        decide(request.chosen, "chosen words");
    }
    // A little longer than any that it has learned: then it has lost its way.
    constexpr Index room = 4;
    const Index longest = model.task.longest_target + room;
    const bool continues = model.task.kind == TaskKind::language_model;
    script.most =
        std::max((continues ? 0 : std::ssize(script.given)) + longest, std::ssize(script.decided) + 1);
    require_room(std::ssize(script.decided) + 1, most_places(model), "text");
    script.most = std::min(script.most, most_places(model));
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
            said.push_back(script.ends ? Vocabulary::end : likeliest(now.logits));
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
    const auto begin = [&](std::unique_ptr<Speech>& speech) {
        if (!speech || speech->source() != script.source)
            speech = std::make_unique<Speech>(*model.host, model_->weights, script.source);
    };
    begin(speech_);
    if (interventions_ != request.interventions)
        speech_->keep(0);
    interventions_ = request.interventions;
    speech_->set_interventions(interventions_);
    const auto said = follow(*speech_, script, cancelled);
    if (!said)
        return std::nullopt;

    Utterance utterance;
    utterance.model = model_;
    utterance.source = model.is_one_text ? std::vector<std::string>() : model.source.words(script.source);
    utterance.is_over = said->back() == Vocabulary::end || model.host->is_classifier();
    utterance.words = own_words(model, *said, script.given.size());
    SpokenWords words{.source = utterance.source, .read = {}, .said = {}};
    for (std::size_t i = 0; i < said->size(); ++i) {
        UtteredStep step = uttered(model.target, speech_->steps()[i], (*said)[i]);
        step.is_given = i < script.given.size();
        step.is_chosen = !step.is_given && (i < script.decided.size() || script.ends);
        words.read.push_back(step.read);
        words.said.push_back(step.said);
        utterance.steps.push_back(std::move(step));
    }
    if (!interventions_.empty()) {
        begin(untouched_);
        const auto otherwise = follow(*untouched_, script, cancelled);
        if (!otherwise)
            return std::nullopt;
        utterance.untouched = own_words(model, *otherwise, script.given.size());
    }
    utterance.sites = spoken_sites(*model.host, model_->weights, *speech_, words);
    return utterance;
}

std::string example_source(const TaskModel& model, Index number) {
    constexpr std::uint64_t seed = 1;
    const Example drawn = example(model.task, seed, number, Split::held_out);
    if (model.task.kind != TaskKind::language_model)
        return text_of(model.task, drawn.source, Side::source);
    const auto given =
        std::span(drawn.target).first(static_cast<std::size_t>(std::max<Index>(drawn.given, 1)));
    return text_of(model.task, given, Side::source);
}

}  // namespace headlight
