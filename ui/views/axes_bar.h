#pragma once

#include <QStringList>
#include <QWidget>

class QComboBox;
class QHBoxLayout;

namespace headlight {

class Document;

/// Which axes of the shown stage are rows and columns, and where along the others: a slider each, which moves
/// the selection.
class AxesBar : public QWidget {
    Q_OBJECT
public:
    explicit AxesBar(Document& document, QWidget* parent = nullptr);

private:
    void refresh();
    void choose();

    Document& document_;
    QComboBox* rows_;
    QComboBox* columns_;
    QHBoxLayout* sliders_;
    QStringList held_;  ///< what there are sliders for
};

}  // namespace headlight
