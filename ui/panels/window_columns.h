#pragma once

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

class QDockWidget;
class QMainWindow;
class QMenu;
class QWidget;

namespace headlight {

/// The panels beside the picture of a window. On the left one stands above those that share a place, of which
/// one is in front; on the right there is one.
class WindowColumns : public QObject {
    Q_OBJECT
public:
    explicit WindowColumns(QMainWindow* window);

    // Once each, but for the lower ones, in this order. `id` is the object name that layouts are kept by.
    void add_upper_left(const QString& id, const QString& title, QWidget* content);
    void add_lower_left(const QString& id, const QString& title, QWidget* content);
    void add_right(const QString& id, const QString& title, QWidget* content);

    /// Which of them are shown.
    void fill_menu(QMenu& menu) const;
    /// Of those that share a place; also shows it, unless only the picture is wanted.
    void bring_to_front(const QString& id);
    /// The panel above the others of its column; without effect while only the picture is wanted.
    void show_upper_left(bool visible);

    /// Gives the picture at least half of the width; the panels share the rest.
    void lay_out();
    void keep_sizes();
    /// The kept ones, once; without any, lay_out().
    void bring_sizes_back();

    /// Hides the panels and `others`, or brings back what it has hidden.
    void show_only_picture(bool only, const std::vector<QWidget*>& others);
    bool is_only_picture() const { return !hidden_.empty(); }

private:
    /// How the left column is divided, and how wide both columns are.
    struct Sizes {
        int left = 0, right = 0, upper = 0, lower = 0;
    };

    QDockWidget* add(const QString& id, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    /// What stands for the left column: what is hidden has no size.
    QDockWidget* left() const;
    Sizes sizes() const;
    void set_sizes(const Sizes& sizes);

    QMainWindow& window_;
    QDockWidget *upper_left_ = nullptr, *right_ = nullptr;
    std::vector<QDockWidget*> lower_left_;
    QDockWidget* in_front_ = nullptr;  ///< of the lower ones
    std::vector<QWidget*> hidden_;     ///< by show_only_picture()
    std::optional<Sizes> kept_;
};

}  // namespace headlight
