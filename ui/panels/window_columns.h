#pragma once

#include <QObject>
#include <QString>

#include <optional>
#include <utility>
#include <vector>

class QAction;
class QDockWidget;
class QMainWindow;
class QToolBar;
class QWidget;

namespace headlight {

struct DockRow;

/// The panels beside the picture of a window, in a column on each side. On the left one stands above those
/// that share a place, of which one is in front; on the right there is one, with another behind it that is
/// shown when somebody asks for it. A column can be folded to a narrow strip, and both can be put away for
/// the picture alone; either way it comes back as it was.
class WindowColumns : public QObject {
    Q_OBJECT
public:
    enum class Side { left, right };

    explicit WindowColumns(QMainWindow* window);

    /// A dock with `content`; that on the right before the one behind it.
    void add(const DockRow& row, QWidget* content);
    /// What the one in place of those on the left is called now.
    void set_begin_title(const QString& title);
    /// In which all of it is written, its title too.
    void set_begin_font(const QFont& font);
    /// `toggle` stands at the end of the line with the title of the one on the right.
    void put_in_right_title(QAction* toggle);

    /// Which of them are shown, for a menu.
    QList<QAction*> show_actions() const;
    /// Brings a column in front of those that share its place. A column that is away stays away, and is in
    /// front once it is back.
    void bring_to_front(const QString& id);
    /// The same for a person who asks for that panel: a folded column comes back.
    void open(const QString& id);
    /// Brings the panel behind the one on the right to the front, also of a column that is folded.
    void open_behind_right();
    /// The panels that share a place get the height of their column, but for the least of the one above them.
    void favour_lower_left();
    /// The panel above the others of its column, when the column is not away.
    void show_upper_left(bool visible);

    /// What stands in the title of the right column.
    QAction* right_toggle() const { return toggle_; }

    /// Folds or unfolds the column.
    QAction* fold_action(Side side) const { return column(side).fold; }
    bool is_folded(Side side) const { return column(side).is_folded || column(side).is_folded_for_class; }
    void fold(Side side, bool folded);
    /// Folds both columns while a class looks, and unfolds afterwards those that nobody folded otherwise. A
    /// column that somebody unfolds meanwhile stays unfolded, and is as wide as it was before: for a class it
    /// has larger type.
    void fold_for_class(bool folded);
    /// Whether the column is folded when no class looks.
    bool stays_folded(Side side) const { return column(side).is_folded; }

    /// Puts the panel of Place::begin in place of those of the left column, or brings them back.
    void show_begin(bool shown);
    /// The same in a column that stays folded where it is.
    void show_begin_where_unfolded() {
        if (!std::exchange(shows_begin_, true))
            update(Side::left);
    }
    /// What stands in the left column, and whether it is folded.
    struct LeftState {
        bool shows_begin = false, is_folded = false, is_folded_for_class = false;
        bool operator==(const LeftState&) const = default;
    };
    LeftState left_state() const { return {shows_begin_, left_.is_folded, left_.is_folded_for_class}; }
    /// Has the left column as it was then.
    void put_back(const LeftState& before);
    /// Folds it where it was folded then, with what stands in it now.
    void fold_back(const LeftState& before) {
        if (before.is_folded || before.is_folded_for_class)
            put_back({shows_begin_, before.is_folded, before.is_folded_for_class});
    }
    /// Whether the panel of Place::begin can be seen.
    bool is_begin_in_sight() const { return shows_begin_ && !is_folded(Side::left) && !is_only_picture_; }

    /// Puts both columns away with their strips, or brings back what it has put away.
    void show_only_picture(bool only);
    /// Whether the panels of that side are folded, put away, or have made way for another.
    bool is_away(Side side) const {
        return is_only_picture_ || is_folded(side) || (side == Side::left && shows_begin_);
    }

    /// Gives the picture most of the width; the panels share the rest.
    void lay_out();
    /// How wide the column is, or will be once it is back, and no class looks.
    int width(Side side) const;
    /// For a window that is shown: Qt gives panels that it restores their preferred widths.
    void set_width(Side side, int width);
    /// Shows the panels of both columns in their full size, for a layout that is to be saved.
    void bring_all_back();

signals:
    /// A column was folded or unfolded, put away or brought back.
    void away_changed();
    /// What had the focus was put away for a class, or for the picture alone: Qt would frame whatever control
    /// comes next.
    void focus_put_away();

private:
    /// How wide a column is, and how the left one is divided. Qt refuses sizes of 0.
    struct Sizes {
        int width = 250, upper = 300, lower = 400;
    };
    struct Column {
        QToolBar* strip = nullptr;
        QAction* fold = nullptr;
        bool is_folded = false;
        bool is_folded_for_class = false;
        bool is_put_away = false;
        std::vector<QDockWidget*> hidden;  ///< those that come back
        Sizes sizes;                       ///< that they come back in
        std::optional<int> before_class;   ///< how wide it was when a class began to look
    };

    Column& column(Side side) { return side == Side::left ? left_ : right_; }
    const Column& column(Side side) const { return side == Side::left ? left_ : right_; }
    void add_strip(Side side, const QString& id, const QString& name);
    void add_lower_left(QDockWidget* dock);
    void add_behind_right(QDockWidget* dock);
    std::vector<QDockWidget*> docks(Side side) const;
    /// What stands for the column: what is hidden has no size.
    QDockWidget* representative(Side side) const;
    /// As they are; what cannot be seen, or lies elsewhere, keeps what it had.
    Sizes sizes(Side side) const;
    void set_sizes(Side side, const Sizes& sizes);
    /// Hides or shows the panels as is_away() says.
    void update(Side side);
    /// Tells where the widget that had the focus cannot be seen any more.
    void look_after_focus(const QWidget* had_focus);
    void put_away(Side side);
    void bring_back(Side side);
    /// How wide the columns are when a class begins to look, and are again afterwards.
    void remember_widths();
    void give_widths_back();

    QMainWindow& window_;
    QDockWidget *upper_left_ = nullptr, *inspector_ = nullptr, *behind_right_ = nullptr;
    QAction* toggle_ = nullptr;  ///< of the right column
    std::vector<QDockWidget*> lower_left_;
    QDockWidget* in_front_ = nullptr;        ///< of the lower ones
    QDockWidget* in_front_right_ = nullptr;  ///< of those on the right
    QDockWidget* begin_ = nullptr;
    std::optional<int> begin_before_class_;  ///< its width, where it was to be seen
    bool is_only_picture_ = false;
    bool shows_begin_ = false;
    Column left_, right_;
};

}  // namespace headlight
