#pragma once

#include <QWidget>

namespace headlight {

/// Over the window that a class looks at: nothing, a ring around the pointer, or black. Without black every
/// click goes to what is below.
class ClassOverlay : public QWidget {
    Q_OBJECT
public:
    explicit ClassOverlay(QWidget* window);

    bool is_black() const { return is_black_; }
    bool has_ring() const { return has_ring_; }
    /// Where the ring is painted; its middle is the pointer.
    QRect ring_area() const;

public slots:
    void set_black(bool on);
    void set_ring(bool on);

signals:
    /// Black was ended with a click.
    void black_ended();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void show_what_is_on();

    bool is_black_ = false, has_ring_ = false;
    /// On the screen: the window may move below it.
    QPoint pointer_;
};

}  // namespace headlight
