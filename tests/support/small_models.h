#pragma once

// Models of every kind, too small to be good at anything.

#include "core/model/recipe.h"
#include "core/model/trained_model.h"

#include <gtest/gtest.h>

#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace headlight::test {

struct SmallModel {
    const char* name;
    const char* task;
    HostType host;
    const char* attention = "";
    const char* second = "";  ///< of the second layer, where layers differ
    bool shares = false;      ///< which has the keys and values of the first

    auto fields() const {
        return std::tuple(std::string_view(name), std::string_view(task), host, std::string_view(attention),
                          std::string_view(second), shares);
    }
    bool operator<(const SmallModel& other) const { return fields() < other.fields(); }
};
inline void PrintTo(const SmallModel& model, std::ostream* out) { *out << model.name; }

inline constexpr SmallModel small_models[] = {
    {"bahdanau", "dates", HostType::gru},
    {"luong of lstm", "copy", HostType::lstm, "general"},
    {"dot of rnn", "reverse", HostType::rnn, "dot"},
    {"transformer", "translate", HostType::transformer},
    {"gpt that reads one text", "sort", HostType::gpt},
    {"language model", "stories", HostType::gpt},
    {"classifier", "brackets", HostType::encoder},
    {"hard attention", "copy", HostType::gru, "hard"},
    {"local attention", "reverse", HostType::gru, "local_p"},
    {"sparse transformer", "copy", HostType::transformer, "sparsemax"},
    {"additive transformer", "copy", HostType::transformer, "additive"},
    {"state space", "sort", HostType::gpt, "mamba2"},
    {"grouped heads", "copy", HostType::transformer, "grouped_query"},
    {"pooled keys", "brackets", HostType::encoder, "linformer"},
    {"layers that differ", "sort", HostType::gpt, "window", "mamba2"},
    {"heads of gru", "copy", HostType::gru, "multi_head"},
    {"layers that share keys", "sort", HostType::gpt, "grouped_query", "grouped_query", true},
    {"pointer network", "reverse", HostType::pointer},
    {"layers of lstm", "copy", HostType::gnmt},
    {"turns", "copy", HostType::universal},
    {"convolutions", "reverse", HostType::convolutional},
    {"segments", "sort", HostType::xl},
    {"segments of a window", "sort", HostType::xl, "window"},
    {"two streams", "sort", HostType::two_stream},
    {"a set", "distinct", HostType::set},
    {"points of a set", "distinct", HostType::set, "inducing_points"},
    {"slots", "distinct", HostType::slot_attention},
    {"words and sentences", "reviews", HostType::hierarchical},
    {"a question and its text", "whereabouts", HostType::coattention},
    {"triangles", "distances", HostType::triangles},
    {"patches of a picture", "race", HostType::vision},
    {"an encoder whose layers share keys", "brackets", HostType::encoder, "window", "scaled_dot_product",
     true},
    {"listener", "speech", HostType::gru, "location_aware"},
};

inline TrainingSettings small_settings(const SmallModel& model, Index steps = 6) {
    Recipe recipe;
    recipe.task = model.task;
    recipe.host = model.host;
    if (*model.second) {
        recipe.attentions.all = {LayerAttention{model.attention}, LayerAttention{model.second}};
        if (model.shares)
            recipe.attentions.all.back().shares = 0;
    } else {
        recipe.attention = model.attention;
    }
    recipe.width = 8;
    recipe.steps = steps;
    recipe.seed = 3;
    TrainingSettings settings = prepare(recipe).settings;
    settings.batch = 8;
    return settings;
}

/// After so many steps. Many rows ask for the same: it learns once.
inline const TrainedModel& small_trained(const SmallModel& model, Index steps = 2) {
    static std::map<std::pair<SmallModel, Index>, TrainedModel> kept;
    const auto found = kept.find({model, steps});
    if (found != kept.end())
        return found->second;
    Training training(small_settings(model));
    for (Index i = 0; i < steps; ++i)
        training.step();
    return kept.emplace(std::pair(model, steps), trained_model(training, {0.25, 8})).first->second;
}

}  // namespace headlight::test
