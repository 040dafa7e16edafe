#pragma once

#include <QFont>
#include <QLabel>

namespace headlight {

/// Wrapped, selectable text that is laid out once for its width. A QLabel lays such text out afresh for every
/// question that a layout asks about its height, in a panel a dozen times a frame: dragging a slider waited
/// for it.
class WrappedLabel : public QLabel {
    Q_OBJECT
public:
    explicit WrappedLabel(QWidget* parent = nullptr);

    void show_text(const QString& text);
    /// Plain text with its subscripts lowered.
    void show_words(const QString& words);

    bool hasHeightForWidth() const override { return false; }
    QSize sizeHint() const override { return minimumSizeHint(); }
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What the height depends on.
    struct Extent {
        QString text;
        QFont font;
        int width = -1;
        QRect inside;  ///< what margins and style leave of it
        bool operator==(const Extent&) const = default;
    };
    /// Lays the text out where it is another or has another place. A change of theme asks a few times for
    /// each label, and changes nothing of most.
    void fit();
    /// As heightForWidth() has it, which lays the text out twice.
    int height_of_text(int width) const;
    bool is_rich() const;
    /// What is selected, as copied() has it.
    void copy() const;
    /// A link keeps the colour that the theme gave it when its text was set.
    void colour_links();

    Extent fitted_;
    QColor link_colour_;
};

}  // namespace headlight
