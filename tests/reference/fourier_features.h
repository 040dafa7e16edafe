#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct FourierFeatures {
    Matrix directions;  ///< [D, d]
    Row gate_numbers;   ///< of each key, before their sigmoid; none: nothing fades
};
/// Shares of the mean of cos(w . (q - k)) over the directions w, q and k of length 1 (Peng et al. 2021): the
/// products of sines and of cosines, added up. With gates g times (1 - g) of the key and the gates of all
/// keys after it up to the last one that the query sees, but for those that no query sees.
HeadResult fourier_features(const Head& head, const FourierFeatures& rule);

}  // namespace headlight::reference
