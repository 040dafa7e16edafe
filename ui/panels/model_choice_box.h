#pragma once

#include "core/tensor/error.h"

#include <QWidget>

class QComboBox;
class QPushButton;

namespace headlight {

class Document;
class ModelOpener;

/// Which model runs: one that comes with the program, a folder of one's own, or none.
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

private:
    void refresh();

    Document& document_;
    ModelOpener* opener_;
    QComboBox* models_;
    QPushButton* folder_;
};

}  // namespace headlight
