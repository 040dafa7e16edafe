#pragma once

#include "core/tensor/tensor.h"

#include <memory>

namespace headlight {

/// The matrix products of multi-head attention in float and nothing between them, by Eigen with all its
/// threads: what the engine's time is compared with. Projections are shared out by Eigen, heads one to a
/// thread: its best here.
class EigenProducts {
public:
    EigenProducts(Index tokens, Index width, Index heads);
    ~EigenProducts();
    void run();

private:
    struct Matrices;
    std::unique_ptr<Matrices> matrices_;
};

}  // namespace headlight
