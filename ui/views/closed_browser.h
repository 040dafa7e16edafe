#pragma once

#include <QTextBrowser>

namespace headlight {

/// Shows text that came from elsewhere, as a ClosedDocument. Links of the web open in the person's browser,
/// others do nothing: they may name a file of this computer.
class ClosedBrowser : public QTextBrowser {
public:
    explicit ClosedBrowser(QWidget* parent = nullptr);

protected:
    QMimeData* createMimeDataFromSelection() const override;
};

}  // namespace headlight
