// Every number of maps, as files for other programs.

#include "core/io/all_maps.h"
#include "core/io/capture_file.h"
#include "core/io/numpy_array.h"
#include "core/io/zip_archive.h"
#include "core/map/site_name.h"
#include "core/tensor/memory.h"
#include "tests/support/generated_maps.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <cstring>

namespace headlight::all_maps_test {

using namespace test;

namespace {

LabelledMaps kind_of(const std::string& name, MapSource::Extents extents, TokenLabels tokens) {
    LabelledMaps kind;
    kind.name = name;
    kind.maps = std::make_shared<GeneratedMaps>(extents, [](MapPlace place, Index query, Index key) {
        return static_cast<double>(1000 * place.layer + 100 * place.head + 10 * query + key);
    });
    kind.tokens = std::move(tokens);
    return kind;
}

std::vector<LabelledMaps> two_kinds() {
    return {kind_of("", {2, 2, 2, 3}, {{"a", "b"}, {"x", "y", "z"}, {}, {}}),
            kind_of("cross", {1, 1, 1, 1}, {})};
}

TEST(AllMaps, AreAnArrayOfEachKind) {
    const auto bytes = std::make_shared<HeldBytes>(maps_npz(two_kinds()));
    const ZipArchive archive(bytes);
    std::vector<std::string> names;
    for (const ZipArchive::Entry& entry : archive.entries())
        names.push_back(entry.name);
    EXPECT_EQ(names, (std::vector<std::string>{"weights.npy", "queries.npy", "keys.npy", "cross.npy",
                                               "cross_queries.npy", "cross_keys.npy"}));
    const std::string file = archive.unpacked(archive.entries().front());
    const HeldBytes held(file);
    const NumpyArray array = read_numpy_header(held, 0, held.size());
    EXPECT_EQ(array.shape, (Shape{2, 2, 2, 3}));
    std::vector<double> numbers(24);
    std::memcpy(numbers.data(), file.data() + array.begin, sizeof(double) * numbers.size());
    EXPECT_EQ(numbers[0], 0);
    EXPECT_EQ(numbers[23], 1112);
}

TEST(AllMaps, AreReadAgainAsTheyWere) {
    std::vector<LabelledMaps> written = two_kinds();
    written[0].sites = {"layer.1", "layer.5"};
    written.push_back(kind_of("decoder.content", {2, 1, 2, 2}, {{"a", "b"}, {}, {}, {}}));
    written.push_back(kind_of("decoder.query", {2, 1, 2, 2}, {{"b", "c"}, {"a", "b"}, {}, {}}));
    written.push_back(kind_of("query", {2, 1, 2, 2}, {{"b", "c"}, {"a", "b"}, {}, {}}));
    const auto read = parse_capture(std::make_shared<HeldBytes>(maps_npz(written)), ".npz");
    ASSERT_EQ(read.size(), written.size());
    for (std::size_t kind = 0; kind < read.size(); ++kind) {
        SCOPED_TRACE(kind);
        EXPECT_EQ(read[kind].name, written[kind].name);
        EXPECT_EQ(read[kind].tokens, written[kind].tokens);
        ASSERT_EQ(read[kind].maps->extents(), written[kind].maps->extents());
        for (Index layer = 0; layer < read[kind].maps->extents().layers; ++layer) {
            EXPECT_EQ(site_at(read[kind], layer), site_at(written[kind], layer));
            for (Index head = 0; head < read[kind].maps->extents().heads; ++head)
                EXPECT_EQ(map_of(*read[kind].maps, {layer, head}),
                          map_of(*written[kind].maps, {layer, head}));
        }
    }
}

TEST(AllMaps, OfOneKindKeepItsName) {
    const std::vector<LabelledMaps> cross{two_kinds().back()};
    const auto read = parse_capture(std::make_shared<HeldBytes>(maps_npz(cross)), ".npz");
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read[0].name, "cross");
}

TEST(AllMaps, AreALineForEachNumber) {
    const std::vector<LabelledMaps> one{two_kinds().front()};
    const std::string csv = maps_csv(one);
    EXPECT_TRUE(csv.starts_with("layer,head,query,key,query token,key token,weight\r\n1,1,1,1,a,x,0\r\n"))
        << csv;
    EXPECT_TRUE(csv.ends_with("2,2,2,3,b,z,1112\r\n")) << csv;
    const std::string both = maps_csv(two_kinds());
    EXPECT_TRUE(both.starts_with("kind,layer,")) << both;
    EXPECT_TRUE(both.ends_with("cross,1,1,1,1,1,1,0\r\n")) << both;
}

TEST(AllMaps, OfTooManyNumbersAreRefusedBeforeAnyIsRead) {
    const LabelledMaps huge = kind_of("", {64, 64, 65'536, 65'536}, {});
    const MemoryLimit limit(std::uint64_t(1) << 30);
    EXPECT_NE(refusal([&] { maps_npz({&huge, 1}); }).find("memory"), std::string::npos);
    EXPECT_NE(refusal([&] { maps_csv({&huge, 1}); }).find("memory"), std::string::npos);
}

}  // namespace
}  // namespace headlight::all_maps_test
