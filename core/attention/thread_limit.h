#pragma once

namespace headlight {

/// While it lasts, what this thread shares out goes to fewer threads, itself among them: others are left
/// their cores.
class ThreadLimit {
public:
    /// At most so many, and at least one.
    explicit ThreadLimit(int most);
    /// As many as there would be, but `cores`.
    static ThreadLimit leaving(int cores);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

private:
    int before_;
};

}  // namespace headlight
