#pragma once

#include <QToolButton>

namespace headlight {

/// A button of a bar with one of the program's line icons, one and a half times as high as its letters, in
/// the colours of every theme.
class LineIconButton : public QToolButton {
    Q_OBJECT
public:
    /// Without a name it has no icon.
    explicit LineIconButton(const QString& icon, QWidget* parent = nullptr);

    void show_icon(const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    void draw();

    QString icon_;
};

}  // namespace headlight
