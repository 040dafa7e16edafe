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
    const auto add = [&](const TokenLabels& labels) {
        for (const std::vector<std::string>* side : {&labels.query, &labels.key})
            for (const std::string& token : *side)
                tokens += QString::fromStdString(token);
    };
    if (const auto run = document_.run()) {
        add(run->trace->tokens);
        for (const auto& [site, labels] : run->trace->joined_tokens)
            add(labels);
    }
    const QString missing = missing_font_text(tokens.join(QLatin1Char(' ')));
    // What was dismissed is not said again of the same characters.
    if (missing == said_)
        return;
    said_ = missing;
    missing.isEmpty() ? hide() : show_notice(missing);
}

}  // namespace headlight
