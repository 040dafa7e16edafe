#include "ui/views/formula_edit.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QSyntaxHighlighter>
#include <QTextBlock>

#include <algorithm>

namespace headlight {
namespace {

/// Comments step back, the names that lines give stand out.
class FormulaColours : public QSyntaxHighlighter {
public:
    explicit FormulaColours(FormulaEdit& edit) : QSyntaxHighlighter(edit.document()), edit_(edit) {}

protected:
    void highlightBlock(const QString& text) override {
        static const QRegularExpression name(QStringLiteral("^\\s*([A-Za-z_][A-Za-z_0-9]*)\\s*=(?!=)"));
        const auto found = name.match(text);
        if (found.hasMatch()) {
            QTextCharFormat bold;
            bold.setFontWeight(QFont::DemiBold);
            setFormat(static_cast<int>(found.capturedStart(1)), static_cast<int>(found.capturedLength(1)),
                      bold);
        }
        const qsizetype comment = text.indexOf(QLatin1Char('#'));
        if (comment >= 0)
            setFormat(static_cast<int>(comment), static_cast<int>(text.size() - comment),
                      edit_.palette().color(QPalette::PlaceholderText));
    }

private:
    FormulaEdit& edit_;
};

/// Letters of the name that begins there, if one does.
int length_of_name(const QString& text, int at) {
    static const QRegularExpression name(QStringLiteral("[A-Za-z_][A-Za-z_0-9]*"));
    const auto found =
        name.match(text, at, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
    return static_cast<int>(found.capturedLength());
}

constexpr int shortest_typed = 2;  // letters that open the list
constexpr int name_role = Qt::UserRole;

}  // namespace

FormulaEdit::FormulaEdit(QWidget* parent) : QPlainTextEdit(parent), completer_(new QCompleter(this)) {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleStrategy(QFont::PreferNoShaping);  // ">=" is two characters
    setFont(font);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);  // the column is narrow
    setTabChangesFocus(true);  // as in every other field; the list of names takes Tab while it is open
    completer_->setWidget(this);
    completer_->setModel(new QStandardItemModel(completer_));
    completer_->setCompletionRole(name_role);
    completer_->setCaseSensitivity(Qt::CaseSensitive);
    connect(completer_, qOverload<const QModelIndex&>(&QCompleter::activated), this,
            [this](const QModelIndex& index) { take(index.data(name_role).toString()); });
    setUndoRedoEnabled(false);  // what is typed is an edit of the session
    new FormulaColours(*this);
}

void FormulaEdit::set_words(const QList<std::pair<QString, QString>>& words) {
    auto* model = static_cast<QStandardItemModel*>(completer_->model());
    model->clear();
    for (const auto& [name, meaning] : words) {
        auto* item = new QStandardItem(tr("%1 – %2").arg(name, meaning));
        item->setData(name, name_role);
        model->appendRow(item);
    }
}

void FormulaEdit::show_text(const QString& text) {
    const QString before = toPlainText();
    if (text == before)
        return;
    if (!hasFocus())
        return setPlainText(text);
    const qsizetype first = std::ranges::mismatch(before, text).in2 - text.begin();
    qsizetype alike = 0;  // behind what differs
    while (alike < std::min(before.size(), text.size()) - first &&
           before[before.size() - 1 - alike] == text[text.size() - 1 - alike])
        ++alike;
    QTextCursor cursor(document());
    cursor.setPosition(static_cast<int>(first));
    cursor.setPosition(static_cast<int>(before.size() - alike), QTextCursor::KeepAnchor);
    cursor.insertText(text.sliced(first, text.size() - alike - first));
    setTextCursor(cursor);
}

void FormulaEdit::mark(int line, int column) {
    QList<QTextEdit::ExtraSelection> marks;
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (line > 0 && block.isValid()) {
        QTextEdit::ExtraSelection mark;
        mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        mark.format.setUnderlineColor(palette().color(QPalette::WindowText));
        mark.cursor = QTextCursor(block);
        const int length = block.length() - 1, first = std::clamp(column - 1, 0, std::max(0, length - 1));
        const int end = first + length_of_name(block.text(), first);
        mark.cursor.setPosition(block.position() + first);
        mark.cursor.setPosition(block.position() + (end > first ? end : length), QTextCursor::KeepAnchor);
        marks.append(mark);
    }
    setExtraSelections(marks);
}

void FormulaEdit::keyPressEvent(QKeyEvent* event) {
    if (completer_->popup()->isVisible()) {
        switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Tab:
        case Qt::Key_Escape:
        case Qt::Key_Backtab:
            event->ignore();  // the list takes them
            return;
        default:
            break;
        }
    }
    QPlainTextEdit::keyPressEvent(event);
    if (event->text().isEmpty() || event->key() == Qt::Key_Escape)
        completer_->popup()->hide();
    else
        complete();
}

/// Tab takes from the list while it is open, and goes on to the next field otherwise.
bool FormulaEdit::focusNextPrevChild(bool next) {
    if (!completer_->popup()->isVisible())
        return QPlainTextEdit::focusNextPrevChild(next);
    const QModelIndex current = completer_->popup()->currentIndex();
    completer_->popup()->hide();
    if (next && current.isValid())
        take(current.data(name_role).toString());
    return true;
}

QString FormulaEdit::word_before_cursor() const {
    const QTextCursor cursor = textCursor();
    const QString before = cursor.block().text().left(cursor.positionInBlock());
    static const QRegularExpression last(QStringLiteral("[A-Za-z_][A-Za-z_0-9]*$"));
    return last.match(before).captured();
}

void FormulaEdit::complete() {
    const QString word = word_before_cursor();
    completer_->setCompletionPrefix(word);
    const bool is_whole =
        completer_->completionCount() == 1 && completer_->currentIndex().data(name_role) == word;
    if (word.size() < shortest_typed || completer_->completionCount() == 0 || is_whole) {
        completer_->popup()->hide();
        return;
    }
    completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, 0));
    QRect below = cursorRect();
    below.setWidth(completer_->popup()->sizeHintForColumn(0) +
                   completer_->popup()->verticalScrollBar()->sizeHint().width());
    completer_->complete(below);
}

void FormulaEdit::take(const QString& word) {
    QTextCursor cursor = textCursor();
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor,
                        static_cast<int>(word_before_cursor().size()));
    cursor.insertText(word);
    setTextCursor(cursor);
}

}  // namespace headlight
