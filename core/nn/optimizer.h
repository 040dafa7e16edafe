#pragma once

#include "core/tensor/tensor.h"

#include <span>
#include <vector>

namespace headlight::nn {

/// How the learning rate goes over the steps of training.
struct Schedule {
    enum class Shape {
        constant,
        linear,        ///< down to 0 at the last step
        cosine,        ///< half a cosine wave down to 0 at the last step  (Loshchilov & Hutter 2017, eq. 5)
        inverse_root,  ///< peak sqrt(warm-up / step)                      (Vaswani et al. 2017, eq. 3)
    };
    Shape shape = Shape::constant;
    double peak = 1e-3;  ///< the rate at the end of the warm-up
    Index warm_up = 0;   ///< steps in which it grows from 0 to the peak
    Index steps = 0;     ///< of the whole training: linear and cosine

    /// Returns the learning rate of step 1, 2, ...
    double rate(Index step) const;
    bool operator==(const Schedule&) const = default;
};

struct AdamOptions {
    double first_decay = 0.9;
    double second_decay = 0.999;
    double epsilon = 1e-8;
    double weight_decay = 0;  ///< not through the gradient: what is called AdamW (Loshchilov & Hutter 2019)
    double clip = 0;  ///< gradients longer than this are shortened to it (Pascanu et al. 2013); 0: never
    bool operator==(const AdamOptions&) const = default;
};

/// Adam (Kingma & Ba 2015, algorithm 1) over the flat weights of a model. Its state is what a checkpoint
/// keeps of it.
template <class Real>
class Adam {
public:
    explicit Adam(Index size, AdamOptions options = {});

    /// One step, the same on any number of threads.
    void step(std::span<Real> weights, std::span<const Real> gradient, double rate, int threads = 1);

    struct Moments {
        std::vector<Real> first;
        std::vector<Real> second;
        Index steps = 0;
        bool operator==(const Moments&) const = default;
    };
    const Moments& moments() const { return moments_; }
    void set_moments(Moments moments) { moments_ = std::move(moments); }

private:
    AdamOptions options_;
    Moments moments_;
};

extern template class Adam<float>;
extern template class Adam<double>;

}  // namespace headlight::nn
