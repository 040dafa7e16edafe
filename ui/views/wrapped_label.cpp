#include "ui/views/wrapped_label.h"

#include <QEvent>
#include <QGuiApplication>
#include <QResizeEvent>
#include <QTextDocument>
#include <QTextOption>

#include <cmath>

namespace headlight {

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
    QTextDocument laid_out;
    laid_out.setUndoRedoEnabled(false);
    laid_out.setDocumentMargin(0);
    laid_out.setDefaultFont(font());
    laid_out.setDefaultTextOption(QTextOption(alignment() & Qt::AlignHorizontal_Mask));
    laid_out.setTextWidth(width);
    const bool is_rich =
        textFormat() == Qt::RichText || (textFormat() == Qt::AutoText && Qt::mightBeRichText(text()));
    is_rich ? laid_out.setHtml(text()) : laid_out.setPlainText(text());
    return static_cast<int>(std::ceil(laid_out.size().height()));
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
