#include "ui/views/wrapped_label.h"

#include "ui/render/subscripts.h"

#include <QClipboard>
#include <QEvent>
#include <QFontInfo>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QResizeEvent>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QTextOption>

#include <cmath>
#include <unordered_map>

namespace headlight {
namespace {

/// What the height of a text depends on. The font by its words and its size on the screen: one that is kept
/// until the program ends would outlive the fonts of Qt.
struct LabelText {
    QString words;
    bool is_rich;
    QString font;
    int pixels;
    Qt::Alignment alignment;
    int width;
    bool operator==(const LabelText&) const = default;
};

struct LabelTextHash {
    std::size_t operator()(const LabelText& text) const {
        return qHashMulti(0, text.words, text.is_rich, text.font, text.pixels,
                          static_cast<int>(text.alignment), text.width);
    }
};

double laid_out_height(const LabelText& text, const QFont& font) {
    QTextDocument laid_out;
    laid_out.setUndoRedoEnabled(false);
    laid_out.setDocumentMargin(0);
    laid_out.setDefaultFont(font);
    laid_out.setDefaultTextOption(QTextOption(text.alignment));
    laid_out.setTextWidth(text.width);
    text.is_rich ? laid_out.setHtml(text.words) : laid_out.setPlainText(text.words);
    return laid_out.size().height();
}

/// Remembered: labels come back to what they said, and several say the same.
double height_of(const LabelText& text, const QFont& font) {
    constexpr std::size_t most_labels = 1024;
    static std::unordered_map<LabelText, double, LabelTextHash> known;
    if (const auto found = known.find(text); found != known.end())
        return found->second;
    if (known.size() >= most_labels)
        known.clear();
    return known[text] = laid_out_height(text, font);
}

}  // namespace

WrappedLabel::WrappedLabel(QWidget* parent) : QLabel(parent) {
    setWordWrap(true);
    setIndent(0);  // a label with a frame indents its text by half a letter, and then has another line
    setTextFormat(Qt::PlainText);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
}

void WrappedLabel::show_text(const QString& text) {
    if (text == this->text())
        return;
    setText(text);
    fit();
}

void WrappedLabel::show_words(const QString& words) {
    const QString html = html_with_subscripts(words);
    const bool has_subscripts = html != words.toHtmlEscaped();
    setTextFormat(has_subscripts ? Qt::RichText : Qt::PlainText);
    show_text(has_subscripts ? QString(html).replace(QChar(u'\n'), QLatin1String("<br>")) : words);
}

QSize WrappedLabel::minimumSizeHint() const { return {80, minimumHeight()}; }

void WrappedLabel::fit() {
    const QRect inside(contentsRect().left(), 0, contentsRect().width(), 0);
    const Extent now{text(), font(), width(), inside};
    if (now == fitted_)
        return;
    fitted_ = now;
    setMinimumHeight(0);  // QLabel never asks for less than its minimum
    setFixedHeight(text().isEmpty() ? 0
                                    : height_of_text(inside.width()) + height() - contentsRect().height());
}

int WrappedLabel::height_of_text(int width) const {
    const LabelText asked{.words = text(),
                          .is_rich = is_rich(),
                          .font = font().toString(),
                          .pixels = QFontInfo(font()).pixelSize(),
                          .alignment = alignment() & Qt::AlignHorizontal_Mask,
                          .width = width};
    return static_cast<int>(std::ceil(height_of(asked, font())));
}

bool WrappedLabel::is_rich() const {
    return textFormat() == Qt::RichText || (textFormat() == Qt::AutoText && Qt::mightBeRichText(text()));
}

void WrappedLabel::copy() const {
    QTextDocument document;
    is_rich() ? document.setHtml(text()) : document.setPlainText(text());
    QTextCursor cursor(&document);
    cursor.setPosition(selectionStart());
    cursor.setPosition(selectionStart() + static_cast<int>(selectedText().size()), QTextCursor::KeepAnchor);
    QGuiApplication::clipboard()->setMimeData(copied(cursor.selection()));
}

void WrappedLabel::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy) && hasSelectedText())
        copy();
    else
        QLabel::keyPressEvent(event);
}

void WrappedLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
    else if (event->type() == QEvent::PaletteChange)
        colour_links();
}

void WrappedLabel::colour_links() {
    const QColor wanted = QGuiApplication::palette().color(QPalette::Link);
    if (wanted == link_colour_)
        return;
    link_colour_ = wanted;  // also where the text has no link now: one that comes later has it
    if (!text().contains(QLatin1String("<a ")))
        return;
    const QString same = text();
    QLabel::clear();
    setText(same);
}

void WrappedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fit();
}

}  // namespace headlight
