#include "core/io/view_subject.h"

#include "core/figure/query_key_factors.h"
#include "core/io/seen_picture.h"
#include "core/io/shipped_models.h"

namespace headlight {
namespace {

/// Nobody knows it of a model in a folder before that has said something.
bool may_see(const SessionModel& model) {
    const ShippedModel* shipped = find_shipped_model(model.name);
    return !shipped || shipped->sees;
}

bool has_image(const Session& session, const Transcript* said) {
    return session.model && !said ? may_see(*session.model) : bool(seen_picture(session, said));
}

}  // namespace

ViewSubject view_subject(const Session& session, const Trace* recorded, const Transcript* said) {
    return {.runs_mechanism = session.runs_mechanism(),
            .has_image = has_image(session, said),
            .has_queries_and_keys = !recorded || has_queries_and_keys(*recorded)};
}

}  // namespace headlight
