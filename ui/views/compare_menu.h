#pragma once

#include "core/figure/view_settings.h"

#include <QObject>

namespace headlight {

class ContextMenu;
class Document;

/// Somebody who looks at a map asks what to compare it with: who shows comparisons hears it.
class ComparisonRequest : public QObject {
    Q_OBJECT
public:
    /// Returns the request of the document; made on first use and owned by it.
    static ComparisonRequest& of(Document& document);

signals:
    void asked();

private:
    explicit ComparisonRequest(Document& document);
};

/// Adds to `menu` what compares this map: to pin it, or take it out, and to choose what it is compared with.
void add_compare_actions(ContextMenu& menu, Document& document, const PinnedMap& map);

}  // namespace headlight
