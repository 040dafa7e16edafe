#include "core/io/shipped_models.h"

#include "core/io/model_folder.h"
#include "core/tensor/error.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <filesystem>

namespace headlight {

TrainedModel read_shipped_model(const ShippedModel& model) {
    try {
        return parse_model(model.config, model.weights, model.tokenizer, model.target_tokenizer);
    } catch (const Error& error) {
        throw error.within(std::string(model.name));
    }
}

TrainedModel open_model(const std::string& name_or_folder) {
    std::error_code ignored;
    if (std::filesystem::exists(name_or_folder, ignored))
        return read_model_folder(name_or_folder);
    std::vector<std::string> names;
    for (const ShippedModel& model : shipped_models()) {
        if (model.name == name_or_folder)
            return read_shipped_model(model);
        names.emplace_back(model.name);
    }
    std::string expected = "a folder that headlight train made";
    if (!names.empty())
        expected += ", or " + list_of(names);
    throw Error({"open model", "", expected, quoted_with_hint(excerpt(name_or_folder), names)});
}

bool is_missing(const std::string& name_or_folder) {
    std::error_code ignored;
    return std::ranges::count(shipped_models(), name_or_folder, &ShippedModel::name) == 0 &&
           !std::filesystem::is_directory(name_or_folder, ignored);
}

std::string whole_name(const std::string& name_or_folder) {
    std::error_code ignored;
    if (!std::filesystem::exists(name_or_folder, ignored))
        return name_or_folder;
    const std::filesystem::path path = std::filesystem::absolute(name_or_folder).lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).string();  // "mine/" is mine
}

}  // namespace headlight
