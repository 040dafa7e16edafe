#pragma once

#include <QWidget>

#include <string>
#include <vector>

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QScrollArea;
class QToolButton;

namespace headlight {

/// The stages of the formula in order, as a strip of buttons; the current one is pressed and kept in sight. A
/// strip that is too long for its place scrolls.
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
    /// In which the current stage can be read whole, beside what scrolls to the others.
    int least_width() const;

signals:
    void chosen(const std::string& stage);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    /// The place of one stage, and of the arrow from the stage before it, if there is one.
    struct Place {
        QLabel* arrow;
        QToolButton* button;
    };

    void add_place();
    QToolButton* add_scroller(Qt::ArrowType arrow, const QString& name, int direction);
    void fit();

    std::vector<Named> stages_;
    std::vector<Place> places_;  ///< as many as there ever were stages; the others are hidden
    QScrollArea* area_;
    QHBoxLayout* row_;
    QButtonGroup* buttons_;
    QToolButton *back_, *forward_;
};

}  // namespace headlight
