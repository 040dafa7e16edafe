#include "ui/views/closed_browser.h"

#include "ui/publish/closed_document.h"
#include "ui/render/subscripts.h"

#include <QDesktopServices>
#include <QTextCursor>
#include <QTextDocumentFragment>
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

QMimeData* ClosedBrowser::createMimeDataFromSelection() const { return copied(textCursor().selection()); }

}  // namespace headlight
