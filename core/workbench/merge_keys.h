#pragma once

#include <chrono>
#include <string>

namespace headlight {

/// Which edits with one merge key belong together: those that were made in one go. A history compares an edit
/// with the last step alone, which may be of an hour ago. Plain logic; the time of each edit is an argument.
class MergeKeys {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// The longest pause between two edits of one step.
    static constexpr std::chrono::milliseconds longest_pause{3000};

    /// The key that an edit with the merge key `key` has at the time `now`: that of the edit before where
    /// both are of one go, else one that no edit has had. A gesture is one step however long it lasts, and an
    /// edit without a key stays without: both keep theirs.
    std::string key_of(const std::string& key, Time now);
    /// Something else was done, such as undo or a look elsewhere: another go begins with the next edit.
    void part() { last_key_.clear(); }

private:
    std::string last_key_;  ///< of the edit before; empty where no edit can belong to it
    Time last_edit_{};
    int go_ = 0;
};

}  // namespace headlight
