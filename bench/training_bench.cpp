// Steps of training a second, of the two models that compare_training.py also trains with PyTorch, or of that
// Transformer with a mechanism of the catalogue, which learns by its program, or of one of the two with
// another score or normaliser, which learns by its definition.
//
//     training_bench gru|transformer|ID [STEPS [WORD]]
//
// One line: steps per second of the fastest tenth of the steps, then of all.

#include "core/attention/spec_words.h"
#include "core/catalog/mechanism.h"
#include "core/model/learner.h"
#include "core/model/mechanism_site.h"
#include "core/model/model_spec.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace headlight;

namespace {

constexpr Index batch = 64, length = 20, vocabulary = 100, width = 128, parts = 2;

Index token(Index sequence, Index place) {
    const std::uint64_t bits =
        substream(substream(1, static_cast<std::uint64_t>(sequence)), static_cast<std::uint64_t>(place));
    return static_cast<Index>(uniform(bits) * static_cast<double>(vocabulary));
}

/// To say a text backward: what it is does not matter to the time.
Batch reversals(Index part) {
    std::vector<std::vector<Index>> sources, inputs, labels;
    for (Index i = 0; i < batch / parts; ++i) {
        std::vector<Index> source, input{0}, label;
        for (Index t = 0; t < length; ++t)
            source.push_back(token(part * batch / parts + i, t));
        label.assign(source.rbegin(), source.rend());
        input.insert(input.end(), label.begin(), label.end() - 1);
        sources.push_back(source);
        inputs.push_back(input);
        labels.push_back(label);
    }
    return {side_by_side(sources), side_by_side(inputs), side_by_side(labels)};
}

/// Puts the score or the normaliser of this word, unless there is none, in the place of the one that is
/// there.
bool replace_part(std::string_view word, auto& configuration) {
    if (const auto score = value_of<ScoreType>(word))
        configuration.score.type = *score;
    else if (const auto normalizer = value_of<NormalizerType>(word))
        configuration.normalizer.type = *normalizer;
    else
        return word.empty();
    return true;
}

std::unique_ptr<Host> model(std::string_view name, std::string_view part) {
    if (name == "gru") {
        RecurrentConfiguration gru;
        gru.source_vocabulary = gru.target_vocabulary = vocabulary;
        gru.embedding = gru.width = width;
        gru.score.type = ScoreType::additive;
        return replace_part(part, gru) ? make_host(gru) : nullptr;
    }
    TransformerConfiguration transformer;
    if (!replace_part(part, transformer))
        return nullptr;
    transformer.source_vocabulary = transformer.target_vocabulary = vocabulary;
    transformer.width = width;
    if (const Mechanism* mechanism = find_mechanism(name))
        transformer.set_mechanism(with_heads(build_spec(*mechanism, {}), transformer.heads));
    else if (name != "transformer")
        return nullptr;
    return make_host(transformer);
}

}  // namespace

int main(int count, char** arguments) {
    const auto host = model(count > 1 ? arguments[1] : "", count > 3 ? arguments[3] : "");
    if (!host) {
        std::fprintf(stderr, "usage: training_bench gru|transformer|ID [STEPS [WORD]]\n");
        return 2;
    }
    const int steps = count > 2 ? std::atoi(arguments[2]) : 100;
    Learner learner(host->layout(), 1);
    std::vector<Batch> batches;
    for (Index part = 0; part < parts; ++part)
        batches.push_back(reversals(part));
    const auto loss = [&](nn::Tape<float>& tape, Index part) {
        return host->loss(tape, batches[static_cast<std::size_t>(part)], static_cast<float>(batch * length),
                          0);
    };
    using Clock = std::chrono::steady_clock;
    std::vector<double> seconds;
    for (int step = 0; step < steps; ++step) {
        const auto start = Clock::now();
        learner.step(parts, loss, 1e-3);
        seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    }
    double sum = 0;
    for (const double each : seconds)
        sum += each;
    std::ranges::sort(seconds);
    std::printf("%.2f %.2f\n", 1 / seconds[seconds.size() / 10], static_cast<double>(seconds.size()) / sum);
}
