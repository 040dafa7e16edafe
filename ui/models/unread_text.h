#pragma once

#include "core/model/generation_request.h"
#include "core/tensor/error.h"

#include <QString>

#include <optional>
#include <vector>

namespace headlight {

struct TextPart {
    qsizetype first = 0, count = 0;
};

/// What a model cannot read of a typed text.
struct UnreadText {
    QString problem;  ///< in sentences
    QString message;  ///< the problem, and what the pictures show meanwhile
    bool is_in_source = true;
    std::vector<TextPart> parts{};  ///< of the text, rising; none where it is not about parts of it
};

/// What a generator's refusal means for what is typed; nothing for one that is not about that.
/// `has_pictures`: there are some of the last text that it could read.
std::optional<UnreadText> unread_text(const Error& error, const GenerationRequest& request,
                                      bool has_pictures);

}  // namespace headlight
