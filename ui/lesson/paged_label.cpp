#include "ui/lesson/paged_label.h"

#include <QTextDocument>
#include <QTextOption>

#include <algorithm>
#include <cmath>

namespace headlight {

PagedLabel::PagedLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::RichText);
    setWordWrap(true);
}

void PagedLabel::show_page(const QStringList& pages, qsizetype shown) {
    if (pages_ != pages) {
        pages_ = pages;
        updateGeometry();
    }
    setText(pages_[shown]);
}

int PagedLabel::heightForWidth(int width) const {
    int height = QLabel::heightForWidth(width);
    QTextDocument laid_out;
    laid_out.setUndoRedoEnabled(false);
    laid_out.setDocumentMargin(0);
    laid_out.setDefaultFont(font());
    QTextOption lines;
    lines.setWrapMode(QTextOption::WordWrap);
    laid_out.setDefaultTextOption(lines);
    laid_out.setTextWidth(std::max(width - 2 * margin(), 0));
    for (const QString& page : pages_) {
        if (page == text())
            continue;
        laid_out.setHtml(page);
        height = std::max(height, static_cast<int>(std::ceil(laid_out.size().height())) + 2 * margin());
    }
    return height;
}

}  // namespace headlight
