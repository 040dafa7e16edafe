#pragma once

#include "core/io/session.h"
#include "core/model/trained_model.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace headlight {

/// The session in which the window says what the command line said; of an answer that was cut, it goes on
/// behind it. `model` is its name or folder, as it was typed. `request` is kept where it leads to these
/// words; elsewhere (a wider beam than the window's, a longer answer than its task has) each is chosen, word
/// by word. Nothing where they cannot be chosen either, because the model has no place for another word.
std::optional<Session> generated_session(std::shared_ptr<const TrainedModel> trained,
                                         const std::string& model, GenerationRequest request,
                                         std::span<const std::string> said);

}  // namespace headlight
