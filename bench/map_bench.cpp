// Maps of 32,768 x 32,768: the overview of a head that is recomputed from queries and keys of width 64,
// beside the matrix product that it contains; and a tile of the finest level, recomputed and read from a
// file. Targets: the overview within twice the product (over_product), under 400 MB resident.

#include "core/tensor/parallel.h"
#include "core/io/capture_file.h"
#include "core/kernels/kernels.h"
#include "core/map/map_tiles.h"
#include "core/map/query_key_maps.h"

#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>

namespace headlight { namespace {

constexpr Index tokens = 32'768;
constexpr Index width = 64;

/// One head of vectors with the numbers of a trained one: scores spread over a few units.
class Vectors : public MapSource {
public:
    explicit Vectors(unsigned seed)
        : MapSource({1, 1, tokens, width}), numbers_(static_cast<std::size_t>(tokens * width)) {
        std::mt19937 random(seed);
        std::normal_distribution<float> normal;
        for (float& number : numbers_)
            number = normal(random);
    }
    void read_rows(MapPlace, Index first, Index count, std::span<double> to) const override {
        std::copy_n(numbers_.begin() + first * width, count * width, to.begin());
    }

private:
    std::vector<float> numbers_;
};

std::shared_ptr<const MapSource> recomputed(bool is_causal) {
    QueryKeyTerms terms;
    terms.scale = 0.125;
    terms.causal = is_causal;
    return std::make_shared<QueryKeyMaps>(std::make_shared<Vectors>(1), std::make_shared<Vectors>(2), terms);
}

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// All scores on all processors, 64 queries by 256 keys at a time, each piece written over the one before:
/// what no way to the same numbers can do without.
template <class Real>
void multiply_alone(const std::vector<Real>& queries, const Storage<Real>& keys) {
    constexpr Index rows = 64, columns = 256;
    const kernels::Table<Real>& table = kernels::table<Real>(kernels::chosen_level());
    parallel_for(tokens / rows, omp_get_max_threads(), [&](Index block, int) {
        thread_local Storage<Real> out(rows * columns);
        for (Index first = 0; first < tokens; first += columns) {
            kernels::Product<Real> product;
            product.left = row_major(queries.data(), tokens, width).row_range(block * rows, rows);
            product.right = {keys.data() + first * width, width, columns};
            product.out = row_major(out.data(), rows, columns);
            table.multiply(product);
        }
        benchmark::DoNotOptimize(out.data());
    });
}

template <class Real>
class ProductAlone {
public:
    ProductAlone() : queries_(static_cast<std::size_t>(tokens * width), Real(0.5)), keys_(tokens * width) {
        std::fill_n(keys_.data(), keys_.size(), Real(0.25));
    }
    /// Seconds.
    double run() const {
        const auto start = std::chrono::steady_clock::now();
        multiply_alone(queries_, keys_);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

private:
    std::vector<Real> queries_;
    Storage<Real> keys_;
};

template <class Real>
void product(benchmark::State& state) {
    const ProductAlone<Real> alone;
    for (auto _ : state)
        alone.run();
}

/// In turns with the product, so that a busy machine is unfair to none.
void overview(benchmark::State& state) {
    const auto maps = recomputed(state.range(0) != 0);
    const MapLevels levels(maps->extents());
    const ProductAlone<double> alone;
    double products = 0, overviews = 0;
    overview_of(*maps, {}, levels);  // the keys are packed
    for (auto _ : state) {
        const auto start = std::chrono::steady_clock::now();
        benchmark::DoNotOptimize(overview_of(*maps, {}, levels));
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        state.SetIterationTime(seconds);
        overviews += seconds;
        products += alone.run();
    }
    state.counters["over_product"] = overviews / products;
    state.counters["peak_MB"] = peak_megabytes();
}

/// From one tile to the next through the finest level, none of them kept. `maps` may have an overview.
void tiles(benchmark::State& state, const MapSource& maps) {
    const MapLevels levels(maps.extents());
    const Index level = state.range(0), across = levels.tiles(level).columns;
    Index next = 0;
    for (auto _ : state) {
        next = (next + 17 * across + 5) % (across * across);
        benchmark::DoNotOptimize(
            folded_tile(maps, {}, levels.block(level, next / across, next % across), level));
    }
    state.counters["peak_MB"] = peak_megabytes();
}

void recomputed_tile(benchmark::State& state) {
    const auto maps = recomputed(false);
    overview_of(*maps, {}, MapLevels(maps->extents()));
    tiles(state, *maps);
}

/// Before anybody has made an overview: the rows of the tile are summed first.
void first_tile(benchmark::State& state) {
    for (auto _ : state) {
        state.PauseTiming();
        const auto maps = recomputed(false);
        std::vector<double> key(1);
        maps->read_block({}, {tokens - 1, 1, 0, 1}, key);
        state.ResumeTiming();
        benchmark::DoNotOptimize(folded_tile(*maps, {}, MapLevels(maps->extents()).block(0, 0, 0), 0));
    }
}

/// A file of float16 that has holes for zeros: read as any other, and 2 GB that take no room.
void stored_tile(benchmark::State& state) {
    const auto path = std::filesystem::temp_directory_path() / "headlight_map_bench.npy";
    {
        std::string header = "{'descr': '<f2', 'fortran_order': False, 'shape': (1, 1, 32768, 32768), }\n";
        std::ofstream file(path, std::ios::binary);
        file << "\x93NUMPY\x01" << '\0' << static_cast<char>(header.size()) << '\0' << header;
        file.close();
        std::filesystem::resize_file(path, 10 + header.size() + 2 * tokens * tokens);
    }
    const auto maps = read_capture(path);
    std::filesystem::remove(path);
    tiles(state, *maps.front().maps);
}

BENCHMARK(product<double>)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(product<float>)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(overview)
    ->ArgName("causal")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->MinTime(5);
BENCHMARK(recomputed_tile)->ArgName("level")->DenseRange(0, 3)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(first_tile)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(10);
BENCHMARK(stored_tile)->ArgName("level")->DenseRange(0, 3)->Unit(benchmark::kMillisecond)->UseRealTime();

}}  // namespace headlight
