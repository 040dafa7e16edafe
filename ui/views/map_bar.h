#pragma once

#include <QWidget>

class QComboBox;

namespace headlight {

class Document;
class StageStrip;

/// The strip above a picture of one map: which stage and which head it shows.
class MapBar : public QWidget {
    Q_OBJECT
public:
    enum class Stages {
        all,      ///< every stage worth a picture
        maps,     ///< those with a row per query and a column per key
        patches,  ///< those with a number for each patch of the image
    };
    enum class Heads { one, all };

    MapBar(Document& document, Stages stages, Heads heads, QWidget* parent = nullptr);

private:
    void refresh();

    Document& document_;
    Stages stages_;
    StageStrip* strip_;
    QComboBox* heads_ = nullptr;
};

}  // namespace headlight
