#pragma once

#include "core/figure/view_settings.h"

#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QModelIndex;
class QScrollArea;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace headlight {

class ComparedChip;
class ComparisonModel;
class Document;
class FigureCanvas;
class FlowLayout;
class MechanismLibrary;
class MechanismModel;
class MechanismPopup;
struct ComparisonSuggestion;

/// The same tokens through several mechanisms: which they are, their maps side by side with a common cursor,
/// and under them what the maps are like and what they cost. The session's own stays the current one until
/// somebody asks ("Use as main"). Of a model, all of its sites.
class ComparePanel : public QWidget {
    Q_OBJECT
public:
    ComparePanel(Document& document, const MechanismLibrary& library, QWidget* parent = nullptr);

    FigureCanvas* canvas() const { return canvas_; }

public slots:
    /// The catalogue and one's own, to pick one more.
    void open_chooser();

signals:
    /// Why there cannot be one more.
    void notice(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* build_bar();
    QWidget* build_empty_page();
    QToolButton* add_switch(const QString& id, const QString& text, const QString& effect,
                            bool FigureSettings::*setting);
    void add(const std::string& id);
    void add_picked(const QModelIndex& index);
    void remove(std::size_t index);
    void make_main(std::size_t index);
    void open_menu_of(const std::string& site);
    void accept(const ComparisonSuggestion& suggestion);
    void refresh();
    void fit();
    void show_chips();
    void show_suggestions();

    Document& document_;
    const MechanismLibrary& library_;
    ComparisonModel* model_;
    QScrollArea* bar_area_ = nullptr;
    QScrollArea* page_ = nullptr;  ///< picture and table
    FlowLayout* bar_ = nullptr;
    std::vector<ComparedChip*> chips_;
    QWidget* table_ = nullptr;
    MechanismModel* catalogue_;
    MechanismPopup* popup_ = nullptr;
    QToolButton* add_ = nullptr;
    QLabel* full_ = nullptr;  ///< in its place when there cannot be one more
    struct Switch {
        QToolButton* button;
        bool FigureSettings::*setting;
    };
    std::vector<Switch> switches_;
    QStackedWidget* pages_;
    QLabel* invitation_ = nullptr;
    QVBoxLayout* suggestions_ = nullptr;
    std::vector<QWidget*> suggested_;
    std::string suggested_for_;  ///< the mechanism that they are suggested for
    FigureCanvas* canvas_;
};

}  // namespace headlight
