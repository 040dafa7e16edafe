#include "core/io/seen_picture.h"

#include "core/io/shipped_models.h"
#include "core/model/prompt.h"
#include "core/tensor/error.h"

namespace headlight {

PatchedPicture seen_picture(const Session& session, const Transcript* said) {
    if (!session.model)
        return session.capture ? PatchedPicture() : session.sequence.image;
    if (said)
        return said->picture;
    try {
        const TrainedModel opened = open_model(session.model->name);
        return opened.model->picture(prompt(*opened.model, session.model->request.source).source);
    } catch (const Error&) {  // which is gone, or cannot read this
        return {};
    }
}

}  // namespace headlight
