// Hostile files take time in proportion to their bytes, and are refused before what they expand to is
// allocated.

#include "core/io/inputs_file.h"
#include "core/io/json_document.h"
#include "core/io/json_text.h"
#include "core/io/safetensors.h"
#include "core/io/trace_file.h"
#include "core/tensor/memory.h"
#include "core/tensor/sanitizers.h"
#include "tests/support/refusal.h"
#include "tests/support/safetensors_bytes.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <new>
#include <numeric>
#include <random>

using namespace headlight;
using namespace headlight::test;

namespace {

std::atomic<long> allocations = 0;

}  // namespace

// NOLINTBEGIN(misc-new-delete-overloads,cppcoreguidelines-no-malloc): counts what a destructor allocates
void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size))
        return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {  // std::stable_sort asks for it
    ++allocations;
    return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
// NOLINTEND(misc-new-delete-overloads,cppcoreguidelines-no-malloc)

namespace {

constexpr std::size_t hostile_bytes = is_sanitized ? 300'000 : 5'000'000;

/// For so many bytes, on a machine that is not slow.
constexpr double allowed_seconds = is_sanitized ? 2 : 0.5;

template <class Use>
void unless_refused(const Use& use) {
    try {
        use();
    } catch (const Error&) {
    }
}

/// Of this thread: other programs may be at work.
double thread_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Work>
double seconds_of(const Work& work) {
    const double before = thread_seconds();
    work();
    return thread_seconds() - before;
}

/// Of processor time. A neighbour on the same core slows a program down: the shortest of ten turns counts,
/// where the first takes too long. On a slow machine `work` may take twice as long as `peer`, which does as
/// much and is known to take time in proportion.
template <class Work, class Peer>
void expect_quick(const Work& work, const Peer& peer) {
    double shortest = seconds_of(work);
    double allowed = allowed_seconds;
    for (int turn = 1; turn < 10 && shortest >= allowed; ++turn) {
        allowed = std::max(allowed, 2 * seconds_of(peer));
        shortest = std::min(shortest, seconds_of(work));
    }
    EXPECT_LT(shortest, allowed);
}

/// `part` over and over, with commas between.
std::string list_of_parts(const std::string& part, std::size_t bytes = hostile_bytes) {
    std::string text = "[" + part;
    while (text.size() < bytes)
        text += ',' + part;
    return text + ']';
}

/// {"k0": 1, "k7": 1, ...} with the names in no order.
std::string object_of_names(const std::string& start) {
    std::vector<int> names(hostile_bytes / (start.size() + 11));
    std::iota(names.begin(), names.end(), 1'000'000);
    std::shuffle(names.begin(), names.end(), std::mt19937(3));
    std::string text = "{";
    for (const int name : names)
        text += (text.size() > 1 ? ",\"" : "\"") + start + std::to_string(name) + "\":1";
    return text + '}';
}

struct Hostile {
    const char* name;
    std::string text;
};
void PrintTo(const Hostile& row, std::ostream* out) { *out << row.name; }

std::vector<Hostile> hostile_values() {
    std::string deep(30, '[');
    deep += "1" + std::string(30, ']');
    return {
        {"objects", list_of_parts(R"({"a":1})")},
        {"empty objects", list_of_parts("{}")},
        {"empty lists", list_of_parts("[]")},
        {"deep lists", list_of_parts(deep)},
        {"digits", list_of_parts("0")},
        {"long numbers", list_of_parts("-1.2345678901234567e-300")},
        {"one number", "1" + std::string(hostile_bytes, '0') + "e-5000000"},
        {"words", list_of_parts("true")},
        {"strings", list_of_parts(R"("")")},
        {"escapes", list_of_parts(R"("\u00e9\u00e9\u00e9\u00e9")")},
        {"one string", '"' + std::string(hostile_bytes, 'x') + '"'},
        {"names", object_of_names("")},
        {"long names", object_of_names(std::string(60, 'x'))},
        {"spaces", std::string(hostile_bytes, ' ') + "1"},
        {"rows of different lengths", list_of_parts("[1,2],[3]")},
        {"a list in the last row", list_of_parts("[1,2]").insert(hostile_bytes - 1, "],[[")},
    };
}

class HostileJson : public testing::TestWithParam<Hostile> {};

TEST_P(HostileJson, TakesTimeInProportionToItsBytes) {
    const std::string inputs = "{\"query\": " + GetParam().text + '}';
    const std::string trace =
        R"({"format": "headlight-trace/1", "stages": [{"data": )" + GetParam().text + "}]}";
    const auto expect_as_quick_as_the_library = [](const auto& read, const std::string& text) {
        expect_quick([&] { unless_refused(read); },
                     [&] { const auto document = nlohmann::json::parse(text, nullptr, false); });
    };
    expect_as_quick_as_the_library([&] { parse_inputs_json(inputs); }, inputs);
    expect_as_quick_as_the_library([&] { parse_trace_json(trace); }, trace);
}

INSTANTIATE_TEST_SUITE_P(All, HostileJson, testing::ValuesIn(hostile_values()));

TEST(HostileSafetensors, WithManyTensorsTakesTimeInProportionToItsBytes) {
    std::string header = "{\"x\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]}";
    for (int i = 0; i < 40'000; ++i)
        header += ",\"t" + std::to_string(i) + R"(":{"dtype":"F64","shape":[0],"data_offsets":[8,8]})";
    header += '}';
    const std::string file = safetensors_bytes(header, std::string(8, '\0'));
    expect_quick([&] { EXPECT_EQ(parse_safetensors(file).tensors.size(), 40'001u); },
                 [&] { EXPECT_TRUE(nlohmann::json::parse(header).is_object()); });
}

// Memory

TEST(HostileJson, IsRefusedBeforeItsDocumentTakesMoreThanTheLimit) {
    const MemoryLimit limit(2'000'000);
    expect_refusal([] { parse_json(list_of_parts("[]", 300'000)); },
                   {"parse JSON", "at most 2.0 MB of memory", "more"});
    expect_refusal([] { parse_json(object_of_names("")); }, {"at most 2.0 MB of memory"});
    expect_refusal([] { parse_json(list_of_parts(R"("0123456789abcdefghij")", 1'000'000)); }, {"2.0 MB"});
    EXPECT_NO_THROW(parse_json(list_of_parts("[]", 50'000)));
}

TEST(Json, NumbersOfInputsAndTracesTakeEightBytesEach) {
    const std::string numbers = list_of_parts("[1,2,3,4,5,6,7,8]", 100'000);
    const auto count = 8 * static_cast<std::size_t>(std::ranges::count(numbers, ']') - 1);
    const MemoryLimit limit(8 * count + 10'000);
    EXPECT_EQ(static_cast<std::size_t>(parse_inputs_json("{\"query\": " + numbers + '}').query.size()),
              count);
    expect_refusal([&] { parse_json(numbers); }, {"of memory"});
}

TEST(HostileCsv, IsRefusedByTheNumberOfItsCells) {
    const MemoryLimit limit(7'000'000);
    expect_refusal([] { parse_inputs_csv("1,2\n" + std::string(1'000'000, ',')); },
                   {"read CSV", "at most 7.0 MB of memory", "8.0 MB for 1000003 cells"});
    expect_refusal([] { parse_inputs_csv(std::string(2'000'000, ',')); },
                   {"line 1", "at most 1048576 cells", "more"});
}

TEST(HostileSafetensors, IsRefusedByWhatItsNumbersTake) {
    const auto bytes = [](const char* name) {
        return safetensors_bytes(std::string("{\"") + name +
                                     R"(":{"dtype":"I8","shape":[1000,1000],"data_offsets":[0,1000000]}})",
                                 std::string(1'000'000, '\1'));
    };
    EXPECT_EQ(parse_inputs_safetensors(bytes("query")).query(999, 999), 1);
    const MemoryLimit limit(7'000'000);
    expect_refusal([&] { parse_inputs_safetensors(bytes("query")); },
                   {"read inputs", "at most 7.0 MB of memory", "got 8.0 MB"});
    expect_refusal([&] { parse_safetensors(bytes("query")); }, {"at most 7.0 MB of memory", "got 8.0 MB"});
    expect_refusal([&] { parse_inputs_safetensors(bytes("W_x")); }, {"\"W_q\"", "\"W_x\""});
}

TEST(JsonDocument, FreesItselfWithoutAllocating) {
    for (const Hostile& hostile :
         {Hostile{"lists", list_of_parts("[[1,2],[3],{}]", 10'000)},
          Hostile{"objects", list_of_parts(R"({"a":{"b":[1,"a long string of letters"]}})", 10'000)}}) {
        auto document = std::make_unique<JsonDocument>(parse_json(hostile.text));
        const long before = allocations;
        document.reset();
        EXPECT_EQ(allocations, before) << hostile.name;
    }
}

}  // namespace
