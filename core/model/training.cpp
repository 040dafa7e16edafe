#include "core/model/training.h"

#include "core/attention/formula_causes.h"
#include "core/model/decoding.h"
#include "core/nn/graph_attention.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"
#include "core/tensor/memory.h"
#include "core/tensor/parallel.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

/// The words of one side; of both and the separator, when they are one text.
Vocabulary vocabulary_of(const Task& task, Side side, bool is_one_text) {
    if (task.kind == TaskKind::language_model)
        return Vocabulary(task.target_vocabulary);
    if (!is_one_text)
        return Vocabulary(side == Side::source ? task.source_vocabulary : task.target_vocabulary);
    Tokens words = task.target_vocabulary;
    for (const std::string& word : task.source_vocabulary)
        if (std::ranges::find(words, word) == words.end())
            words.push_back(word);
    words.emplace_back(text_separator);
    return Vocabulary(words);
}

/// A label is said by an encoder, and by nothing else; without a source there is nothing to encode.
void require_fit(const Task& task, const ModelSpec& spec) {
    const bool is_encoder = spec.says_label();
    const bool is_classification = task.kind == TaskKind::classification;
    const auto refuse = [&](const char* expected, const char* got) {
        throw Error({"make a model for task " + task.id, "", expected, got});
    };
    if (is_classification && !is_encoder)
        refuse("an encoder with a classifier", "a model that says a text");
    if (is_encoder && !is_classification)
        refuse("a model that says a text", "an encoder with a classifier");
    if (task.kind == TaskKind::language_model && !spec.reads_one_text())
        refuse("a decoder alone: the task has no source", "a model with an encoder");
    if (!task.sound.of)
        return;
    if (spec.reads_one_text())
        refuse("an encoder that hears the source", "a model that reads words alone");
    if (spec.quotes())
        refuse("a model that says words of its own: nothing heard is a word", "one that copies");
}

/// Returns the length of the longest sequence that a model reads at once, with the token that begins it.
Index longest_sequence(const Task& task, bool is_one_text) {
    return 1 + (is_one_text ? task.longest_source + 1 + task.longest_target
                            : std::max(task.longest_source, task.longest_target));
}

}  // namespace

TaskModel::TaskModel(const Task& its_task, const ModelSpec& spec)
    : TaskModel(its_task, spec, vocabulary_of(its_task, Side::source, spec.reads_one_text()),
                vocabulary_of(its_task, Side::target, spec.reads_one_text())) {}

TaskModel::TaskModel(const Task& its_task, ModelSpec spec, Vocabulary its_source, Vocabulary its_target)
    : task(its_task), is_one_text(spec.reads_one_text()), source(std::move(its_source)),
      target(std::move(its_target)), configuration(std::move(spec)) {
    require_fit(task, configuration);
    CommonSettings& common = configuration.common();
    common.source_vocabulary = source.size();
    common.target_vocabulary = target.size();
    common.frames = perceived();
    common.longest = std::max(common.longest, longest_sequence(task, is_one_text));
    if (configuration.quotes())
        configuration.quote_words_as(as_target_words());
    host = make_host(configuration);
}

Tokens TaskModel::source_names(std::span<const Index> tokens) const {
    if (task.sound.of)
        return task.sound.times(std::ssize(tokens));
    const Tokens words = source.words(tokens);
    if (task.sight)
        return task.sight.names(words);
    return task.points > 0 ? names_of_pairs(words, task.points) : words;
}

PatchedPicture TaskModel::picture(std::span<const Index> tokens) const {
    return task.sight ? task.sight.picture(source.words(tokens)) : PatchedPicture();
}

SourceFrames TaskModel::perceived() const {
    if (task.sight)  // each word always looks the same
        return {Sight::numbers(), [seen = task.sight.patches(source.words())](std::span<const Index> tokens) {
                    FloatTensor patches({std::ssize(tokens), Sight::numbers()});
                    for (Index patch = 0; patch < patches.rows(); ++patch)
                        std::ranges::copy(seen.row(tokens[static_cast<std::size_t>(patch)]),
                                          patches.row(patch).begin());
                    return patches;
                }};
    if (!task.sound.of)
        return {};
    return {task.sound.bands, [of = task.sound.of, words = source](std::span<const Index> tokens) {
                return of(words.words(tokens));
            }};
}

std::vector<Index> TaskModel::as_target_words() const {
    std::vector<Index> numbers;
    for (const std::string& word : source.words()) {
        const auto found = std::ranges::find(target.words(), word);
        numbers.push_back(found == target.words().end() ? Sequences::none : found - target.words().begin());
    }
    return numbers;
}

Example TaskModel::prepared(const Example& example) const {
    return is_one_text && task.kind == TaskKind::translation ? as_one_text(example) : example;
}

Batch TaskModel::batch(std::span<const Example> examples) const {
    std::vector<std::vector<Index>> sources, inputs, labels;
    for (const Example& raw : examples) {
        const Example each = prepared(raw);
        sources.push_back(source.numbers(each.source));
        std::vector<Index> text = target.numbers(each.target);
        if (host->is_classifier()) {
            labels.push_back(text);
            continue;
        }
        std::vector<Index> label = text;
        label.push_back(Vocabulary::end);
        // What is given of "sort: b a => a b" cannot be learned; what is given of a story can.
        if (is_one_text && task.kind == TaskKind::translation)
            std::fill_n(label.begin(), each.given, Sequences::none);
        text.insert(text.begin(), Vocabulary::begin);
        inputs.push_back(std::move(text));
        labels.push_back(std::move(label));
    }
    return {side_by_side(sources), side_by_side(inputs), side_by_side(labels)};
}

Tokens TaskModel::expected(const Example& example) const {
    const Example each = prepared(example);
    return {each.target.begin() + each.given, each.target.end()};
}

Index TaskModel::right_answers(std::span<const float> weights, std::span<const Example> examples) const {
    const Batch all = batch(examples);
    const auto decoding = host->read(weights, all.source, nullptr);
    DecodingState state = decoding->start();
    const FloatTensor logits =
        host->is_classifier() ? decoding->next(state, {}, nullptr) : decoding->read(state, all.inputs);
    Index right = 0;
    for (Index i = 0; i < std::ssize(examples); ++i) {
        const auto is_said = [&](Index step) {
            const Index row = step * all.labels.batch + i;
            const Index label = all.labels.tokens[static_cast<std::size_t>(row)];
            return label == Sequences::none || likeliest(logits.row(row)) == label;
        };
        Index step = examples[static_cast<std::size_t>(i)].given;
        while (step < all.labels.steps && is_said(step))
            ++step;
        right += step == all.labels.steps ? 1 : 0;
    }
    return right;
}

namespace {

/// Refuses weights that the machine has no memory for, before there is any of them.
const nn::ParameterLayout& affordable(const nn::ParameterLayout& layout, Index parts) {
    require_memory("train", "weights", Learner::weights_memory(layout.size(), parts),
                   ", of " + std::to_string(layout.size()) + " weights");
    return layout;
}

/// Those that layers attend by.
std::vector<std::shared_ptr<const TypedFormula>> formulas_of(const ModelSpec& model) {
    std::vector<const AttentionSpec*> attended{model.mechanism()};
    if (const auto* layers = std::get_if<TransformerConfiguration>(&model))
        for (const auto* stack : {&layers->encoder, &layers->decoder})
            for (const LayerSpec& layer : *stack)
                attended.push_back(layer.mechanism ? &*layer.mechanism : nullptr);
    std::vector<std::shared_ptr<const TypedFormula>> formulas;
    for (const AttentionSpec* spec : attended)
        if (auto formula = spec ? typed_formula(*spec) : nullptr)
            formulas.push_back(std::move(formula));
    return formulas;
}

/// What may have made no number in one of them; empty where nothing is known to.
std::string infinite_in_one_of(const std::vector<std::shared_ptr<const TypedFormula>>& formulas) {
    for (const auto& formula : formulas)
        if (std::string causes = infinite_in(*formula); !causes.empty())
            return causes;
    return {};
}

}  // namespace

Training::Training(const TrainingSettings& settings)
    : settings_(settings), model_(headlight::task(settings.task), settings.model),
      learner_(affordable(model_.host->layout(), settings.parts), settings.seed, settings.adam) {}

double Training::step() {
    std::vector<Batch> parts;
    Index labels = 0;
    for (Index part = 0; part < settings_.parts; ++part) {
        const Index first = part * settings_.batch / settings_.parts;
        const Index last = (part + 1) * settings_.batch / settings_.parts;
        std::vector<Example> examples;
        for (Index i = first; i < last; ++i)
            examples.push_back(
                example(model_.task, settings_.seed, step_ * settings_.batch + i, Split::training));
        parts.push_back(model_.batch(examples));
        labels += std::ranges::count_if(parts.back().labels.tokens, [](Index label) { return label >= 0; });
    }
    const Index next = step_ + 1;
    const auto divisor = static_cast<float>(labels);
    const std::uint64_t stream = substream(settings_.seed, static_cast<std::uint64_t>(next));
    const auto loss = [&](nn::Tape<float>& tape, Index part) {
        return model_.host->loss(tape, parts[static_cast<std::size_t>(part)], divisor,
                                 substream(stream, static_cast<std::uint64_t>(part)));
    };
    const auto formulas = formulas_of(settings_.model);
    std::vector<float> before;  // what a formula has made no number of
    if (!formulas.empty())
        before.assign(learner_.weights().begin(), learner_.weights().end());
    const double sum = learner_.step(settings_.parts, loss, settings_.schedule.rate(next));
    step_ = next;
    if (!std::isfinite(sum)) {
        const std::string line = formulas.empty() ? std::string() : infinite_line(before, loss);
        const std::string perhaps = line.empty() ? infinite_in_one_of(formulas) : std::string();
        throw Error({"train", "step " + std::to_string(step_), "a loss that is a number",
                     "none: the training has diverged" +
                         (!line.empty()     ? ", by what its formula has: " + line
                          : perhaps.empty() ? ""
                                            : ", perhaps by what its formula has: " + perhaps)});
    }
    return sum;
}

std::string Training::infinite_line(std::span<const float> weights, const Learner::Loss& loss) {
    learner_.rest();
    const Interruption none(nullptr);
    const nn::InfiniteLine line;
    for (Index part = 0; part < settings_.parts && line.causes().empty(); ++part) {
        nn::Tape<float> tape(weights);
        loss(tape, part);
    }
    return line.causes();
}

TrainingState Training::checkpoint() const {
    return {step_, {learner_.weights().begin(), learner_.weights().end()}, learner_.optimizer().moments()};
}

void Training::resume(TrainingState state) {
    const std::size_t count = learner_.weights().size();
    for (const std::size_t each :
         {state.weights.size(), state.moments.first.size(), state.moments.second.size()})
        if (each != count)
            throw Error(
                {"resume a training run", "", std::to_string(count) + " weights", std::to_string(each)});
    step_ = state.steps;
    learner_.set_weights(state.weights);
    learner_.optimizer().set_moments(std::move(state.moments));
}

double Training::exact_match_rate(Index count) const {
    return headlight::exact_match_rate(model_, learner_.weights(), settings_.seed, count, settings_.parts);
}

double exact_match_rate(const TaskModel& model, std::span<const float> weights, std::uint64_t seed,
                        Index count, Index threads) {
    constexpr Index batch = 64;
    std::vector<Index> right(static_cast<std::size_t>(parts_of_size(count, batch)));
    parallel_for(std::ssize(right), static_cast<int>(threads), [&](Index number, int) {
        std::vector<Example> examples;
        for (Index i = number * batch; i < std::min(count, (number + 1) * batch); ++i)
            examples.push_back(example(model.task, seed, i, Split::held_out));
        right[static_cast<std::size_t>(number)] = model.right_answers(weights, examples);
    });
    Index sum = 0;
    for (const Index each : right)
        sum += each;
    return static_cast<double>(sum) / static_cast<double>(count);
}

}  // namespace headlight
