#include "core/io/view_subject.h"

namespace headlight {

ViewSubject view_subject(const Session& session) {
    return {.runs_mechanism = session.runs_mechanism(), .has_image = bool(session.sequence.image)};
}

}  // namespace headlight
