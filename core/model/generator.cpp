#include "core/model/generator.h"

#include "core/model/decoding.h"
#include "core/model/intervention_places.h"
#include "core/model/prompt.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

#include <algorithm>

namespace headlight {

/// A request in the model's numbers.
struct Generator::Script {
    Prompt prompt;
    /// What the first steps are followed by: the rest of what is given, and what a person has decided.
    std::vector<Index> decided;
    Index most = 1;  ///< steps
    WordChoice choice;

    std::size_t given() const { return prompt.given.size() - 1; }
    bool searches() const {
        const bool is_open = decided.empty() || decided.back() != Vocabulary::end;
        return choice.way == WordChoice::Way::beam && is_open && std::ssize(decided) < most;
    }
    /// One that decides these words as well, and ends there.
    Script with(std::span<const Index> words) const {
        Script longer = *this;
        longer.decided.insert(longer.decided.end(), words.begin(), words.end());
        longer.most = std::ssize(longer.decided);
        return longer;
    }
};

/// A tree, and what it grew from.
struct Generator::Search {
    std::vector<Index> source, given;
    BeamOptions options;
    BeamTree tree;

    bool is_of(const Search& other) const {
        return source == other.source && given == other.given && options == other.options;
    }
};

namespace {

/// Names the field that a person typed into.
template <class Read>
auto named(const char* field, const Read& read) {
    try {
        return read();
    } catch (const Error& error) {
        throw error.within(field);
    }
}

}  // namespace

Generator::Generator(std::shared_ptr<const TrainedModel> model) : model_(std::move(model)) {
    if (!model_ || !model_->model)
        throw Error({"generate a text", "", "a model", "none"});
}

Generator::~Generator() = default;

Generator::Script Generator::script_of(const GenerationRequest& request) const {
    const TaskModel& model = *model_->model;
    Script script;
    script.prompt = named("source text", [&] { return prompt(model, request.source); });
    const std::vector<Index>& given = script.prompt.given;
    script.decided.assign(given.begin() + 1, given.end());
    const std::vector<Index> decided =
        request.target
            ? named("target text", [&] { return forced_tokens(model, script.prompt, *request.target); })
            : named("chosen words", [&] { return model.target.numbers(request.chosen); });
    named("target text", [&] { require_room(model, script.prompt, std::ssize(decided)); });
    require_possible_interventions(model, script.prompt, request.interventions);
    script.decided.insert(script.decided.end(), decided.begin(), decided.end());
    if (!model.host->is_classifier())
        script.most = std::max(std::ssize(given) - 1 + longest_answer(model, script.prompt),
                               std::ssize(script.decided) + 1);
    script.most = std::min(script.most, std::ssize(given) - 1 + most_generated(model, script.prompt));
    if (!request.target && !model.host->is_classifier())
        script.choice = request.choice;
    return script;
}

void Generator::start(std::unique_ptr<Generation>& generation, const Script& script) const {
    if (!generation || generation->source() != script.prompt.source)
        generation =
            std::make_unique<Generation>(*model_->model->host, model_->weights, script.prompt.source);
}

Index Generator::next_word(const Script& script, const GenerationStep& now, Index step) const {
    if (script.choice.way != WordChoice::Way::sample)
        return likeliest(now.logits);
    // Each step has a draw of its own: a word that is chosen leaves the luck of the others as it is.
    return choose(now.logits, script.choice.sampling,
                  uniform(substream(script.choice.seed, static_cast<std::uint64_t>(step + 1))));
}

std::optional<std::vector<Index>> Generator::follow(Generation& generation, const Script& script,
                                                    const std::function<bool()>& cancelled) {
    std::vector<Index> said;
    for (Index step = 0; step < script.most; ++step) {
        if (cancelled && cancelled())
            return std::nullopt;
        const Index token = step == 0 ? Vocabulary::begin : said.back();
        const bool is_known = step < std::ssize(generation.steps()) &&
                              generation.steps()[static_cast<std::size_t>(step)].token == token;
        if (!is_known) {
            generation.keep(step);
            generation.read(token);
            ++steps_computed_;
        }
        const GenerationStep& now = generation.steps()[static_cast<std::size_t>(step)];
        said.push_back(step < std::ssize(script.decided) ? script.decided[static_cast<std::size_t>(step)]
                                                         : next_word(script, now, step));
        if (said.back() == Vocabulary::end)
            break;
    }
    generation.keep(std::ssize(said));
    return said;
}

bool Generator::search(std::unique_ptr<Search>& known, const Script& script,
                       const std::vector<Intervention>& interventions,
                       const std::function<bool()>& cancelled) const {
    Search wanted{script.prompt.source,
                  {Vocabulary::begin},
                  {.width = script.choice.beam_width,
                   .longest = script.most - std::ssize(script.decided),
                   .interventions = interventions},
                  {}};
    wanted.given.insert(wanted.given.end(), script.decided.begin(), script.decided.end());
    if (known && known->is_of(wanted))
        return true;
    wanted.tree = search_beam(*model_->model->host, model_->weights, wanted.source, wanted.given,
                              Vocabulary::end, wanted.options, cancelled);
    if (cancelled && cancelled())
        return false;
    known = std::make_unique<Search>(std::move(wanted));
    return true;
}

/// Returns the rounds of the text, of the search before it, and of both without the interventions; with these
/// the text is read twice.
Index Generator::rounds_of(const Script& script, bool is_touched) const {
    const Index searched = script.searches() ? script.most - std::ssize(script.decided) : 0;
    return (1 + is_touched) * searched + (1 + (is_touched ? 2 : 0)) * script.most;
}

GenerationCost Generator::cost(const GenerationRequest& request) const {
    const Script script = script_of(request);
    const Host& host = *model_->model->host;
    const bool is_touched = !request.interventions.empty();
    const Index source = std::ssize(script.prompt.source);
    const bool is_read = generation_ && generation_->source() == script.prompt.source;
    const bool is_kept = is_read && interventions_ == request.interventions;
    const Index known = is_kept ? std::min(std::ssize(generation_->steps()), script.most) : 0;
    const Index beams = script.searches() ? script.choice.beam_width : 0;
    GenerationCost cost;
    cost.rounds = rounds_of(script, is_touched);
    // Every token that is read passes every weight about once.
    const auto weights = static_cast<double>(model_->weights.size());
    const Index tokens =
        (is_read ? 0 : source) + (1 + is_touched) * (beams * script.most + script.most) - known;
    const Index streams = model_->model->configuration.reads_in_any_order() ? 2 : 1;
    cost.multiply_adds = weights * static_cast<double>(streams * std::max<Index>(tokens, 0));
    cost.bytes = weights * sizeof(float);
    // Each step of each text, where caches have up to twice the room that they need: texts of a beam that
    // part have each their own, beside those that they grow from.
    constexpr Index room = 2;
    cost.bytes += static_cast<double>(room * (1 + is_touched) * (1 + 2 * beams) * script.most) *
                  static_cast<double>(host.numbers_of_step()) * sizeof(float);
    constexpr double stages = 4;    // scores, scaled, masked, weights
    constexpr double recorded = 2;  // scores and weights of the steps
    for (const SiteDescription& site : host.sites()) {
        const auto queries =
            static_cast<double>(site.in_encoder ? source : std::max(script.most, site.seeds));
        const auto keys = static_cast<double>(site.in_encoder || site.looks_at_source ? source : script.most);
        const auto pairs = static_cast<double>(site.spec.heads.count()) * queries * keys;
        cost.bytes += (1 + is_touched) * pairs * (stages * sizeof(double) + recorded * sizeof(float));
    }
    return cost;
}

std::optional<Transcript> Generator::generate(const GenerationRequest& request,
                                              const std::function<bool()>& cancelled) {
    const Script script = script_of(request);
    const TaskModel& model = *model_->model;
    start(generation_, script);
    if (interventions_ != request.interventions)
        generation_->keep(0);
    interventions_ = request.interventions;
    generation_->set_interventions(interventions_);
    Transcript transcript;
    transcript.model = model_;
    Script best = script, shown = script;
    if (script.searches()) {
        if (!search(search_, script, interventions_, cancelled))
            return std::nullopt;
        const BeamTree& tree = search_->tree;
        transcript.beams = transcript_beams(model.target, tree, std::ssize(script.decided), request.followed);
        best = script.with(tree.text(tree.best));
        shown = script.with(tree.text(transcript.beams->followed));
    }
    const auto said = follow(*generation_, shown, cancelled);
    if (!said)
        return std::nullopt;

    transcript.source = model.source_names(script.prompt.source);
    transcript.picture = model.picture(script.prompt.source);
    transcript.is_over = said->back() == Vocabulary::end || model.host->is_classifier();
    transcript.words = own_words(model, transcript.beams ? best.decided : *said, script.given());
    for (std::size_t i = 0; i < said->size(); ++i) {
        TranscriptStep step = transcript_step(model.target, generation_->steps()[i], (*said)[i]);
        step.is_given = i < script.given();
        step.is_chosen = !step.is_given && i < script.decided.size();
        transcript.steps.push_back(std::move(step));
    }
    transcript.sites =
        site_records(*model.host, model_->weights, *generation_, generated_words(model, *generation_, *said));
    if (!interventions_.empty() && !leave_untouched(transcript, script, *said, cancelled))
        return std::nullopt;
    return transcript;
}

bool Generator::leave_untouched(Transcript& transcript, const Script& script, const std::vector<Index>& said,
                                const std::function<bool()>& cancelled) {
    const TaskModel& model = *model_->model;
    start(untouched_, script);
    Script alone = script;
    if (script.searches()) {
        if (!search(untouched_search_, script, {}, cancelled))
            return false;
        const BeamTree& tree = untouched_search_->tree;
        alone = script.with(tree.text(tree.best));
    }
    const auto recorded = [&](const std::vector<Index>& words) {
        return site_records(*model.host, model_->weights, *untouched_,
                            generated_words(model, *untouched_, words));
    };
    const auto otherwise = follow(*untouched_, alone, cancelled);
    if (!otherwise)
        return false;
    transcript.untouched = own_words(model, *otherwise, script.given());
    if (*otherwise != said)
        transcript.sites_before = recorded(*otherwise);
    Script same = script;
    same.decided = said;
    same.most = std::ssize(said);
    if (!follow(*untouched_, same, cancelled))
        return false;
    // Its rows are called by what it would say there, not by the words of the changed model that it is made
    // to read. A search weighs whole texts: no step of one says a word alone.
    GeneratedWords words = generated_words(model, *untouched_, said);
    if (!script.searches())
        for (std::size_t step = script.decided.size(); step < said.size(); ++step)
            words.said[step] =
                model.target.word(next_word(script, untouched_->steps()[step], static_cast<Index>(step)));
    transcript.untouched_sites = site_records(*model.host, model_->weights, *untouched_, words);
    return true;
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
