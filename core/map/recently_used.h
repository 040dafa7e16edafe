#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace headlight {

/// Values that were made and may be asked for again, up to a number of bytes: those that were used longest
/// ago go first, the newest stays however large it is. Threads may use it at the same time; who holds a value
/// keeps it.
template <class Key, class Value>
class RecentlyUsed {
public:
    explicit RecentlyUsed(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    /// Null when there is none, or none any more.
    std::shared_ptr<Value> find(const Key& key) {
        const std::lock_guard lock(mutex_);
        const auto known = by_key_.find(key);
        if (known == by_key_.end())
            return nullptr;
        entries_.splice(entries_.begin(), entries_, known->second);
        return known->second->value;
    }

    /// The value that is kept: `value`, or what another thread has kept under this key meanwhile.
    std::shared_ptr<Value> keep(const Key& key, std::shared_ptr<Value> value, std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        if (const auto known = by_key_.find(key); known != by_key_.end())
            return known->second->value;
        entries_.push_front({key, value, bytes});
        by_key_.emplace(key, entries_.begin());
        bytes_ += bytes;
        while (bytes_ > most_bytes_ && entries_.size() > 1) {
            bytes_ -= entries_.back().bytes;
            by_key_.erase(entries_.back().key);
            entries_.pop_back();
        }
        return value;
    }

    std::size_t bytes() const {
        const std::lock_guard lock(mutex_);
        return bytes_;
    }

private:
    struct Entry {
        Key key;
        std::shared_ptr<Value> value;
        std::size_t bytes;
    };

    std::size_t most_bytes_;
    mutable std::mutex mutex_;
    std::list<Entry> entries_;  ///< the last used first
    std::map<Key, typename std::list<Entry>::iterator> by_key_;
    std::size_t bytes_ = 0;
};

}  // namespace headlight
