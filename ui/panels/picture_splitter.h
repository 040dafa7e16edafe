#pragma once

#include <QSplitter>

namespace headlight {

/// A picture above, and below it a part that can do with less: where there is little room, the picture has
/// what it needs to be read first. Until somebody moves the handle.
class PictureSplitter : public QSplitter {
    Q_OBJECT
public:
    PictureSplitter(QWidget* picture, QWidget* below, QWidget* parent = nullptr);

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void share();

    bool is_shared_by_hand_ = false;
};

}  // namespace headlight
