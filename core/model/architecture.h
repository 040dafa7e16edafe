#pragma once

#include "core/model/architecture_types.h"
#include "core/model/model_spec.h"
#include "core/tensor/words.h"

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace headlight {

/// What attends, by the name that people have for it: the files of core/model/architectures.
enum class HostType { HEADLIGHT_ARCHITECTURES };
template <>
std::span<const Word<HostType>> words();

struct Task;

/// What a host needs of a task, beside what its family reads and says.
struct TaskNeed {
    bool (*is_met)(const Task&);
    std::string_view lack;  ///< why a task without is not for it: "its source begins with no question"
};

/// A capture-free function that an architecture's `apply` holds.
template <class Configuration>
using Apply = void (*)(Configuration&);

/// A model as data: what tells the host of this name from others of its family, recurrent cells or layers
/// that attend. To add one is one file: architectures/gru.cpp defines `Architecture
/// declare_architecture_gru()`.
struct Architecture {
    HostType type = {};  ///< from the name of the file
    /// Among the others, in lists, of which the first that fits a task is proposed; without one behind all
    /// that have one.
    int order = std::numeric_limits<int>::max();
    std::string_view word = {};  ///< as files write it: the name of the file, unless it says another
    std::string_view meaning = {};
    std::variant<Apply<RecurrentConfiguration>, Apply<TransformerConfiguration>> apply = {};
    /// Before a person says otherwise; 0: what suits the task.
    Index layers = 0, turns = 0;
    Index segment = 0;  ///< 0: a text is read as one
    std::optional<TaskNeed> need{};
    /// Tells a Transformer what its task's sources are made of, where it reads that; else null.
    void (*read_task)(TransformerConfiguration&, const Task&) = nullptr;

    /// Makes a configuration of its family this one. Of the other family: std::bad_variant_access.
    template <class Configuration>
    void configure(Configuration& configuration) const {
        std::get<Apply<Configuration>>(apply)(configuration);
    }
    /// The model that it is, all else being standard: without the counts above, which a recipe can change.
    ModelSpec spec() const;
};

/// All, in their order.
std::span<const Architecture> architectures();
const Architecture& architecture(HostType host);

bool is_recurrent(HostType host);
bool is_transformer(HostType host);
/// It is recurrent and has words of its own, beside which it can say those of its source.
bool can_copy(HostType host);
/// Each of its layers may attend in a way of its own.
bool lists_layers(HostType host);
/// Its decoder attends to the text that it says in its order, and can read it in segments.
bool can_have_segments(HostType host);

/// The hosts that `are_so`, as an error or a help says them: "gru, lstm, rnn, gnmt or pointer".
std::string hosts_in_words(bool (*are_so)(HostType));

}  // namespace headlight
