#pragma once

#include <unistd.h>
#include <utility>

namespace headlight {

/// A file descriptor that closes itself.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }
    /// The number; whoever gets it closes it.
    int release() { return std::exchange(number_, -1); }
    /// False when the system could not keep what was written.
    bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

private:
    int number_;
};

}  // namespace headlight
