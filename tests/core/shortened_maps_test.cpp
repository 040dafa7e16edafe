// Large maps of a file that another program makes shorter while it is open, or that is shorter than its
// header says: an Error that says so, and never a signal.

#include "core/figure/build_figure.h"
#include "core/figure/fit_scales.h"
#include "core/io/capture_file.h"
#include "core/map/maps_trace.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace headlight::shortened_maps_test {

using namespace test;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t tokens = 2'100, width = 8;

/// The lowest bytes of a number first.
std::string little_endian(std::uint64_t number, std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i, number >>= 8)
        text += static_cast<char>(number & 0xFF);
    return text;
}

/// The header of an array of float16, and how many bytes follow it.
struct ArrayOfZeros {
    std::string header;
    std::size_t bytes;

    ArrayOfZeros(std::size_t rows, std::size_t columns) : bytes(2 * rows * columns) {
        std::string says = "{'descr': '<f2', 'fortran_order': False, 'shape': (1, 1, " +
                           std::to_string(rows) + ", " + std::to_string(columns) + "), }";
        says.resize(117, ' ');
        says += '\n';
        header = "\x93NUMPY\x01" + little_endian(0, 1) + little_endian(says.size(), 2) + says;
    }
};

/// Zeros take no room on the disk.
fs::path with_zeros(const TemporaryFolder& folder, const std::string& name, const std::string& header,
                    std::size_t zeros) {
    const fs::path path = folder.write(name, header);
    fs::resize_file(path, header.size() + zeros);
    return path;
}

/// An archive as NumPy writes one of arrays that are not compressed, without checksums, which nobody asks for
/// who reads a part.
fs::path archive(const TemporaryFolder& folder, const std::string& name,
                 const std::vector<std::pair<std::string, ArrayOfZeros>>& arrays) {
    const fs::path path = folder / name;
    std::ofstream file(path, std::ios::binary);
    std::string directory;
    const auto put = [&](const std::string& text) { file << text; };
    for (const auto& [array, zeros] : arrays) {
        const auto offset = static_cast<std::uint64_t>(file.tellp());
        const std::size_t size = zeros.header.size() + zeros.bytes;
        const std::string entry = array + ".npy";
        const std::string sizes = little_endian(0, 8) + little_endian(size, 4) + little_endian(size, 4) +
                                  little_endian(entry.size(), 2) + little_endian(0, 2);
        const std::string version = little_endian(20, 2), method = little_endian(0, 4);
        put("PK\x03\x04" + version + method + sizes + entry + zeros.header);
        file.seekp(static_cast<std::streamoff>(zeros.bytes), std::ios::cur);
        directory += "PK\x01\x02" + version + version + method + sizes + little_endian(0, 10) +
                     little_endian(offset, 4) + entry;
    }
    const auto begin = static_cast<std::uint64_t>(file.tellp());
    put(directory + "PK\x05\x06" + little_endian(0, 4) + little_endian(arrays.size(), 2) +
        little_endian(arrays.size(), 2) + little_endian(directory.size(), 4) + little_endian(begin, 4) +
        little_endian(0, 2));
    return path;
}

struct LargeFile {
    std::string name;
    std::function<fs::path(const TemporaryFolder&)> write;
};
void PrintTo(const LargeFile& file, std::ostream* out) { *out << file.name; }

class LargeFiles : public testing::TestWithParam<LargeFile> {};

TEST_P(LargeFiles, ThatBecomeShorterAreRefusedWhereTheyAreRead) {
    const TemporaryFolder folder;
    const fs::path path = GetParam().write(folder);
    const Trace trace = trace_of(read_capture(path), "long");
    ASSERT_TRUE(trace.stages().front().is_large());
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    Figure figure = build_figure(trace, settings);
    fs::resize_file(path, fs::file_size(path) / 3);
    expect_refusal([&] { complete_large_maps(figure, settings.range); },
                   {path.filename().string(), "it has become shorter", "as many as when it was opened"});
    // Whoever asks again is told again, and a row is no other way around it.
    LargeMap end = *figure.panels.front().large;
    end.first_row = end.first_column = tokens - 100;
    expect_refusal([&] { seen_map(end, 100, 100, 100, 100); }, {"shorter"});
    std::vector<double> row(tokens);
    expect_refusal([&] { trace.read_rows(trace.stages().front(), 0, tokens - 1, 1, row); }, {"shorter"});
}

TEST_P(LargeFiles, ThatAreShorterThanTheySayAreRefusedWhenTheyAreOpened) {
    const TemporaryFolder folder;
    const fs::path path = GetParam().write(folder);
    fs::resize_file(path, fs::file_size(path) - 64);
    expect_refusal([&] { read_capture(path); }, {path.filename().string()});
}

INSTANTIATE_TEST_SUITE_P(
    , LargeFiles,
    testing::Values(LargeFile{"npy",
                              [](const TemporaryFolder& folder) {
                                  const ArrayOfZeros array(tokens, tokens);
                                  return with_zeros(folder, "x.npy", array.header, array.bytes);
                              }},
                    LargeFile{"npz",
                              [](const TemporaryFolder& folder) {
                                  return archive(folder, "x.npz", {{"attention", {tokens, tokens}}});
                              }},
                    LargeFile{"safetensors",
                              [](const TemporaryFolder& folder) {
                                  const std::size_t bytes = 2 * tokens * tokens;
                                  const std::string header =
                                      R"({"attention": {"dtype": "F16", "shape": [1, 1, )" +
                                      std::to_string(tokens) + ", " + std::to_string(tokens) +
                                      R"(], "data_offsets": [0, )" + std::to_string(bytes) + "]}}";
                                  return with_zeros(folder, "x.safetensors",
                                                    little_endian(header.size(), 8) + header, bytes);
                              }},
                    LargeFile{
                        "queries_and_keys",
                        [](const TemporaryFolder& folder) {
                            folder.write("x.json", R"({"terms": {"scale": 0.75, "causal": true}})");
                            return archive(folder, "x.npz", {{"q", {tokens, width}}, {"k", {tokens, width}}});
                        }}),
    [](const auto& file) { return file.param.name; });

}  // namespace

}  // namespace headlight::shortened_maps_test
