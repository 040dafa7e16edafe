#include "ui/actions/key_settings.h"

#include "ui/actions/key_use.h"
#include "ui/actions/shortcuts.h"
#include "ui/models/window_settings.h"

#include <QSignalBlocker>
#include <QStringList>

#include <algorithm>

namespace headlight {
namespace {

const QString chosen_keys_key = QStringLiteral("keys/chosen");

/// One press, with what is held beside it: what menus and fields of text can tell from typing.
bool is_one_press(const QKeySequence& keys) { return keys.count() == 1 && keys[0].key() != Qt::Key_unknown; }

std::string of_line(const QString& text) { return excerpt(text.toStdString()); }

}  // namespace

KeySettings::KeySettings(WindowSettings& settings) : settings_(settings) { read(); }

KeySettings::~KeySettings() {
    const QSignalBlocker quiet(KeysInForce::instance());  // what has keys goes as well
    KeysInForce::instance().choose({});
}

void KeySettings::read() {
    ChosenKeys chosen;
    for (const QString& line : settings_.value(chosen_keys_key).toStringList()) {
        const qsizetype sign = line.indexOf(QLatin1Char('='));
        const QString id = line.left(sign).trimmed(), text = line.mid(sign + 1).trimmed();
        const auto keys = QKeySequence::fromString(text, QKeySequence::PortableText);
        const Shortcut* row = shortcut(id);
        if (sign < 1 || id.isEmpty())
            refuse(line, "a command and its key, such as file_save=Ctrl+J", "");
        else if (row && row->kind != Shortcut::Kind::action)
            refuse(line, "a command whose key can be changed", "one whose key stays as it is");
        else if (!text.isEmpty() && !is_one_press(keys))
            refuse(line, "one key, with what is held, such as Ctrl+J", text.toStdString());
        else
            chosen.insert(id, keys);
    }
    leave_out_what_is_in_use(chosen);
    KeysInForce::instance().choose(chosen);
}

void KeySettings::leave_out_what_is_in_use(ChosenKeys& chosen) {
    const auto find_used = [&] {
        auto each = chosen.begin();
        while (each != chosen.end() && !use_of(each.value(), each.key(), chosen))
            ++each;
        return each;
    };
    // Whatever is left out has its standard keys again, which another may have been given.
    for (auto used = find_used(); used != chosen.end(); used = find_used()) {
        const KeyUse use = *use_of(used.value(), used.key(), chosen);
        const QString keys = used.value().toString(QKeySequence::PortableText);
        refuse(used.key() + QLatin1Char('=') + keys, "a key that nothing else uses",
               (use.words.isEmpty() ? use.id : use.words).toStdString());
        chosen.erase(used);
    }
}

void KeySettings::refuse(const QString& line, const std::string& expected, const std::string& got) {
    if (!problem_)
        problem_ = Error({"read the keys that you chose", of_line(line), expected,
                          (got.empty() ? "something else" : excerpt(got)) + ", and left it out"});
}

void KeySettings::choose(const QString& id, const QKeySequence& keys) {
    ChosenKeys chosen = KeysInForce::instance().chosen();
    if (keys_of(id, {}) == QList<QKeySequence>{keys})
        chosen.remove(id);
    else
        chosen.insert(id, keys);
    keep(chosen);
}

void KeySettings::reset(const QString& id) {
    ChosenKeys chosen = KeysInForce::instance().chosen();
    chosen.remove(id);
    keep(chosen);
}

void KeySettings::reset_all() { keep({}); }

void KeySettings::forget_what_is_gone() {
    ChosenKeys chosen = KeysInForce::instance().chosen();
    const auto gone = chosen.removeIf([](ChosenKeys::iterator each) { return !can_change_keys(each.key()); });
    if (gone > 0)
        keep(chosen);
}

void KeySettings::keep(const ChosenKeys& chosen) {
    QStringList lines;
    for (auto each = chosen.begin(); each != chosen.end(); ++each)
        lines << each.key() + QLatin1Char('=') + each.value().toString(QKeySequence::PortableText);
    settings_.set_value(chosen_keys_key, lines);
    KeysInForce::instance().choose(chosen);
}

}  // namespace headlight
