#include "ui/views/closed_browser.h"

#include "ui/publish/closed_document.h"

#include <QDesktopServices>
#include <QUrl>

namespace headlight {

ClosedBrowser::ClosedBrowser(QWidget* parent) : QTextBrowser(parent) {
    setDocument(new ClosedDocument(this));
    document()->setDefaultFont(font());
    setOpenLinks(false);
    connect(this, &QTextBrowser::anchorClicked, this, [](const QUrl& link) {
        if (link.scheme() == QLatin1String("https") || link.scheme() == QLatin1String("http"))
            QDesktopServices::openUrl(link);
    });
}

}  // namespace headlight
