#pragma once

#include "core/figure/view_kind.h"
#include "ui/views/head_brush.h"

#include <QWidget>

#include <set>
#include <string>
#include <vector>

class QComboBox;
class QLabel;

namespace headlight {

class Document;
class FlowLayout;
class HeadsCanvas;
struct HeadOrder;
struct ScatterAxes;

/// A view of all heads as a picture: above, what arranges and colours them; below, what is known of the head
/// under the pointer, or else of the selected one.
class HeadsPanel : public QWidget {
    Q_OBJECT
public:
    HeadsPanel(Document& document, ViewKind kind, QWidget* parent = nullptr);

    HeadsCanvas* canvas() const { return canvas_; }

private:
    /// A list of statistics that sets one part of the order; of a HeadVis tree its metrics, which set
    /// `metric`.
    QComboBox* add_choice(FlowLayout& row, const QString& id, const QString& name, const QString& effect,
                          std::string HeadOrder::*part, std::string ScatterAxes::*metric = nullptr);
    /// Fills the lists of the scatter with the statistics, or with the metrics that the run's heads have.
    void list_numbers();
    /// Greys what no head of the run has a number of, and orders heads by it no more.
    void take_numbers();
    /// Lets the heads that a text asks for stand out; all where it finds none.
    void pick_out(const QString& asked);
    void show_choices();
    void show_note();
    QString note() const;

    Document& document_;
    ViewKind kind_;
    HeadsCanvas* canvas_;
    QLabel* note_;
    /// A list, and the part of the order that it sets.
    struct Choice {
        QComboBox* list;
        std::string HeadOrder::*part;
        std::string ScatterAxes::*metric;  ///< in its place of a HeadVis tree; may be null
    };
    std::vector<Choice> choices_;
    std::set<HeadBrush::Head> found_;   ///< that were picked out by what is written
    std::vector<std::string> metrics_;  ///< that the lists of the scatter have; empty: statistics
};

}  // namespace headlight
