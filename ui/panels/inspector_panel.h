#pragma once

#include "ui/views/cell_report.h"

#include <QWidget>

class QCheckBox;
class QToolButton;

namespace headlight {

class Document;
class HoverState;
class RowBars;
class WrappedLabel;

/// Every number on the way to the cell under the pointer, else to the selected one: both tokens, the
/// arithmetic, the row of weights that it belongs to and the context that they make.
class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    explicit InspectorPanel(Document& document, QWidget* parent = nullptr);

    /// What is shown, as text to paste: the heading, the aligned arithmetic, the row, the context.
    QString text() const;

    QSize sizeHint() const override;
    /// The arithmetic is a table that cannot be narrower.
    QSize minimumSizeHint() const override;

public slots:
    void copy_text() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    WrappedLabel* add_label(const QString& id, const QString& name);
    void refresh();
    void restyle();
    void show_notice(const QString& notice);
    void show_row();
    void choose_token(Index token);

    /// Marks what is searched for among the tokens.
    void show_found();

    Document& document_;
    HoverState& hover_;
    std::optional<CellReport> report_;
    std::shared_ptr<const Trace> trace_;  ///< that report_ is about
    WrappedLabel* heading_;
    WrappedLabel* place_;
    WrappedLabel* notes_;
    WrappedLabel* arithmetic_;
    QWidget* row_section_;
    WrappedLabel* row_heading_;
    RowBars* bars_;
    WrappedLabel* row_summary_;
    WrappedLabel* context_;
    QCheckBox* sorted_;
    QToolButton* copy_;
};

}  // namespace headlight
