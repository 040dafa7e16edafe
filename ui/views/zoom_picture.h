#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/views/depth_picture.h"
#include "ui/views/way_in.h"

#include <QTimer>
#include <QWidget>

#include <map>

namespace headlight {

class Document;

/// Between two stops of WayIn: the picture of the farther one, enlarged about the part that the nearer one
/// stands for, which fades in as it grows out of that; below, the seven depths and where one is. It lies over
/// the real picture for as long, and is gone at rest. A click shows the nearest stop at once.
class ZoomPicture : public QWidget {
    Q_OBJECT
public:
    ZoomPicture(Document& document, QWidget* parent);

    /// Another view is shown, whose picture is to be lain over: it owns this from now on.
    void lie_over(QWidget* picture);
    /// The picture of the stop is there.
    bool has_picture(DepthStop stop) const { return pictures_.contains(stop); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void follow();
    /// Keeps what is seen of the stop that is still shown: it is painted already.
    void keep_shown();
    void forget();
    /// Paints one of the two that are wanted, off this thread, and then the other.
    void make_lacking();
    void take(DepthStop stop, DepthPicture picture);
    std::vector<DepthStop> wanted() const;
    DepthOrder order(DepthStop stop) const;

    Document& document_;
    WayIn& way_;
    std::map<DepthStop, DepthPicture> pictures_;
    LatestJob painting_;
    QTimer until_still_;  ///< runs while frames follow each other, which are not smoothed
};

}  // namespace headlight
