#include "core/io/lesson_place.h"

#include "core/attention/json_object.h"

namespace headlight {

nlohmann::json to_json(const LessonPlace& place) {
    return {{"name", place.lesson}, {"step", place.step + 1}, {"part", place.state + 1}};
}

LessonPlace lesson_place_from_json(const nlohmann::json& value, const std::string& pointer) {
    constexpr Index most = 1'000'000;  // the lesson says how many it has
    JsonObject object(value, "read session", pointer);
    LessonPlace place{.lesson = object.text("name", {})};
    if (place.lesson.empty())
        object.refuse("name", "the name or the folder of a lesson", "none");
    place.step = static_cast<std::size_t>(object.integer("step", 1, 1, most) - 1);
    place.state = static_cast<std::size_t>(object.integer("part", 1, 1, most) - 1);
    return place;
}

}  // namespace headlight
