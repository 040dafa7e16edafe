#pragma once

#include "core/figure/large_map.h"
#include "ui/jobs/latest_job.h"

#include <QObject>

#include <vector>

namespace headlight {

class Document;

/// Makes the tiles of large maps that somebody looks at, off the UI thread: a few at a time, so that what is
/// looked at by then comes next.
class TileLoader : public QObject {
    Q_OBJECT
public:
    struct Wanted {
        LargeMap map;
        WantedTile tile;
    };

    /// Returns the loader of the document; made on first use and owned by it.
    static TileLoader& of(Document& document);

    /// What `who` waits for now, in place of what it has waited for; nothing once it is hidden.
    void set_wanted(const QObject* who, std::vector<Wanted> tiles);
    /// Tiles are being made: at least one core is busy with them.
    bool is_making() const { return job_.is_running(); }
    /// Why tiles could not be made, in words; empty if all could.
    const QString& refusal() const { return refusal_; }

signals:
    /// There are more tiles, or refusal().
    void changed();

private:
    explicit TileLoader(Document& document);
    void make_some();

    std::map<const QObject*, std::vector<Wanted>> wanted_;
    QString refusal_;
    /// Frames come first: they show what there is, and a tile a moment later.
    LatestJob job_{Worker::Priority::background};
};

}  // namespace headlight
