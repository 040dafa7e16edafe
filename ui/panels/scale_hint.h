#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace headlight {

class Document;
struct FigureSettings;

/// One quiet line over the picture where all its weights are small, with the scales that show them. Once it
/// is closed, it does not come back before another mechanism is chosen.
class ScaleHint : public QFrame {
    Q_OBJECT
public:
    explicit ScaleHint(Document& document, QWidget* parent = nullptr);

private:
    QToolButton* add_scale(const QString& id, const QString& text, const QString& effect,
                           void (*choose)(FigureSettings&));
    void refresh();

    Document& document_;
    QLabel* message_;
    bool is_dismissed_ = false;
};

}  // namespace headlight
