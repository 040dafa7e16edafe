#pragma once

#include <QWidget>

namespace headlight {

class Document;

/// Fades what a widget shows while the session cannot run: it is of the last run that could.
class StaleVeil : public QWidget {
public:
    /// Lies over `shown`, which owns it, and takes no click from it.
    StaleVeil(const Document& document, QWidget* shown);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();

    const Document& document_;
};

}  // namespace headlight
