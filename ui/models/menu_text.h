#pragma once

#include <QString>

namespace headlight {

/// Words of a person or a file as menus, tabs and buttons take them, where a single & only underlines the
/// next letter.
inline QString menu_text(QString words) { return words.replace(QLatin1Char('&'), QLatin1String("&&")); }

/// The words that an entry of a menu shows: without the & that underlines a letter, and with one for each &&.
inline QString shown_words(const QString& entry) {
    QString shown;
    for (qsizetype at = 0; at < entry.size(); ++at) {
        at += entry[at] == QLatin1Char('&') ? 1 : 0;
        shown += entry.mid(at, 1);
    }
    return shown;
}

}  // namespace headlight
