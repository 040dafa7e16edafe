#include "core/io/view_subject.h"

#include "core/figure/query_key_factors.h"
#include "core/io/model_title.h"
#include "core/io/seen_picture.h"

#include <algorithm>

namespace headlight {
namespace {

/// Of a model in a folder nobody knows before it has said something.
bool may_see(const SessionModel& model) {
    const auto listed = std::ranges::find(listed_models(), model.name, &ListedModel::name);
    return listed == listed_models().end() || listed->sees;
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
