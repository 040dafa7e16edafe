#pragma once

#include "core/tensor/error.h"

#include <QWidget>

#include <optional>

namespace headlight {

class FormulaEdit;
class WrappedLabel;

/// The formula of one's own mechanism, which is run while it is typed; what is wrong with it, or probably not
/// meant, stands below.
class FormulaBox : public QWidget {
    Q_OBJECT
public:
    explicit FormulaBox(QWidget* parent = nullptr);

    /// Shows the session's formula; edited() is not told.
    void show_text(const QString& text);
    /// The keyboard comes to the text, from another window too.
    void take_keyboard();
    /// What is wrong with the text. After an edit it is that of the text before: pale and not underlined,
    /// until set_judged().
    void show_problem(const std::optional<Error>& error);
    /// The present text has been tried: what show_problem() says next is about it.
    void set_judged() { is_past_ = false; }
    /// The label below the text, shown while something is wrong.
    QWidget& problem();

signals:
    void edited(const QString& text);

private:
    void list_words();
    void leave_problem();
    void look_at_problem();
    void show_remarks(bool is_right);

    FormulaEdit* edit_;
    WrappedLabel* problem_;
    WrappedLabel* remarks_;
    bool is_past_ = false;  ///< what is said was told another text
};

}  // namespace headlight
