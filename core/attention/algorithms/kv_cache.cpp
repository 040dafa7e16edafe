#include "core/attention/arithmetic_text.h"
#include "core/attention/component.h"
#include "core/attention/explained_cell.h"
#include "core/attention/softmax_rows.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <numeric>

namespace headlight {
namespace {

/// Also of a spec whose options are not completed, as a trace may have it.
Index capacity_of(const AttentionSpec& spec) {
    const auto given = spec.algorithm.options.find("capacity");
    return given == spec.algorithm.options.end() ? 0 : std::get<Index>(given->second);
}

/// Keys that the cache holds at a decoding step: [first, end) of the sequence.
struct CachedKeys {
    Index first, end;
    Index count() const { return end - first; }
};

CachedKeys held(const Plan& plan, Index step) {
    const Index capacity = capacity_of(plan.spec), end = plan.allowed.end(step);
    return {capacity > 0 ? std::max<Index>(0, end - capacity) : 0, end};
}

Index bytes_per_row(const Plan& plan) {
    return (plan.key_width + plan.value_width) * plan.algorithm().count("bytes");
}

Index page_of(const AttentionSpec& spec) { return spec.algorithm.options.count("page"); }

/// Where rows of the cache lie: in pages of so many, each wherever one was free when it was needed.
class PageTable {
public:
    /// Pages are handed out in the order of numbers that are drawn by the seed.
    explicit PageTable(const Plan& plan)
        : capacity_(capacity_of(plan.spec) > 0 ? std::min(capacity_of(plan.spec), plan.keys) : plan.keys),
          page_(page_of(plan.spec)), pages_(page_ > 0 ? parts_of_size(capacity_, page_) : 0) {
        std::vector<Index> order(static_cast<std::size_t>(pages_));
        std::iota(order.begin(), order.end(), Index(0));
        std::ranges::stable_sort(order, {}, [seed = plan.seed](Index page) {
            return substream(seed, static_cast<std::uint64_t>(page));
        });
        physical_ = std::move(order);
    }
    bool has_pages() const { return page_ > 0; }
    Index pages() const { return pages_; }
    /// Rows that there is room for.
    Index rows() const { return has_pages() ? pages_ * page_ : capacity_; }
    /// Row j of the sequence is at j modulo the capacity, so that what falls out of the window is
    /// overwritten.
    Index place(Index row) const {
        const Index slot = row % capacity_;
        return has_pages() ? physical_[static_cast<std::size_t>(slot / page_)] * page_ + slot % page_ : slot;
    }
    /// How many rows lie behind each other from this one on.
    Index stretch(Index row) const {
        const Index slot = row % capacity_, of_ring = capacity_ - slot;
        return has_pages() ? std::min(of_ring, page_ - slot % page_) : of_ring;
    }
    /// Pages that are needed for so many rows of a text from its beginning.
    Index in_use(Index rows) const { return parts_of_size(std::min(rows, capacity_), page_); }
    Index page() const { return page_; }

private:
    Index capacity_, page_, pages_;
    std::vector<Index> physical_;
};

/// What happens to the cache at each step, and where its rows are.
void record_counts(const Plan& plan, const Recorder& record) {
    const PageTable table(plan);
    for (Index row = 0; table.has_pages() && row < plan.keys; ++row) {
        const auto place = static_cast<double>(table.place(row));
        record.write("memory_rows", row, &place, 1);
    }
    Index known = 0;
    for (Index step = 0; step < plan.queries; ++step) {
        const CachedKeys now = held(plan, step);
        const auto appended = static_cast<double>(now.end - known), rows = static_cast<double>(now.count());
        const double bytes = rows * static_cast<double>(bytes_per_row(plan));
        record.write("appended_rows", step, &appended, 1);
        record.write("cached_rows", step, &rows, 1);
        record.write("cache_bytes", step, &bytes, 1);
        if (table.has_pages()) {
            const auto pages = static_cast<double>(table.in_use(now.end));
            const double empty = pages * static_cast<double>(table.page()) - rows;
            record.write("pages_in_use", step, &pages, 1);
            record.write("empty_rows", step, &empty, 1);
        }
        known = now.end;
    }
}

/// Rows that were computed once and are kept.
template <class Real>
class Cache {
public:
    Cache(const PageTable& table, Index width)
        : table_(table), width_(width), numbers_(static_cast<std::size_t>(table.rows() * width)) {}
    void append(Index row, const Real* vector) {
        std::copy_n(vector, width_, numbers_.data() + table_.place(row) * width_);
    }
    /// each(row, rows) for the rows [first, end) in their order, as many at a time as lie behind each other.
    template <class Each>
    void for_stretches(Index first, Index end, const Each& each) const {
        for (Index row = first; row < end;) {
            const Index count = std::min(end - row, table_.stretch(row));
            each(row, row_major(numbers_.data(), table_.rows(), width_).row_range(table_.place(row), count));
            row += count;
        }
    }

private:
    const PageTable& table_;
    Index width_;
    std::vector<Real> numbers_;
};

template <class Real>
void run_kv_cache(const Plan& plan, const HeadTask<Real>& task, const Recorder& record) {
    const Index m = plan.keys, d_k = plan.head_key_width(), d_v = plan.head_value_width();
    const PageTable table(plan);
    const Real scale = static_cast<Real>(plan.scale);
    const SoftmaxRows<Real> softmax_rows;
    const auto& by = softmax_rows.arithmetic();
    Cache<Real> keys(table, d_k), values(table, d_v);
    std::vector<Real> scratch;
    Index taken = 0;
    for (Index step = 0; step < plan.queries; ++step) {
        const CachedKeys now = held(plan, step);
        for (; taken < now.end; ++taken) {
            keys.append(taken, task.key.row(taken));
            values.append(taken, task.value.row(taken));
        }
        Real* row = weights_row(task, step, scratch);
        std::fill_n(row, m, -std::numeric_limits<Real>::infinity());
        const Real* query = task.query.row(step);
        keys.for_stretches(now.first, now.end, [&](Index first, MatrixView<const Real> rows) {
            by.inner_products(query, rows, scale, row + first);
        });
        record.write("masked_scores", (task.head * plan.queries + step) * m, row, m);
        softmax_rows.softmax(row, m);
        Real* context = task.context.row(step);
        std::fill_n(context, d_v, Real(0));
        values.for_stretches(now.first, now.end, [&](Index first, MatrixView<const Real> rows) {
            by.add_scaled_rows(row + first, rows, context);
        });
    }
    if (task.head == 0)
        record_counts(plan, record);
}

void check_kv_cache(const Plan& plan) {
    if (!is_composed(plan.spec))
        return;
    const auto refuse = [](const std::string& part, const std::string& expected, const std::string& got) {
        throw Error({"kv_cache algorithm", part, expected, got});
    };
    if (plan.spec.mask_value)
        refuse("mask_value", "none: a cache holds nothing of what a step may not see",
               std::to_string(*plan.spec.mask_value));
    const PositionComponent* position = position_with(plan.spec, &PositionComponent::reads_between);
    if (position && capacity_of(plan.spec) > 0)
        refuse("position", "one that is known of a pair alone: what lies between has left the cache",
               position->word);
    const SelectionComponent* selection = component_of(plan.spec.selection.type);
    if (selection && selection->couples_queries && selection->couples_queries(plan.spec))
        refuse("selection", "one that chooses for each query alone: a step knows no query after it",
               selection->word);
    const NormalizerComponent* normalizer = component_of(plan.spec.normalizer.type);
    if (normalizer && normalizer->couples_rows)
        refuse("normalizer", "one that works on each row alone: a step knows no query after it",
               normalizer->word);
}

template <class Real>
void add_kv_cache_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    if (!is_composed(plan.spec)) {
        pipeline.algorithm = [&plan](const HeadTask<Real>& task, const Recorder& record) {
            run_kv_cache(plan, task, record);
        };
        return;
    }
    pipeline.prepare.push_back([&plan](Index head, const Recorder& record) {
        if (head == 0)
            record_counts(plan, record);
    });
}

Arithmetic explain_kv_cache(const ExplainedCell& cell, std::string_view stage) {
    const Plan& plan = cell.plan;
    if (stage == "memory_rows") {
        const PageTable table(plan);
        const Index place = table.place(cell.row);
        return std::to_string(place / table.page()) + " × " + std::to_string(table.page()) + " + " +
               std::to_string(place % table.page()) +
               ": the page that this row was given, times the rows of one, and its place there; all from 0";
    }
    const CachedKeys now = held(plan, cell.row);
    const std::string rows = std::to_string(now.count());
    if (stage == "appended_rows")
        return plus(static_cast<double>(now.end),
                    -static_cast<double>(cell.row > 0 ? plan.allowed.end(cell.row - 1) : 0)) +
               ": keys that this step may see, less those that were there";
    if (stage == "cached_rows")
        return now.first == 0 ? rows + ": every row that was appended"
                              : rows + ": the newest rows, as many as the cache has room for";
    if (stage == "cache_bytes")
        return rows + " × (" + std::to_string(plan.key_width) + " + " + std::to_string(plan.value_width) +
               ") × " + std::to_string(plan.algorithm().count("bytes")) +
               ": rows, times the numbers of their keys and values in all heads, times the bytes of one";
    if (stage == "pages_in_use")
        return std::to_string(static_cast<Index>(cell.here(stage))) + ": pages that hold " + rows + " rows";
    if (stage == "empty_rows") {
        const PageTable table(plan);
        return std::to_string(table.in_use(now.end)) + " × " + std::to_string(table.page()) + " − " + rows +
               ": rows that the pages have room for, less those that are there";
    }
    return {};
}

}  // namespace

AlgorithmComponent declare_algorithms_kv_cache() {
    AlgorithmComponent component;
    component.meaning = "decoding step by step: each step appends the new keys and values to a cache and "
                        "attends over what it "
                        "holds; the same numbers as all steps at once (Pope et al. 2023, section 2)";
    component.options = {
        count_option("capacity", "Capacity", 0, {0, 512},
                     "How many rows the cache holds; older ones are overwritten, which is a window over the "
                     "newest keys. 0: every row.",
                     "all"),
        count_option("bytes", "Bytes per number", 2, {1, 8},
                     "What one number takes in the cache, for the count of bytes: 2 is half precision."),
        count_option("page", "Rows of a page", 0, {0, 512},
                     "Rows lie in pages of so many, which a table finds, wherever one was free "
                     "(PagedAttention). The result does not depend on it.",
                     "one piece")};
    component.leaves_other_parts = true;
    component.newest_keys = capacity_of;
    component.check = check_kv_cache;
    component.stages = [](const Plan& plan, StageList& list) {
        for (const char* name : {"appended_rows", "cached_rows", "cache_bytes"})
            list.add_rows(name, Axis::query, 1);
        if (page_of(plan.spec) > 0) {
            for (const char* name : {"pages_in_use", "empty_rows"})
                list.add_rows(name, Axis::query, 1);
            list.add_rows("memory_rows", Axis::key, 1);
        }
        if (!is_composed(plan.spec))
            list.add_map("masked_scores");
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        if (is_composed(plan.spec))
            return StepMemory();
        const Index width = plan.head_key_width() + plan.head_value_width();
        const double table = elements(PageTable(plan).pages(), sizeof(Index));
        return StepMemory{.working =
                              (elements(PageTable(plan).rows(), width) + elements(plan.keys)) * needs.real +
                              2 * table};
    };
    component.declared_stages = {{"appended_rows", "Appended rows"},
                                 {"cached_rows", "Rows in the cache"},
                                 {"cache_bytes", "Bytes in the cache"},
                                 {"pages_in_use", "Pages in use"},
                                 {"empty_rows", "Empty rows of the pages"},
                                 made_stage("memory_rows", "Rows in memory", {}, {.is_of_keys = true})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_kv_cache_steps(plan, pipeline); };
    component.cost = [](const Plan& plan) -> AlgorithmCost {
        if (is_composed(plan.spec))  // by the parts, which see what the cache holds
            return {};
        double pairs = 0;
        for (Index step = 0; step < plan.queries; ++step)
            pairs += static_cast<double>(held(plan, step).count() * plan.heads);
        return {.multiply_adds = pairs * static_cast<double>(plan.head_key_width() + plan.head_value_width()),
                .map_numbers = static_cast<double>(plan.heads * plan.keys),
                .cache_numbers = static_cast<double>(plan.key_width + plan.value_width)};
    };
    component.explain = explain_kv_cache;
    return component;
}

}  // namespace headlight
