#pragma once

#include "ui/views/cell_report.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QTextBrowser;

namespace headlight {

class Document;
class HoverState;
class RowBars;

/// Every number on the way to the cell under the pointer, else to the selected one: both tokens, the
/// arithmetic, the row of weights it belongs to and the context that they make.
class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    explicit InspectorPanel(Document& document, QWidget* parent = nullptr);

    /// What is shown, as text that can be pasted: the heading, the aligned arithmetic, the row, the context.
    QString text() const;

public slots:
    void copy_text() const;

private:
    void refresh();
    void show_nothing(const QString& reason);

    Document& document_;
    HoverState& hover_;
    std::optional<CellReport> report_;
    QLabel* heading_;
    QLabel* place_;
    QTextBrowser* arithmetic_;
    RowBars* bars_;
    QCheckBox* sorted_;
    QLabel* summary_;
    QLabel* context_;
};

}  // namespace headlight
