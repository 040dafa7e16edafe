#pragma once

#include "core/figure/block_sums.h"
#include "ui/jobs/latest_job.h"

#include <QStringList>

namespace headlight {

/// A rectangle of cells of one panel, and what they add up to: at once, or of many cells as soon as a job has
/// added them up.
class CellLasso : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// `block` lies in `whole`, a panel that no zoom has cut. Does nothing where its numbers are those of
    /// before.
    void take(const Panel& whole, const MapBlock& block);
    void release();
    /// Both of the newest take(); nothing and no cell after release().
    const std::optional<Panel>& whole() const { return whole_; }
    const MapBlock& block() const { return block_; }
    /// Nothing while they are being added up, and where they cannot be read: words() say why.
    const std::optional<BlockSums>& sums() const { return sums_; }

    /// "Rows 3 to 7, “the” to “cat”", "Sum 2.3, a row gives these columns 0.46 on average", line by line.
    /// `of_largest` is a sentence about the largest cell.
    QStringList words(const QString& of_largest) const;

signals:
    /// sums() have come after take() has returned.
    void summed();

private:
    std::optional<Panel> whole_;
    MapBlock block_;
    std::optional<BlockSums> sums_;
    QString problem_;
    bool is_taking_ = false;
    LatestJob adding_;
};

}  // namespace headlight
