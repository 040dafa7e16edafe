#pragma once

#include "core/tensor/error.h"

#include <QWidget>

class QPushButton;

namespace headlight {

class Document;
class ModelOpener;
class WideCombo;
class WrappedLabel;

/// Which model runs: one that comes with the program, a folder of one's own, or none. Where the list has no
/// room for its name, the name stands whole under it.
class ModelChoiceBox : public QWidget {
    Q_OBJECT
public:
    explicit ModelChoiceBox(Document& document, QWidget* parent = nullptr);

    /// Opens the list of models.
    void open_chooser();
    void open_model(const QString& name);

signals:
    /// Choosing a folder is the window's business.
    void folder_requested();
    void problem(const headlight::Error& error);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void show_whole_name();

    Document& document_;
    ModelOpener* opener_;
    WideCombo* models_;
    QPushButton* folder_;
    WrappedLabel* name_;
};

}  // namespace headlight
