#include "core/io/json_document.h"

namespace headlight {

using nlohmann::json;

void JsonDocument::clear(json& value) noexcept {
    // nlohmann's destructor allocates nothing for a value without children.
    if (auto* list = value.get_ptr<json::array_t*>()) {
        for (json& each : *list)
            clear(each);
        list->clear();
    } else if (auto* object = value.get_ptr<json::object_t*>()) {
        for (auto& [name, each] : *object)
            clear(each);
        object->clear();
    }
}

}  // namespace headlight
