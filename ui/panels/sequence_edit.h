#pragma once

#include "ui/models/unread_text.h"

#include <QPlainTextEdit>

#include <span>

namespace headlight {

/// Where a sequence is typed. Undo belongs to the document, Tab goes on to the next control, files are left
/// to the window, and a pasted book is refused before it is laid out. A long paragraph stands in parts, each
/// of which is laid out when it comes into sight: as one it would be laid out whole, and keep the window
/// waiting.
class SequenceEdit : public QPlainTextEdit {
    Q_OBJECT
public:
    static constexpr qsizetype longest_paste = 1'000'000;
    static constexpr qsizetype longest_part = 2'000;  ///< of a paragraph, but for the rest of its last letter

    explicit SequenceEdit(QWidget* parent = nullptr);

    /// What stands there, whatever parts it is shown in: in place of toPlainText(), which has them as lines,
    /// and spaces for spaces that keep words together.
    QString text() const;
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
    void keyPressEvent(QKeyEvent* event) override;
    QMimeData* createMimeDataFromSelection() const override;
    bool canInsertFromMimeData(const QMimeData* source) const override;
    void insertFromMimeData(const QMimeData* source) override;

private:
    /// Puts the text there, long paragraphs in parts.
    void put(const QString& text);
    /// The place in the text of one in the document, where parts without a space between them have a
    /// separator.
    qsizetype text_place(int position) const;
    /// The opposite; between two parts the beginning of the second one.
    int document_place(qsizetype place) const;

    bool showing_ = false;
    int lines_ = 3;
};

}  // namespace headlight
