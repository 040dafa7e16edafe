#include "core/io/view_subject.h"

#include "core/figure/query_key_factors.h"

namespace headlight {

ViewSubject view_subject(const Session& session, const Trace* recorded) {
    return {.runs_mechanism = session.runs_mechanism(),
            .has_image = bool(session.sequence.image),
            .has_queries_and_keys = !recorded || has_queries_and_keys(*recorded)};
}

}  // namespace headlight
