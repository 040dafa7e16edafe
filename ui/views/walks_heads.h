#pragma once

namespace headlight {

/// A widget in which Up and Down move between heads in an order of its own: the player leaves them to it.
class WalksHeads {
public:
    WalksHeads() = default;
    WalksHeads(const WalksHeads&) = delete;
    WalksHeads& operator=(const WalksHeads&) = delete;
    virtual ~WalksHeads() = default;
};

}  // namespace headlight
