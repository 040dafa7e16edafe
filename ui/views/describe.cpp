#include "ui/views/describe.h"

#include "ui/actions/action_table.h"
#include "ui/actions/shortcuts.h"

#include <QWidget>

namespace headlight {

void describe(QWidget* control, const QString& id, const QString& name, const QString& effect) {
    control->setObjectName(id);
    control->setAccessibleName(name);
    control->setAccessibleDescription(effect);
    control->setToolTip(effect);
}

void describe_with_key(QWidget* control, const QString& id, const QString& name, const QString& effect,
                       const QString& key_of) {
    follow_keys(*control,
                [=] { describe(control, id, name, with_key(effect, key_of.isEmpty() ? id : key_of)); });
}

QString letters_of_left_panels() {
    QString letters = QStringLiteral("abcdiknoqrstx");  // of the panels Sequence and Mechanism
    for (const ActionRow& row : action_rows()) {
        if (row.kind != ActionRow::Kind::menu || *row.menu)
            continue;
        const QString words = action_words(row.text);
        if (const qsizetype sign = words.indexOf(u'&'); sign >= 0 && sign + 1 < words.size())
            letters += words[sign + 1].toLower();
    }
    return letters;
}

QString with_key(const QString& label, QString& taken) {
    for (qsizetype i = 0; i < label.size(); ++i) {
        const QChar letter = label[i].toLower();
        if (!letter.isLetter() || letter.unicode() > 0x7f || taken.contains(letter))
            continue;
        taken += letter;
        return QString(label).insert(i, QChar('&'));
    }
    return label;
}

}  // namespace headlight
