#include "ui/models/tile_loader.h"

#include "core/attention/thread_limit.h"
#include "ui/models/document.h"

#include <QElapsedTimer>

namespace headlight {

TileLoader& TileLoader::of(Document& document) {
    return document.companions().of<TileLoader>([&document] { return new TileLoader(document); });
}

TileLoader::TileLoader(Document& document) : QObject(&document) {
    connect(&document, &Document::run_changed, this, [this] {
        job_.cancel();
        wanted_.clear();
        refusal_.clear();
    });
}

void TileLoader::set_wanted(const QObject* who, std::vector<Wanted> tiles) {
    if (tiles.empty())
        wanted_.erase(who);
    else
        wanted_[who] = std::move(tiles);
    make_some();
}

void TileLoader::make_some() {
    // The job that runs is let finish: an overview that is begun again with every movement is never done.
    if (job_.is_running() || wanted_.empty() || !refusal_.isEmpty())
        return;
    std::vector<Wanted> tiles;
    for (const auto& [who, theirs] : wanted_)
        tiles.insert(tiles.end(), theirs.begin(), theirs.end());
    wanted_.clear();  // who still waits when these are there says so again
    job_.start(
        "read the map",
        [this, tiles = std::move(tiles)](const Cancellation& cancellation) -> Job::Delivery {
            constexpr qint64 long_enough = 60;  // milliseconds until something new is shown
            QElapsedTimer timer;
            timer.start();
            for (const auto& [map, tile] : tiles) {
                if (cancellation.requested() || timer.elapsed() > long_enough)
                    break;
                // Until there is an overview, all wait for it; from then on a core is left to the frames.
                const bool is_overview = tile.level >= map.tiles->levels().overview();
                const ThreadLimit shared = ThreadLimit::leaving(is_overview ? 0 : 1);
                map.tiles->tile(map.place, tile.level, tile.row, tile.column);
            }
            return [this] { emit changed(); };
        },
        [this](const Error& error) {
            refusal_ = QString::fromStdString(error.what());
            emit changed();
        });
}

}  // namespace headlight
