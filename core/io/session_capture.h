#pragma once

#include "core/io/capture_parts.h"
#include "core/io/compared_traces.h"
#include "core/io/session.h"
#include "core/map/map_source.h"
#include "core/tensor/error.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// All maps of a capture (capture_file.h), or a trace as it is; beside the file `other`, or in larger units
/// than tokens, the weights alone, but of two traces whose tokens all have partners every stage. Throws Error
/// that names the file, and when they take more memory than there may be.
ComparedTraces captured_traces(const SessionCapture& capture, const std::optional<std::string>& other = {});

/// Both, with a space between; one alone where the other is empty.
std::string joined_sentences(const std::string& first, const std::string& second);

/// The weights of the same as maps, each with those of the other file beside it. The reading says how the
/// tokens of both were paired, where some have no partner.
Capture captured_maps(const SessionCapture& capture, const std::optional<std::string>& other = {});

/// The file that a session's capture is compared with; none without one.
std::optional<std::string> other_capture(const Session& session);

/// What could not be read is the file that a session's capture is compared with, or the two have nothing to
/// compare: the capture itself is fine.
bool is_of_counterpart(const Error& error, const Session& session);

/// From where to where the colours of a capture go before somebody chooses. Of hundreds of tokens each has a
/// small weight, and on a scale to 1 the maps would stay dark; of thousands a single large weight would leave
/// all others so, and the few largest have one colour.
ColourRange first_range(const std::filesystem::path& file);

/// `session` on what the file holds, looking at the heads side by side in colours of that range, in place of
/// whoever attended before. Its query is last_row, for which Run::opening_query stands once the file is read.
/// The figure of a file that is shown already stays as it is; what was said of any other (another_text.h)
/// goes.
Session with_capture(Session session, const std::filesystem::path& file, const ColourRange& range);

}  // namespace headlight
