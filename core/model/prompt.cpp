#include "core/model/prompt.h"

#include "core/tensor/error.h"
#include "core/tensor/random.h"

#include <algorithm>

namespace headlight {

namespace {

/// Places of what the encoder reads, or of what the decoder does.
Index most_places(const TaskModel& model, Side side) {
    const MostTokens most = model.host->most_tokens();
    return std::min(longest_text, (side == Side::source ? most.source : most.target).value_or(longest_text));
}

void require_at_most(Index most, Index tokens, const TaskModel& model) {
    if (tokens > most)
        throw Error({"read text for task " + model.task.id, "", "at most " + std::to_string(most) + " tokens",
                     std::to_string(tokens)});
}

std::vector<Index> numbers_of(const TaskModel& model, const Vocabulary& words, std::string_view text,
                              Side side) {
    const Tokens tokens = tokens_of(model.task, text, side);
    require_at_most(longest_text, std::ssize(tokens), model);  // before each is looked up
    return words.numbers(tokens);
}

}  // namespace

Prompt prompt(const TaskModel& model, std::string_view text) {
    const bool is_language_model = model.task.kind == TaskKind::language_model;
    Prompt made;
    made.given = {Vocabulary::begin};
    if (is_language_model && text.empty())
        return made;
    std::vector<Index>& to = model.is_one_text ? made.given : made.source;
    const Vocabulary& words = model.is_one_text ? model.target : model.source;
    const std::vector<Index> read = numbers_of(model, words, text, Side::source);
    to.insert(to.end(), read.begin(), read.end());
    if (model.is_one_text && !is_language_model)
        to.push_back(words.number(std::string(text_separator)));
    require_at_most(most_places(model, Side::source), std::ssize(made.source), model);
    require_at_most(most_places(model, Side::target), std::ssize(made.given), model);
    return made;
}

Index most_generated(const TaskModel& model, const Prompt& prompt) {
    const std::optional<Index> places = model.host->most_tokens().target;
    return places ? *places - (std::ssize(prompt.given) - 1) : longest_text;
}

void require_room(const TaskModel& model, const Prompt& prompt, Index said) {
    require_at_most(most_generated(model, prompt), said, model);
}

std::vector<Index> forced_tokens(const TaskModel& model, const Prompt& prompt, std::string_view text) {
    std::vector<Index> tokens = numbers_of(model, model.target, text, Side::target);
    if (!model.host->is_classifier())
        tokens.push_back(Vocabulary::end);
    else if (tokens.size() > 1)
        throw Error({"read text for task " + model.task.id, "", "one label",
                     std::to_string(tokens.size()) + " words"});
    require_room(model, prompt, std::ssize(tokens));
    return tokens;
}

void begin(Generation& generation, const Prompt& prompt) {
    for (const Index token : prompt.given)
        generation.read(token);
}

std::vector<Index> generate(const TaskModel& model, Generation& generation, Index longest,
                            const Sampling& sampling, std::uint64_t seed) {
    std::vector<Index> said;
    while (true) {
        const double chance = uniform(substream(seed, static_cast<std::uint64_t>(generation.steps().size())));
        said.push_back(choose(generation.steps().back().logits, sampling, chance));
        const bool is_over = said.back() == Vocabulary::end || model.host->is_classifier();
        if (is_over || std::ssize(said) >= longest)
            return said;
        generation.read(said.back());
    }
}

double force(Generation& generation, std::span<const Index> tokens) {
    double sum = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const GenerationStep& step = generation.steps().back();
        sum += step.ranking.log_probability(step.logits, tokens[i]);
        if (i + 1 < tokens.size())
            generation.read(tokens[i]);
    }
    return sum;
}

Index longest_answer(const TaskModel& model, const Prompt& prompt) {
    const Index longest = model.task.longest_target + 1;
    if (model.host->is_classifier())
        return 1;
    const Index wanted = model.task.kind == TaskKind::language_model
                             ? std::max<Index>(longest + 1 - std::ssize(prompt.given), 1)
                             : longest;
    return std::min(wanted, most_generated(model, prompt));
}

std::string text_of(const TaskModel& model, const Prompt& prompt, std::span<const Index> said) {
    std::vector<Index> tokens;
    if (model.task.kind == TaskKind::language_model)
        tokens.assign(prompt.given.begin() + 1, prompt.given.end());
    tokens.insert(tokens.end(), said.begin(), said.end());
    if (!tokens.empty() && tokens.back() == Vocabulary::end)
        tokens.pop_back();
    return text_of(model.task, model.target.words(tokens), Side::target);
}

GeneratedWords generated_words(const TaskModel& model, const Generation& generation,
                               std::span<const Index> said) {
    GeneratedWords words;
    words.source = model.source_names(generation.source());
    for (const GenerationStep& step : generation.steps())
        words.read.push_back(model.target.word(step.token));
    words.said.assign(words.read.begin() + 1, words.read.end());
    words.said.push_back(model.target.word(said.back()));
    return words;
}

}  // namespace headlight
