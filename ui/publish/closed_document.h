#pragma once

#include <QTextDocument>
#include <QVariant>

namespace headlight {

/// A text that reads nothing that it names: a picture of a lesson from elsewhere may be a file of this
/// computer, or a device that never ends.
class ClosedDocument : public QTextDocument {
public:
    using QTextDocument::QTextDocument;

protected:
    QVariant loadResource(int /*type*/, const QUrl& /*name*/) override { return {}; }
};

}  // namespace headlight
