#include "core/workbench/edit.h"

#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdint>

namespace headlight {
namespace {

constexpr char gesture_sign = '#';  // which the key of nothing else has

}  // namespace

std::string typing_key(std::string_view what, std::string_view text) {
    const auto ends_a_word = [](char letter) { return letter == ' ' || letter == '\n'; };
    return std::string(what) + ':' + std::to_string(std::ranges::count_if(text, ends_a_word));
}

std::string gesture_key(std::string_view control, int gesture) {
    return std::string(control) + gesture_sign + std::to_string(gesture);
}

bool is_gesture_key(std::string_view key) { return key.find(gesture_sign) != std::string_view::npos; }

std::string in_lower_case(std::string_view words) {
    std::string lower;
    icu::UnicodeString::fromUTF8({words.data(), static_cast<std::int32_t>(words.size())})
        .toLower(icu::Locale::getRoot())
        .toUTF8String(lower);
    return lower;
}

}  // namespace headlight
