#include "core/io/model_title.h"

#include "core/attention/component.h"
#include "core/catalog/mechanism.h"
#include "core/figure/view_titles.h"
#include "core/io/shipped_models.h"
#include "core/model/tasks/task.h"
#include "core/model/triangle_layers.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <cctype>
#include <variant>

namespace headlight {
namespace {

/// What tells a mechanism of the catalogue from the others, whatever it looks at and with how many heads: an
/// algorithm, else what weighs.
AttentionSpec bare(const AttentionSpec& spec) {
    AttentionSpec kept;
    kept.algorithm.type = spec.algorithm.type;
    if (spec.algorithm.type == AlgorithmType::composed) {
        const AttentionSpec whole = complete_spec(spec);
        kept.score = whole.score;
        kept.position = whole.position;
        kept.selection = whole.selection;
        kept.normalizer = whole.normalizer;
    }
    return kept;
}

/// "co-attention (BiDAF)" of "co-attention (BiDAF, DCN, ESIM)", where the option `kind` is "bidaf".
std::string with_kind_alone(const std::string& name, const AttentionSpec& spec) {
    const Options options = complete_spec(spec).algorithm.options;
    const auto kind = options.find("kind");
    if (kind == options.end() || !std::holds_alternative<std::string>(kind->second))
        return name;
    const std::string& word = std::get<std::string>(kind->second);
    const auto open = std::find(name.begin(), name.end(), '(');
    const auto its = std::search(open, name.end(), word.begin(), word.end(), [](char in_name, char in_word) {
        return std::tolower(static_cast<unsigned char>(in_name)) == in_word;
    });
    if (its == name.end())
        return name;
    return std::string(name.begin(), open) + '(' + std::string(its, its + std::ssize(word)) + ')';
}

/// What the catalogue calls it, the first in its order; of what it does not have, the algorithm's or the
/// score's own word.
std::string called(const AttentionSpec& spec) {
    const AttentionSpec wanted = bare(spec);
    const auto is_it = [&](const Mechanism& each) { return bare(build_spec(each, {})) == wanted; };
    // Most are called as their algorithm is: the catalogue need not be read for them.
    const Mechanism* found = find_mechanism(to_word(spec.algorithm.type));
    if (!found || !is_it(*found)) {
        const auto listed = std::ranges::find_if(mechanisms(), is_it);
        found = listed == mechanisms().end() ? nullptr : &*listed;
    }
    if (found)
        return with_kind_alone(in_a_sentence(found->name), spec);
    const bool is_composed = spec.algorithm.type == AlgorithmType::composed;
    std::string word = is_composed ? to_word(spec.score.type) : to_word(spec.algorithm.type);
    std::ranges::replace(word, '_', ' ');
    return is_composed ? word + " attention" : word;
}

/// `sees`: its sources are pictures.
std::string what_attends(const TransformerConfiguration& configuration, bool sees) {
    const std::string turns =
        configuration.turns > 1 ? ", " + std::to_string(configuration.turns) + " turns" : "";
    switch (configuration.kind) {
    case TransformerKind::decoder:
        if (configuration.two_streams)
            return "two streams (XLNet)" + turns;
        return (configuration.segment > 0 ? "Transformer-XL" : "decoder-only Transformer (GPT)") + turns;
    case TransformerKind::encoder:
        if (configuration.asked_text)
            return called(configuration.asked_text->mechanism) + turns;
        if (configuration.pooling_mechanism)
            return called(*configuration.pooling_mechanism) + turns;
        if (configuration.pooling == Pooling::mean)
            return "Transformer encoder (BERT)" + turns;
        if (!configuration.encoder.empty() &&
            std::ranges::all_of(configuration.encoder, attends_to_triangles))
            return called(*configuration.encoder.front().mechanism) + turns;
        return (sees ? "Vision Transformer (ViT)" : "Set Transformer") + turns;
    case TransformerKind::encoder_decoder:
        break;
    }
    if (configuration.mixer == Mixer::convolution)
        return "convolutions with attention (Gehring)" + turns;
    return configuration.turns > 1 ? "Universal Transformer" : "Transformer";
}

std::string what_attends(const RecurrentConfiguration& configuration, bool /*sees*/) {
    const char* decoder = configuration.style == DecoderStyle::luong      ? " (Luong)"
                          : configuration.style == DecoderStyle::bahdanau ? " (Bahdanau)"
                          : configuration.style == DecoderStyle::dense    ? " (no state)"
                                                                          : "";
    const std::string hops =
        configuration.hops > 1 ? ", " + std::to_string(configuration.hops) + " hops" : "";
    const std::string layers =
        configuration.layers > 1 ? ", " + std::to_string(configuration.layers) + " layers" : "";
    if (configuration.points)
        return "pointer network";
    if (configuration.mechanism)
        return std::string("recurrent encoder and decoder") + decoder + layers + hops;
    std::string score(to_word(configuration.score.type));
    std::ranges::replace(score, '_', ' ');
    const bool is_hard = configuration.normalizer.type == NormalizerType::hard;
    return (is_hard ? "hard " : "") + score + " attention" + decoder + layers + hops;
}

}  // namespace

std::string model_title(const TrainingSettings& settings) {
    const Task& learned = task(settings.task);
    return learned.name + ", " +
           std::visit(
               [&](const auto& configuration) { return what_attends(configuration, bool(learned.sight)); },
               settings.model);
}

std::string model_title(const std::string& name_or_folder) {
    if (const ShippedModel* shipped = find_shipped_model(name_or_folder))
        return std::string(shipped->title);
    const std::string whole =
        name_or_folder.ends_with('/') ? name_or_folder.substr(0, name_or_folder.size() - 1) : name_or_folder;
    return whole.substr(whole.rfind('/') + 1);
}

}  // namespace headlight
