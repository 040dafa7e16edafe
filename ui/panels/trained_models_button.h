#pragma once

#include <QPushButton>
#include <QStandardItemModel>

namespace headlight {

class ChoicePopup;

/// Opens the models that come with the program as a list that is searched by what is typed; a letter that is
/// typed on the button stands in the search line already.
class TrainedModelsButton : public QPushButton {
    Q_OBJECT
public:
    explicit TrainedModelsButton(QWidget* parent = nullptr);

signals:
    void chosen(const QString& name);
    /// A model of another program is wanted.
    void file_asked();

protected:
    void initStyleOption(QStyleOptionButton* option) const override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void open(const QString& typed);
    /// When it is first opened: starting pays for none of them.
    ChoicePopup* make_popup();
    void list_models();

    QStandardItemModel models_;
    ChoicePopup* popup_ = nullptr;
};

}  // namespace headlight
