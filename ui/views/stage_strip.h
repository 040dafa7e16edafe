#pragma once

#include <QButtonGroup>
#include <QWidget>

#include <string>
#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace headlight {

/// The stages of the formula in order, as a strip of buttons; the current one is pressed and kept in sight. A
/// strip that is too long for its place shows as many whole names as have room, and scrolls to the others.
class StageStrip : public QWidget {
    Q_OBJECT
public:
    explicit StageStrip(QWidget* parent = nullptr);

    struct Named {
        std::string name;   ///< as in the trace
        std::string title;  ///< what the button says
        bool operator==(const Named&) const = default;
    };
    void set_stages(std::vector<Named> stages);
    bool offers(const std::string& stage) const;
    void set_current(const std::string& stage);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    /// In which the current stage can be read whole, beside what scrolls to the others.
    int least_width() const;
    /// In which each stage can be read whole together with the one before it and the one after it, beside
    /// what scrolls to the others: the same whichever is the current one.
    int width_of_neighbours() const;

signals:
    void chosen(const std::string& stage);

protected:
    /// A stage that gets the focus comes into sight.
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    /// The place of one stage, and of the arrow from the stage before it, if there is one.
    struct Place {
        QLabel* arrow;
        QToolButton* button;
    };

    /// A run of stages, `last` included.
    struct Part {
        int first = 0, last = -1;
        bool has(int stage) const { return stage >= first && stage <= last; }
    };

    void add_place();
    QToolButton* add_scroller(Qt::ArrowType arrow, const QString& name, void (StageStrip::*turn)());
    void scroll_back();
    void scroll_forward();
    /// The number of the current stage; −1 where none is.
    int current() const { return buttons_->checkedId() < count() ? buttons_->checkedId() : -1; }
    int count() const { return static_cast<int>(stages_.size()); }
    /// Pixels of a run of names with the arrows between them.
    int width_of(Part part) const;
    /// Pixels from the beginning of the row to a name.
    int left_of(int stage) const;
    /// Pixels for names beside what scrolls.
    int room_beside_scrollers() const;
    /// As many stages around that one as have room.
    Part part_around(int stage, int room) const;
    void show_part(Part part);
    /// Writes the name with "…" where it is wider than `room`.
    void write_name(int stage, int room);
    /// The names, and at their sides what scrolls.
    void place_parts(bool scrolls);
    void fit();

    std::vector<Named> stages_;
    int whole_name_ = 0;  ///< the width of the current one's button, also where it is written with "…"
    int neighbours_ = 0;  ///< the width of the widest three in a row, likewise
    std::vector<Place> places_;  ///< as many as there ever were stages; the others are hidden
    QWidget* area_;              ///< the room for names
    QWidget* window_;            ///< in it, as wide as the names that are in sight
    QWidget* names_;             ///< all of them, behind that window
    QHBoxLayout* row_;
    Part seen_;
    QButtonGroup* buttons_;
    QToolButton *back_, *forward_;
};

}  // namespace headlight
