// The plan knows the memory of its run: every allocation of the program is counted here, in a program of its
// own, and what is planned is held to the most that was there at once.

#include "core/attention/component.h"
#include "core/attention/run_memory.h"
#include "core/catalog/mechanism.h"
#include "core/map/lazy_run.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/sanitizers.h"
#include "tests/support/attention_runs.h"
#include "tests/support/component_axes.h"
#include "tests/support/long_tests.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <malloc.h>

using namespace headlight;
using namespace headlight::test;

// Sanitizers have allocators of their own.
#if !defined(HEADLIGHT_ADDRESS_SANITIZER) && !defined(HEADLIGHT_THREAD_SANITIZER)
namespace {

std::atomic<long> live = 0, most = 0;

void* counted(void* memory) {
    if (memory) {
        const long now = live += static_cast<long>(malloc_usable_size(memory));
        long before = most;
        while (now > before && !most.compare_exchange_weak(before, now))
            ;
    }
    return memory;
}

}  // namespace

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): the names that the C library gives to what is replaced here
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(std::size_t size) { return counted(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) { return counted(__libc_calloc(count, size)); }
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    return counted(__libc_memalign(alignment, size));
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
    *memory = counted(__libc_memalign(alignment, size));
    return *memory ? 0 : ENOMEM;
}
void* realloc(void* memory, std::size_t size) {
    live -= static_cast<long>(memory ? malloc_usable_size(memory) : 0);
    return counted(__libc_realloc(memory, size));
}
void free(void* memory) {
    live -= static_cast<long>(memory ? malloc_usable_size(memory) : 0);
    __libc_free(memory);
}
}

namespace {

/// The most that `work` had allocated at once.
template <class Work>
double allocated_by(const Work& work) {
    const long before = live;
    most = before;
    work();
    return static_cast<double>(most - before);
}

struct Row {
    std::string name;
    std::vector<AttentionSpec> specs;
};
std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

/// A component in plain surroundings, and with projections and heads; as it is, and with each of its choices,
/// these in turns in the one and in the other, but in the long form.
template <class Components, class Part>
void add_components(std::vector<Row>& rows, const std::string& axis, const Components& components,
                    const Part& part) {
    for (const auto& component : components) {
        Row row{axis + "_" + component.word, {}};
        std::size_t around = 0;
        for (const char* surrounding : {R"({})", R"({"projections": {"type": "learned", "bias": true},
                           "heads": {"type": "multi", "heads": 4}, "mask": {"type": "causal"}})"}) {
            std::vector<Options> settings{{}};
            for (const Option& option : component.options) {
                for (const std::string& choice : option.choices)
                    settings.push_back({{option.name, choice}});
                if (std::holds_alternative<bool>(option.standard))
                    settings.push_back({{option.name, !std::get<bool>(option.standard)}});
                if (std::holds_alternative<Index>(option.standard))
                    settings.push_back({{option.name, static_cast<Index>(std::min(option.maximum, 60.0))}});
            }
            for (std::size_t turned = 0; turned < settings.size(); ++turned) {
                if (turned != 0 && !has_turn(turned + around, 5))
                    continue;
                AttentionSpec each = spec(surrounding);
                part(each).type = component.type;
                part(each).options = settings[turned];
                row.specs.push_back(each);
            }
            ++around;
        }
        rows.push_back(row);
    }
}

std::vector<Row> rows() {
    std::vector<Row> list;
    for (const Mechanism& mechanism : mechanisms())
        list.push_back({"mechanism_" + mechanism.id, {build_spec(mechanism, {})}});
    for_every_component_axis([&](const auto&... axis) { add_components(list, axis...); });
    for (const char* heads : {"multi", "grouped_query", "talking"})
        for (const char* normalizer : {"softmax", "sinkhorn"})
            for (const char* score : {"scaled_dot", "general", "additive"}) {
                AttentionSpec each =
                    spec(R"({"projections": {"type": "learned"}, "score": {"type": ")" + std::string(score) +
                         R"("}, "heads": {"type": ")" + heads + R"(", "heads": 4, "kv_heads": )" +
                         (std::string(heads) == "grouped_query" ? "2" : "4") +
                         R"(}, "normalizer": {"type": ")" + normalizer + R"("}})");
                list.push_back({std::string(heads) + "_" + normalizer + "_" + score, {each}});
            }
    return list;
}

struct Extent {
    Index queries, keys, width;
};

/// Long, wide, and few queries on many keys, which without a second sequence is long again.
constexpr Extent extents[] = {{320, 320, 16}, {12, 12, 256}, {3, 1500, 32}};

class RunMemory : public testing::TestWithParam<Row> {};

/// Never less than a run takes, and not much more.
void hold(const char* kept, double planned, double taken) {
    constexpr double small = 600e3;
    SCOPED_TRACE(kept);
    EXPECT_GE(planned, taken) << memory_text(taken) << " were taken, " << memory_text(planned) << " planned";
    EXPECT_LE(planned, 1.5 * taken + small)
        << memory_text(planned) << " were planned, " << memory_text(taken) << " taken";
}

TEST_P(RunMemory, IsWhatThePlanSays) {
    RandomEngine random(5);
    int runs = 0;
    for (const AttentionSpec& spec : GetParam().specs)
        for (const Extent& extent : extents) {
            const bool is_cross = spec.source.type == SourceType::cross;
            Inputs inputs;
            inputs.query = random_tensor(
                {is_cross ? extent.queries : std::min<Index>(extent.keys, 320), extent.width}, random);
            if (is_cross)
                inputs.key = random_tensor({extent.keys, extent.width}, random);
            if (!is_cross && extent.queries < extent.keys && runs > 0 && !is_long())
                continue;
            SCOPED_TRACE(to_json(spec).dump() + " on " + to_string(inputs.query.shape()) + " and " +
                         to_string(inputs.key_tokens().shape()));
            bool is_lazy = false;
            try {
                is_lazy = has_lazy_rows(*planned(spec, inputs));
            } catch (const Error&) {
                continue;
            }
            ++runs;
            double of_trace = 0, of_output = 0;
            const double recorded = allocated_by([&] {
                const auto made = planned(spec, inputs);
                of_trace = run_memory(*made, Keeps::trace).total();
                const Trace trace = record(made);
            });
            const double discarded = allocated_by([&] {
                const auto made = planned(spec, inputs);
                of_output = run_memory(*made, Keeps::output).total();
                Executor<double>(made, Executor<double>::Weights::discard).run();
            });
            hold("trace", of_trace, recorded);
            hold("output", of_output, discarded);
            if (is_lazy) {
                double of_rows = 0;
                const double lazy = allocated_by([&] {
                    const auto made = planned(spec, inputs);
                    of_rows = run_memory(*made, Keeps::rows).total();
                    const Trace trace = record_lazy(made);
                });
                hold("rows", of_rows, lazy);
            }
            if (testing::Test::HasFailure())
                return;
        }
    EXPECT_GT(runs, 0) << "everything was refused";
}

INSTANTIATE_TEST_SUITE_P(Catalogue, RunMemory, testing::ValuesIn(rows()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
#endif
