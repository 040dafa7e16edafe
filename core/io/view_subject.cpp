#include "core/io/view_subject.h"

namespace headlight {

ViewSubject view_subject(const Session& session) {
    return {.is_model = session.model.has_value(), .has_image = bool(session.sequence.image)};
}

}  // namespace headlight
