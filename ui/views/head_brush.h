#pragma once

#include "core/tensor/tensor.h"

#include <QObject>
#include <QWidget>

#include <set>
#include <string>
#include <utility>

namespace headlight {

class Document;

/// Heads that somebody picked out among all, by drawing around their points: every view of all heads lets the
/// others step back. No part of the session, as looking is not an edit.
class HeadBrush : public QObject {
    Q_OBJECT
public:
    using Head = std::pair<std::string, Index>;  ///< site, head from 0

    /// Returns the brush of the document; made on first use and owned by it.
    static HeadBrush& of(Document& document);

    /// Empty: none is picked out.
    const std::set<Head>& heads() const { return heads_; }
    bool steps_back(const Head& head) const { return !heads_.empty() && !heads_.contains(head); }
    void set(std::set<Head> heads);

    /// While the panel is shown, Esc lets all heads stand out again wherever the focus is, unless who has it
    /// takes the key.
    void release_by_escape(QWidget& panel);

signals:
    void changed();

private:
    explicit HeadBrush(Document& document);

    std::set<Head> heads_;
};

}  // namespace headlight
