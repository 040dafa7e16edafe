#pragma once

// Lessons that tests write: steps as a lesson's document has them, and its text.

#include "core/lesson/lesson_file.h"

#include <string>

namespace headlight::written_lessons {

inline std::string document(const std::string& steps) {
    return R"({"format": "headlight-lesson/1", "order": 3, "minutes": 7, "steps": [)" + steps + "]}";
}

inline const std::string three_words =
    R"({"change": {"sequence": {"query_text": "king queen bread king", "vectors": {"dimension": 3}},)"
    R"( "view": {"selection": {"stage": "scores", "query": 1}}})";

inline Lesson lesson_of(const std::string& steps, const std::string& text) {
    return parse_lesson("mine", document(steps), text);
}

}  // namespace headlight::written_lessons
