#pragma once

#include "core/attention/spec.h"
#include "core/model/source_vectors.h"

namespace headlight {

/// What every model says of itself, whatever makes its queries.
struct CommonSettings {
    Index source_vocabulary = 0;  ///< 0: it reads no source
    Index target_vocabulary = 0;  ///< of one that says a label: the labels
    Index width = 128;            ///< of the vectors that ask
    Score score;                  ///< which there can be is the family's to say
    Normalizer normalizer;        ///< the same
    SourceFrames frames{};  ///< of a task whose sources are heard or seen; the task's, as vocabularies are
    Index longest = 128;    ///< learned places and scores by place: how many there are
};

}  // namespace headlight
