#pragma once

#include "ui/models/unread_text.h"

#include <QPlainTextEdit>

#include <span>

namespace headlight {

/// Where a sequence is typed. Undo belongs to the document, Tab goes on to the next control, files are left
/// to the window, and a pasted book is refused before it is laid out.
class SequenceEdit : public QPlainTextEdit {
    Q_OBJECT
public:
    static constexpr qsizetype longest_paste = 1'000'000;

    explicit SequenceEdit(QWidget* parent = nullptr);

    /// Shows a text without moving the cursor further than needed.
    void show_text(const QString& text);
    /// Underlines the parts of the text that cannot be read.
    void mark(std::span<const TextPart> parts);
    /// How many lines are in sight.
    void set_lines(int lines);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// A person changed the text.
    void typed(const QString& text);
    void paste_refused(qsizetype length);

protected:
    void changeEvent(QEvent* event) override;
    bool canInsertFromMimeData(const QMimeData* source) const override;
    void insertFromMimeData(const QMimeData* source) override;

private:
    bool showing_ = false;
    int lines_ = 3;
};

}  // namespace headlight
