#pragma once

#include "core/tensor/error.h"

#include <QWidget>

#include <optional>

namespace headlight {

class FormulaEdit;
class WrappedLabel;

/// The formula of one's own mechanism, which is run while it is typed; what is wrong with it stands below.
class FormulaBox : public QWidget {
    Q_OBJECT
public:
    explicit FormulaBox(QWidget* parent = nullptr);

    /// What the session has, unless it is what is typed.
    void show_text(const QString& text);
    void show_problem(const std::optional<Error>& error);
    /// What says it, shown while there is something wrong.
    QWidget& problem();

signals:
    void edited(const QString& text);

private:
    void list_words();

    FormulaEdit* edit_;
    WrappedLabel* problem_;
};

}  // namespace headlight
