#include "ui/views/wrapped_tip.h"

#include <QStringList>

namespace headlight {

QString wrapped_tip(const QString& tip) {
    constexpr qsizetype longest = 64;  // characters
    QStringList lines;
    const QStringList given = tip.split(QLatin1Char('\n'));
    for (const QString& sentence : given) {
        QString line;
        const QStringList words = sentence.split(QLatin1Char(' '));
        for (const QString& word : words) {
            if (!line.isEmpty() && line.size() + 1 + word.size() > longest) {
                lines += line;
                line.clear();
            }
            line += line.isEmpty() ? word : QLatin1Char(' ') + word;
        }
        lines += line;
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace headlight
