#pragma once

#include "ui/actions/keys_in_force.h"

#include "core/tensor/error.h"

#include <optional>

namespace headlight {

class WindowSettings;

/// The keys that a person chose, in the settings from which one window after the other reads them:
/// "file_save=Ctrl+J", and "file_print=" for a command that is to have none. In force while this lives.
class KeySettings {
public:
    /// Whatever `settings` have that is no such line, or a key that something else uses, is left out.
    explicit KeySettings(WindowSettings& settings);
    KeySettings(const KeySettings&) = delete;
    KeySettings& operator=(const KeySettings&) = delete;
    ~KeySettings();

    /// The first of what was left out.
    const std::optional<Error>& problem() const { return problem_; }

    /// In force and kept from now on; `keys` are free, or none.
    void choose(const QString& id, const QKeySequence& keys);
    /// The standard ones again, which are free.
    void reset(const QString& id);
    void reset_all();
    /// Leaves out keys of commands that this version has not; once everything has been given its keys.
    void forget_what_is_gone();

private:
    void read();
    void leave_out_what_is_in_use(ChosenKeys& chosen);
    void refuse(const QString& line, const std::string& expected, const std::string& got);
    void keep(const ChosenKeys& chosen);

    WindowSettings& settings_;
    std::optional<Error> problem_;
};

}  // namespace headlight
