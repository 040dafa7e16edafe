#include "core/workbench/merge_keys.h"

#include "core/workbench/edit.h"

#include <utility>

namespace headlight {

std::string MergeKeys::key_of(const std::string& key, Time now) {
    const bool goes_on = std::exchange(last_key_, key) == key && now - last_edit_ <= longest_pause;
    last_edit_ = now;
    if (key.empty() || is_gesture_key(key))
        return key;
    if (!goes_on)
        ++go_;
    return key + '@' + std::to_string(go_);
}

}  // namespace headlight
