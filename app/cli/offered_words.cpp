#include "app/cli/offered_words.h"

#include "core/attention/spec_words.h"
#include "core/catalog/mechanism.h"
#include "core/figure/colour.h"
#include "core/io/named_widths.h"
#include "core/io/shipped_models.h"
#include "core/lesson/shipped_lessons.h"
#include "core/model/tasks/task.h"

namespace headlight {
namespace {

template <class List, class Name>
std::vector<std::string> names_of(const List& list, Name name) {
    std::vector<std::string> names;
    names.reserve(std::size(list));
    for (const auto& each : list)
        names.emplace_back(each.*name);
    return names;
}

}  // namespace

std::vector<std::string> mechanism_ids() { return names_of(mechanisms(), &Mechanism::id); }
std::vector<std::string> model_names() { return names_of(shipped_models(), &ShippedModel::name); }
std::vector<std::string> task_ids() { return names_of(tasks(), &Task::id); }
std::vector<std::string> lesson_ids() { return names_of(shipped_lessons(), &Lesson::id); }
std::vector<std::string> colour_map_names() { return names_of(colour_maps(), &ColourMap::name); }
std::vector<std::string> width_names() { return names_of(named_widths(), &NamedWidth::name); }

std::vector<std::string> attention_names() {
    std::vector<std::string> names = spellings<ScoreType>();
    const std::vector<std::string> normalizers = spellings<NormalizerType>();
    names.insert(names.end(), normalizers.begin(), normalizers.end());
    return names;
}

}  // namespace headlight
