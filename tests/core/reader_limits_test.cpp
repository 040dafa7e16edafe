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

template <class Use>
void unless_refused(const Use& use) {
    try {
        use();
    } catch (const Error&) {
    }
}

/// The time that this thread alone has taken: other programs may be at work.
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

/// A file is read beside one with a sixteenth of its bytes.
constexpr std::size_t parts = 16;

/// Sixteen times the bytes take sixteen times as long where the time is in proportion, and 256 times where
/// each byte is compared with all others. 64 lies between: four times too long is what a cache that the whole
/// does not fit in, or a neighbour on the same core, may cost on any machine. Of processor time, the shortest
/// of ten turns.
template <class Work>
void expect_proportion(const Work& whole, const Work& part) {
    double of_whole = std::numeric_limits<double>::infinity();
    double of_part = of_whole;
    for (int turn = 0; turn < 10; ++turn) {
        of_part = std::min(of_part, seconds_of(part));
        of_whole = std::min(of_whole, seconds_of(whole));
        if (of_whole < 4 * parts * of_part)
            return;
    }
    ADD_FAILURE() << of_whole << " s for the whole, " << of_part << " s for a sixteenth of it";
}

/// `part` over and over, with commas between.
std::string list_of_parts(const std::string& part, std::size_t bytes) {
    std::string text = "[" + part;
    while (text.size() < bytes)
        text += ',' + part;
    return text + ']';
}

/// {"k0": 1, "k7": 1, ...} with the names in no order.
std::string object_of_names(const std::string& start, std::size_t bytes) {
    std::vector<int> names(bytes / (start.size() + 11));
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

std::vector<Hostile> hostile_values(std::size_t bytes) {
    std::string deep(30, '[');
    deep += "1" + std::string(30, ']');
    return {
        {"objects", list_of_parts(R"({"a":1})", bytes)},
        {"empty objects", list_of_parts("{}", bytes)},
        {"empty lists", list_of_parts("[]", bytes)},
        {"deep lists", list_of_parts(deep, bytes)},
        {"digits", list_of_parts("0", bytes)},
        {"long numbers", list_of_parts("-1.2345678901234567e-300", bytes)},
        {"one number", "1" + std::string(bytes, '0') + "e-5000000"},
        {"words", list_of_parts("true", bytes)},
        {"strings", list_of_parts(R"("")", bytes)},
        {"escapes", list_of_parts(R"("\u00e9\u00e9\u00e9\u00e9")", bytes)},
        {"one string", '"' + std::string(bytes, 'x') + '"'},
        {"names", object_of_names("", bytes)},
        {"long names", object_of_names(std::string(60, 'x'), bytes)},
        {"spaces", std::string(bytes, ' ') + "1"},
        {"rows of different lengths", list_of_parts("[1,2],[3]", bytes)},
        {"a list in the last row", list_of_parts("[1,2]", bytes).insert(bytes - 1, "],[[")},
    };
}

using HostileAndPart = std::pair<Hostile, Hostile>;
void PrintTo(const HostileAndPart& row, std::ostream* out) { *out << row.first.name; }

std::vector<HostileAndPart> hostile_values_and_parts() {
    const std::vector<Hostile> whole = hostile_values(hostile_bytes);
    const std::vector<Hostile> part = hostile_values(hostile_bytes / parts);
    std::vector<HostileAndPart> pairs;
    for (std::size_t i = 0; i < whole.size(); ++i)
        pairs.emplace_back(whole[i], part[i]);
    return pairs;
}

class HostileJson : public testing::TestWithParam<HostileAndPart> {};

TEST_P(HostileJson, TakesTimeInProportionToItsBytes) {
    const auto read_inputs = [](const std::string& value) {
        return [text = "{\"query\": " + value + '}'] { unless_refused([&] { parse_inputs_json(text); }); };
    };
    const auto read_trace = [](const std::string& value) {
        return [text = R"({"format": "headlight-trace/1", "stages": [{"data": )" + value + "}]}"] {
            unless_refused([&] { parse_trace_json(text); });
        };
    };
    const auto& [whole, part] = GetParam();
    expect_proportion(read_inputs(whole.text), read_inputs(part.text));
    expect_proportion(read_trace(whole.text), read_trace(part.text));
}

INSTANTIATE_TEST_SUITE_P(All, HostileJson, testing::ValuesIn(hostile_values_and_parts()));

TEST(HostileSafetensors, WithManyTensorsTakesTimeInProportionToItsBytes) {
    const auto read_tensors = [](std::size_t count) {
        std::string header = "{\"x\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]}";
        for (std::size_t i = 1; i < count; ++i)
            header += ",\"t" + std::to_string(i) + R"(":{"dtype":"F64","shape":[0],"data_offsets":[8,8]})";
        return [file = safetensors_bytes(header + '}', std::string(8, '\0')), count] {
            EXPECT_EQ(parse_safetensors(file).tensors.size(), count);
        };
    };
    constexpr std::size_t count = is_sanitized ? 4'000 : 40'000;
    expect_proportion(read_tensors(count), read_tensors(count / parts));
}

// Memory

TEST(HostileJson, IsRefusedBeforeItsDocumentTakesMoreThanTheLimit) {
    const MemoryLimit limit(2'000'000);
    expect_refusal([] { parse_json(list_of_parts("[]", 300'000)); },
                   {"parse JSON", "at most 2.0 MB of memory", "more"});
    expect_refusal([] { parse_json(object_of_names("", hostile_bytes)); }, {"at most 2.0 MB of memory"});
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
