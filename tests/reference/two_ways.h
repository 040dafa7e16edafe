#pragma once

#include "tests/reference/attention.h"

#include <string>

// What reads one map in both directions, and texts that are compared with themselves, shifted.
namespace headlight::reference {

/// Both directions of one map, side by side, through a matrix: "bidaf" [x; o; x o; x h] (Seo et al. 2017), h
/// the queries by a softmax of the largest score of each; "dcn" [x; o; A C] (Xiong et al. 2017), C the
/// queries by a softmax of each column; "esim" relu of [x; o; x - o; x o] (Chen et al. 2017).
struct CoAttention {
    std::string kind;
    Matrix scores, weights;  ///< [n, m]
    Allowed reachable;
    Matrix W;
    Row b;
};
Matrix co_attention(const Matrix& x, const Matrix& output, const CoAttention& given);

/// sum over the `kept` largest R of softmax(R)_lag v_(t + lag), R_lag = sum_t q_t . k_(t - lag) / length,
/// around the end of the text (Wu et al. 2021, equations 5 and 6).
HeadResult autocorrelation(const Head& head, std::size_t kept, Number length);

}  // namespace headlight::reference
