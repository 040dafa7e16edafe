#include "core/io/model_title.h"

#include "core/io/json_text.h"
#include "core/io/model_json.h"
#include "core/model/tasks/task.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <tuple>

namespace headlight {
namespace {

/// "slot attention"
std::string what_pools(const AttentionSpec& spec) {
    if (spec.algorithm.type == AlgorithmType::hierarchical_pooling)
        return "hierarchical attention (HAN)";
    std::string algorithm = to_word(spec.algorithm.type);
    std::ranges::replace(algorithm, '_', ' ');
    return algorithm;
}

bool attends_to_triangles(const LayerSpec& layer) {
    return layer.mechanism && layer.mechanism->algorithm.type == AlgorithmType::triangle;
}

std::string what_attends(const TransformerConfiguration& configuration) {
    const std::string turns =
        configuration.turns > 1 ? ", " + std::to_string(configuration.turns) + " turns" : "";
    switch (configuration.kind) {
    case TransformerKind::decoder:
        return (configuration.segment > 0 ? "Transformer-XL" : "decoder-only Transformer (GPT)") + turns;
    case TransformerKind::encoder:
        if (configuration.asked_text)
            return "co-attention (BiDAF)" + turns;
        if (configuration.pooling_mechanism)
            return what_pools(*configuration.pooling_mechanism) + turns;
        if (configuration.pooling == Pooling::mean)
            return "Transformer encoder (BERT)" + turns;
        return (std::ranges::all_of(configuration.encoder, attends_to_triangles)
                    ? "triangle attention (AlphaFold)"
                    : "Set Transformer") +
               turns;
    case TransformerKind::encoder_decoder:
        break;
    }
    if (configuration.mixer == Mixer::convolution)
        return "convolutions with attention (Gehring)" + turns;
    return configuration.turns > 1 ? "Universal Transformer" : "Transformer";
}

std::string what_attends(const RecurrentConfiguration& configuration) {
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

TrainingSettings settings_of(const ShippedModel& model) {
    return training_settings_from_json(parse_json(model.config, {.place = std::string(model.name)}));
}

}  // namespace

std::string model_title(const TrainingSettings& settings) {
    return task(settings.task).name + ", " +
           std::visit([](const auto& configuration) { return what_attends(configuration); }, settings.model);
}

std::string model_title(const std::string& name_or_folder) {
    const auto shipped = std::ranges::find(shipped_models(), name_or_folder, &ShippedModel::name);
    if (shipped != shipped_models().end())
        return model_title(settings_of(*shipped));
    const std::string whole =
        name_or_folder.ends_with('/') ? name_or_folder.substr(0, name_or_folder.size() - 1) : name_or_folder;
    return whole.substr(whole.rfind('/') + 1);
}

std::vector<ShippedModel> listed_models() {
    struct Row {
        bool reads_letters = false;
        int order = 0;
        bool is_transformer = false;  ///< what one reads a word at a time is the easier picture
        std::string title;
        ShippedModel model;
    };
    std::vector<Row> rows;
    for (const ShippedModel& model : shipped_models()) {
        const TrainingSettings settings = settings_of(model);
        const Task& learned = task(settings.task);
        rows.push_back({learned.source_writing == Writing::characters, learned.order,
                        !settings.model.is_recurrent(), model_title(settings), model});
    }
    std::ranges::sort(rows, {}, [](const Row& row) {
        return std::tie(row.reads_letters, row.order, row.is_transformer, row.title);
    });
    std::vector<ShippedModel> all;
    for (const Row& row : rows)
        all.push_back(row.model);
    return all;
}

}  // namespace headlight
