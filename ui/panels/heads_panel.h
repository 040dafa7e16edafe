#pragma once

#include "core/figure/view_kind.h"

#include <QWidget>

#include <string>

class QComboBox;
class QLabel;

namespace headlight {

class Document;
class FlowLayout;
class HeadsCanvas;
struct HeadOrder;

/// A view of all heads as a picture: above, what arranges and colours them; below, what is known of the head
/// under the pointer, or else of the selected one.
class HeadsPanel : public QWidget {
    Q_OBJECT
public:
    HeadsPanel(Document& document, ViewKind kind, QWidget* parent = nullptr);

    HeadsCanvas* canvas() const { return canvas_; }

private:
    /// A list of statistics that sets one part of the order.
    QComboBox* add_choice(FlowLayout& row, const QString& id, const QString& name, const QString& effect,
                          std::string HeadOrder::*part);
    void show_choices();
    void show_note();
    QString note() const;

    Document& document_;
    ViewKind kind_;
    HeadsCanvas* canvas_;
    QLabel* note_;
};

}  // namespace headlight
