#pragma once

#include "core/io/session.h"
#include "core/lesson/shipped_lessons.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace headlight {

/// The lesson in which a session was saved, and where in it.
struct OpenedLesson {
    Lesson lesson;
    LessonPlace place;
};

/// What a file held: a session of its own, or what becomes a part of the session that is open.
struct OpenedFile {
    enum class Kind {
        session,      ///< replaces everything; saving goes back to this file
        figure,       ///< an exported figure: its session replaces everything, the figure itself is never
                      ///< overwritten
        trace,        ///< as a figure: the session that made it
        capture,      ///< shown in place of the current session's mechanism
        counterpart,  ///< another capture or model beside the current session's
        model,        ///< a folder: it runs in place of the current session's mechanism
        mechanism,    ///< one's own: takes the place of the current session's
        text,         ///< becomes the query text of the current session
        image,        ///< its patches become the tokens of the current session
        inputs,  ///< becomes the token vectors of the current session, and its parameters where it has some
        parameters,  ///< become parameters of the current session
    };
    Kind kind = Kind::session;
    Session session;  ///< of what replaces everything
    /// Returns the given session with what was opened as a part of it. Whoever takes the file gives the
    /// session of that moment, which may have been edited since reading began.
    std::function<Session(Session)> into;
    /// What there is to say of it: changed_data_note() of what replaces everything (written_by.h), and of a
    /// capture which axis is which (Capture::reading).
    std::string remark{};
    std::optional<OpenedLesson> lesson{};  ///< in which the session was saved
    std::string missing_lesson{};          ///< why that lesson is not there, in a sentence
};

/// Reads the folder of a trained model, a session, an exported figure that carries its session or has it
/// beside it, a trace, a capture, a `.txt`, a formula of one's own, any other image, or inputs (`.csv`,
/// `.json`, `.safetensors`). `current` says how a text is going to be split, so that one that is too long is
/// refused here. Throws Error naming the file, the place in it, what was expected and found.
OpenedFile open_file(const std::filesystem::path& path, const Session& current);

/// Another capture beside the one that is open. Throws Error as well where the two cannot be compared.
OpenedFile open_other_capture(const std::filesystem::path& path, const Session& current);

/// Another model beside the one that runs, by its folder. Throws Error where there is none in it.
OpenedFile open_other_model(const std::filesystem::path& folder, const Session& current);

/// Takes the parameters alone of an inputs file; the sequence stays, and what is said in the figure of it.
OpenedFile open_parameters(const std::filesystem::path& path, const Session& current);

}  // namespace headlight
