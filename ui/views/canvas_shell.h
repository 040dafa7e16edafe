#pragma once

#include "ui/views/canvas_tool.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace headlight {

/// A widget with a picture that a person does things with. It asks its tools in turn what a press, a drag, a
/// click and a key do; what is to be seen, and what the pointer does that passes over it, is up to who
/// derives from it.
class CanvasShell : public QWidget {
    Q_OBJECT
public:
    ~CanvasShell() override;

    QSize sizeHint() const override { return {720, 520}; }
    QSize minimumSizeHint() const override { return {240, 180}; }

    /// Offers the tools a key, also one that came to another widget. False where none has a use for it.
    bool use_key(const QKeyEvent& event);
    /// What can be done with what is selected; null where nothing is.
    virtual std::unique_ptr<ContextMenu> menu_here();

signals:
    /// What was to be copied could not be read.
    void copy_refused(const QString& why);

protected:
    explicit CanvasShell(QWidget* parent);

    /// Opens what menu_here() or the like gave. Whoever opened it may be gone when it is closed.
    static void run_menu(std::unique_ptr<ContextMenu> menu, QPoint at);

    /// It is asked after those that were added before.
    template <class Tool>
    Tool& add_tool(std::unique_ptr<Tool> tool) {
        Tool& here = *tool;
        tools_.push_back(std::move(tool));
        return here;
    }
    const std::vector<std::unique_ptr<CanvasTool>>& tools() const { return tools_; }
    void paint_tools(QPainter& painter) const;

    /// A button is down that was pressed here.
    bool is_held() const { return held_.has_value(); }
    /// A drag ends with the picture that it began in.
    void let_go();

    /// The pointer is there, and no tool has it.
    virtual void hover(QPointF) {}
    /// The left button was pressed at `from` and released where the event says.
    virtual void click(QPointF from, const QMouseEvent& event);
    /// Colours or type of the widget are others.
    virtual void restyle() = 0;

    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Held {
        CanvasTool* tool;  ///< that has the pointer until the button is released; null: it is but a click
        Qt::MouseButton button;
        QPointF start;
        bool is_dragged;
    };

    std::vector<std::unique_ptr<CanvasTool>> tools_;
    std::optional<Held> held_;
};

}  // namespace headlight
