#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace headlight {

class Document;
class NumberControl;
class PictureThumbnail;

/// The image that is the sequence: what it is, how it is cut, and the way back to text.
class ImageBox : public QWidget {
    Q_OBJECT
public:
    explicit ImageBox(Document& document, QWidget* parent = nullptr);

private:
    void refresh();

    Document& document_;
    QLabel* name_;
    QToolButton* close_;
    PictureThumbnail* thumbnail_;
    NumberControl* columns_;
};

}  // namespace headlight
