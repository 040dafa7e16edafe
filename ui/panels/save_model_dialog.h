#pragma once

#include <QDialog>

class QLineEdit;
class QPushButton;

namespace headlight {

/// Asks for the name of a model's folder and where it stands. Qt's own dialog would walk into a model that is
/// there already instead of taking its place.
class SaveModelDialog : public QDialog {
    Q_OBJECT
public:
    SaveModelDialog(const QString& name, const QString& place, QWidget* parent = nullptr);

    /// The folder that the model is to be.
    QString folder() const;

public slots:
    /// Asks first when the folder is there already.
    void accept() override;

private:
    void choose_place();
    void refresh();

    QLineEdit *name_, *place_;
    QPushButton* save_;
};

}  // namespace headlight
