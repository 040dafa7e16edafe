#pragma once

#include "core/io/session.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace headlight {

class ContextMenu;
class Document;
class SequenceEdit;

/// What the shown maps are compared with: another text, another model, another capture, or nothing.
class CounterpartBox : public QWidget {
    Q_OBJECT
public:
    /// Two panels have one; `id` tells their controls apart.
    CounterpartBox(Document& document, const QString& id, QWidget* parent = nullptr);

signals:
    /// Choosing files and folders is the window's business.
    void other_capture_requested();
    void other_model_requested();
    /// A text was pasted that is too long to show.
    void paste_refused(qsizetype length);

private:
    void refresh();
    void fill_menu();
    /// One step of the history: compares with it, or with nothing.
    void start_text();
    /// Made when there is a text for the first time.
    SequenceEdit& text_edit();

    Document& document_;
    const QString id_;
    QPushButton* compare_;
    ContextMenu* choices_;
    QWidget* compared_;  ///< with what, and that it can be ended
    QLabel* name_;
    QToolButton* close_;
    SequenceEdit* edit_ = nullptr;
    QCheckBox* difference_;
    QVBoxLayout* layout_;
};

}  // namespace headlight
