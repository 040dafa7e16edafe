#pragma once

#include "core/kernels/arithmetic.h"
#include "core/kernels/kernels.h"

namespace headlight {

/// The kernels of the processor for the numbers of graphs. While one lasts, operations on its thread take
/// them from it: to choose them asks the environment, which takes longer than many an operation.
class GraphKernels {
public:
    GraphKernels() {
        if (before_)
            return;
        const kernels::Level level = kernels::chosen_level();
        arithmetic_ = &kernels::arithmetic<double>(level);
        kernels_ = &kernels::table<double>(level);
    }
    ~GraphKernels() {
        if (!before_) {
            arithmetic_ = nullptr;
            kernels_ = nullptr;
        }
    }
    GraphKernels(const GraphKernels&) = delete;
    GraphKernels& operator=(const GraphKernels&) = delete;

private:
    friend const kernels::Arithmetic<double>& graph_arithmetic();
    friend const kernels::Table<double>& graph_kernels();

    static inline thread_local const kernels::Arithmetic<double>* arithmetic_ = nullptr;
    static inline thread_local const kernels::Table<double>* kernels_ = nullptr;
    const bool before_ = kernels_ != nullptr;  ///< another one lasts longer
};

inline const kernels::Arithmetic<double>& graph_arithmetic() {
    return GraphKernels::arithmetic_ ? *GraphKernels::arithmetic_ : kernels::chosen_arithmetic<double>();
}
inline const kernels::Table<double>& graph_kernels() {
    return GraphKernels::kernels_ ? *GraphKernels::kernels_ : kernels::table<double>(kernels::chosen_level());
}

}  // namespace headlight
