#include "ui/panels/font_hint.h"

#include "ui/models/document.h"
#include "ui/render/missing_glyphs.h"

#include <QStringList>

namespace headlight {

FontHint::FontHint(Document& document, QWidget* parent)
    : Banner(QStringLiteral("font_hint"), parent), document_(document) {
    connect(&document_, &Document::run_changed, this, &FontHint::refresh);
    refresh();
}

void FontHint::refresh() {
    QStringList tokens;
    if (const auto run = document_.run())
        for (const std::vector<std::string>* side : {&run->trace->tokens.query, &run->trace->tokens.key})
            for (const std::string& token : *side)
                tokens += QString::fromStdString(token);
    const QString missing = missing_font_text(tokens.join(QLatin1Char(' ')));
    // What was dismissed is not said again of the same characters.
    if (missing == said_)
        return;
    said_ = missing;
    missing.isEmpty() ? hide() : show_notice(missing);
}

}  // namespace headlight
