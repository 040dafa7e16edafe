#pragma once

#include "ui/actions/keys_in_force.h"

#include <optional>

namespace headlight {

/// What a key is for already.
struct KeyUse {
    QString id;  ///< of the command that has it; empty where none has it alone, and nothing can take it away
    QString words;  ///< "Save as…"
};

/// What uses `keys` where `id` works, if `chosen` are in force: another command of the window or, for the
/// mask editor, of that; a key of the player, of a picture or of a control; the underlined letters of menus;
/// what texts, tables and pictures are walked through and copied with. Nothing where `id` can have them. Its
/// own standard keys may be those of a picture or of the player as well.
std::optional<KeyUse> use_of(const QKeySequence& keys, const QString& id, const ChosenKeys& chosen);

/// Whether a person can give `id` other keys: not to what works whatever has the focus.
bool can_change_keys(const QString& id);

}  // namespace headlight
