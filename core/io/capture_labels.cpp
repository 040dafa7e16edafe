#include "core/io/capture_labels.h"

#include "core/attention/json_object.h"
#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/tensor/error.h"

namespace headlight {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* labels_document = "read labels of a capture";

CaptureLabels::Axes axes_from(JsonObject object) {
    CaptureLabels::Axes axes;
    axes.query = axes.key = object.texts("tokens");
    if (object.find("query_tokens") || object.find("key_tokens")) {
        axes.query = object.texts("query_tokens");
        axes.key = object.texts("key_tokens");
    }
    return axes;
}

/// As notebooks of bertviz say it.
std::map<std::string, CaptureLabels::Axes> views_from(JsonObject object) {
    std::map<std::string, CaptureLabels::Axes> views;
    const json* given = object.find("views");
    if (!given)
        return views;
    if (!given->is_object())
        object.refuse("views", "an object with the labels of each array", describe(*given));
    for (const auto& [name, value] : given->items()) {
        JsonObject view(value, labels_document, pointer_to(object.pointer("views"), name));
        views[name] = {view.texts("left_text"), view.texts("right_text")};
    }
    return views;
}

void require_one_each(const std::vector<std::string>& labels, Index extent, const std::string& axis,
                      const std::string& name) {
    if (!labels.empty() && std::ssize(labels) != extent)
        throw Error({labels_document, axis,
                     std::to_string(extent) + (extent == 1 ? " token" : " tokens") + ", as " +
                         (name.empty() ? "the array" : "array \"" + excerpt(name) + '"') + " has",
                     std::to_string(labels.size())});
}

}  // namespace

TokenLabels CaptureLabels::of(const std::string& name, const MapSource::Extents& extents) const {
    Axes axes = everywhere_;
    if (const auto own = by_name_.find(name); own != by_name_.end())
        axes = own->second;
    else if (by_name_.size() == 1 && everywhere_.query.empty() && everywhere_.key.empty())
        axes = by_name_.begin()->second;
    else if (name == "encoder" && !axes.key.empty())
        axes.query = axes.key;
    else if (name == "decoder" && !axes.query.empty())
        axes.key = axes.query;
    require_one_each(axes.query, extents.queries, "tokens of the queries", name);
    require_one_each(axes.key, extents.keys, "tokens of the keys", name);
    const bool is_one_text = name != "cross" && axes.key == axes.query;
    return {axes.query, is_one_text ? std::vector<std::string>() : axes.key, {}, {}};
}

CaptureLabels parse_capture_labels(std::string_view text) {
    const JsonDocument document = parse_json(text, {.repeated_fields = true});
    JsonObject object(*document, labels_document);
    return {axes_from(object), views_from(object)};
}

CaptureLabels labels_beside(const fs::path& capture) {
    fs::path path = capture;
    path.replace_extension(".json");
    std::error_code ignored;
    if (path == capture || !fs::exists(path, ignored))
        return {};
    return in_file(path.string(), [&] { return parse_capture_labels(read_document(path)); });
}

}  // namespace headlight
