#pragma once

#include <QPlainTextEdit>
#include <QStringList>

class QCompleter;

namespace headlight {

/// A text of lines "name = value" with a list of the names that can follow, which opens after two letters and
/// is taken with Tab or Enter.
class FormulaEdit : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit FormulaEdit(QWidget* parent = nullptr);

    /// A name and what it is, for each that can be typed.
    void set_words(const QList<std::pair<QString, QString>>& words);
    /// While the text has the keyboard, only what differs is replaced and the cursor is put behind it, so
    /// that a person who undoes goes on typing there.
    void show_text(const QString& text);
    /// Underlines the line, from 1, from the column, from 1; none for 0.
    void mark(int line, int column);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    QString word_before_cursor() const;
    void complete();
    void take(const QString& word);

    QCompleter* completer_;
};

}  // namespace headlight
