#pragma once

#include "core/io/session.h"

#include <array>
#include <string>

namespace headlight {

/// From one text to another: what was replaced by what, from which byte on.
struct TextChange {
    std::size_t from = 0;
    std::string removed, inserted;

    static TextChange between(const std::string& before, const std::string& after);
    std::string done(std::string text) const { return text.replace(from, removed.size(), inserted); }
    std::string undone(std::string text) const { return text.replace(from, inserted.size(), removed); }
};

/// From one session to another, without the texts that both have: an undo history of a long text keeps what
/// was typed and not the text once for each step.
class SessionChange {
public:
    SessionChange(Session before, Session after);

    /// The session before the change, given the one after it.
    Session undone(const Session& after) const;
    /// The session after the change, given the one before it.
    Session done(const Session& before) const;

    const ViewState& view_before() const { return before_.view; }
    const ViewState& view_after() const { return after_.view; }

private:
    static constexpr std::size_t texts = 5;
    /// What a person types, which may be long; null where the session has no such text.
    static std::array<std::string*, texts> typed_texts(Session& session);
    static std::array<std::string, texts> taken_texts(Session& session);
    /// `made`, which is without its texts, with those of `given` after `change` of each.
    Session with_texts(Session made, Session given,
                       std::string (TextChange::*change)(std::string) const) const;

    Session before_, after_;  ///< without their texts
    std::array<TextChange, texts> changes_;
};

}  // namespace headlight
