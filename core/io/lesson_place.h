#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>

namespace headlight {

/// The place in a lesson at which a session is shown.
struct LessonPlace {
    std::string lesson;  ///< what open_lesson() takes: a name inside the program, or a folder. Empty for a
                         ///< lesson that is still being written, which is in no file that could be opened.
    std::size_t step = 0, state = 0;
    bool operator==(const LessonPlace&) const = default;
};

/// {"name": "softmax", "step": 2, "part": 1}: step and state are counted from 1.
nlohmann::json to_json(const LessonPlace& place);
/// Throws Error that names the field, which stands at `pointer` in the document of a session.
LessonPlace lesson_place_from_json(const nlohmann::json& value, const std::string& pointer);

}  // namespace headlight
