// Captures whose arrays are refused: what there is to choose, and what is wrong.

#include "core/io/zip_archive.h"
#include "tests/cli/refusal.h"
#include "tests/cli/written_arrays.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>
#include <zlib.h>

namespace headlight::refused_arrays_test {

using namespace headlight::test;
using written_arrays::layer;
using written_arrays::npy;
using written_arrays::npy_map;
using written_arrays::npy_of;
using written_arrays::npz;
using written_arrays::two_texts;

namespace {

struct Refused {
    std::string about, file, bytes, notes, says;
};

std::ostream& operator<<(std::ostream& stream, const Refused& refused) { return stream << refused.about; }

class CaptureRefused : public testing::TestWithParam<Refused> {};

TEST_P(CaptureRefused, SaysWhatToChoose) {
    Workplace place;
    place.write(GetParam().file, GetParam().bytes);
    if (!GetParam().notes.empty())
        place.write("x.json", GetParam().notes);
    expect_refused(place, {"analyse", GetParam().file, "--memory", "64MB"}, 1, GetParam().says);
}

/// An archive whose entries are deflated zeros; `patch` changes a record of its directory.
template <class Patch>
std::string deflated_archive(std::size_t entries, Index side, const Patch& patch) {
    const std::string array = npy_of("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, " +
                                         std::to_string(side) + ", " + std::to_string(side) + "), }",
                                     std::string(static_cast<std::size_t>(4 * side * side), '\0'));
    std::string packed(compressBound(array.size()), '\0');
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(array.data()));
    stream.avail_in = static_cast<uInt>(array.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    std::vector<ZipFile> files;
    for (std::size_t i = 0; i < entries; ++i)
        files.push_back({"map" + std::string(1, static_cast<char>('a' + i)) + ".npy", packed});
    std::string archive = zip_archive_of(files);
    const auto put = [&](std::size_t at, std::uint32_t number, std::size_t bytes) {
        std::memcpy(archive.data() + at, &number, bytes);
    };
    const auto size = static_cast<std::uint32_t>(array.size());
    const auto checksum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(array.data()), static_cast<uInt>(array.size())));
    std::size_t number = 0;
    for (std::size_t at = archive.find("PK\1\2"); at != std::string::npos;
         at = archive.find("PK\1\2", at + 4)) {
        put(at + 10, 8, 2);
        put(at + 16, checksum, 4);
        put(at + 24, size, 4);
        patch(number++, at, put);
    }
    return archive;
}

const auto as_it_is = [](std::size_t, std::size_t, const auto&) {};
/// The second entry is the first one again.
const auto overlapping = [](std::size_t number, std::size_t record, const auto& put) {
    if (number == 1)
        put(record + 42, 0, 4);
};

INSTANTIATE_TEST_SUITE_P(
    , CaptureRefused,
    testing::Values(
        Refused{
            "a batch or layers", "x.npz", npz({{"arr_0", npy(two_texts)}, {"arr_1", npy(two_texts)}}), "",
            "x.npz: array \"arr_0\": .*x.json: of a batch \\{\"choose\": \\{\"batch\": 0\\}\\}, of windows "
            "\\{\"choose\": \\{\"window\": 0\\}\\}.*\\{\"axes\": \\[\"layer\", \"head\", \"query\", "
            "\"key\"\\]\\}, got \\[2, 2, 2, 3\\]"},
        Refused{"five axes with several texts", "x.npy",
                npy({{'l', 3}, {'b', 2}, {'h', 2}, {'q', 2}, {'k', 3}}), "",
                "\\{\"axes\": \\[\"layer\", \"batch\", \"head\", \"query\", \"key\"\\], \"choose\": "
                "\\{\"batch\": "
                "0\\}\\}, \\{\"axes\": \\[\"batch\", \"layer\""},
        Refused{"a text that is not there", "x.npy", npy(two_texts), R"({"choose": {"batch": 2}})",
                "\"batch\" from 0 to 1 in x.json, not 2"},
        Refused{"no text is chosen", "x.npy", npy(two_texts),
                R"({"axes": ["batch", "head", "query", "key"]})", "which of the 2 along \"batch\""},
        Refused{"axes without a key", "x.npy", npy(layer), R"({"axes": ["layer", "head", "query"]})",
                "an axis \"key\""},
        Refused{"an axis twice", "x.npy", npy(layer), R"({"axes": ["head", "head", "key"]})",
                "not \"head\" again"},
        Refused{"more axes than there are", "x.npy", npy(layer),
                R"({"axes": ["layer", "head", "query", "key"]})", "an array of 4 axes"},
        Refused{"an unknown axis", "x.npy", npy(layer), R"({"axes": ["haed", "query", "key"]})",
                "did you mean \"head\""},
        Refused{"as many numbers as layers", "x.npy", npy(layer), R"({"layer_numbers": [1, 2]})",
                "expected 1 number, as the array has layers, got 2"},
        Refused{"numbers that fall", "x.npy", npy(layer), R"({"layer_numbers": [2, 1]})",
                "numbers of layers from 0 that rise"},
        Refused{"heads that stand last", "x.npy", npy({{'q', 3}, {'k', 3}, {'h', 2}}),
                R"({"tokens": ["a", "b", "c"]})",
                "expected 2 tokens, as the array has, got 3 \\(its axes are taken for \\[head, query, "
                "key\\]; x.json "
                "can name others as \"axes\"\\)"},
        Refused{
            "layers that NumPy has pickled", "x.npz",
            npz({{"attentions",
                  npy_of("{'descr': '|O', 'fortran_order': False, 'shape': (3,), }", "\x80\x04.")}}),
            "",
            "got \"attentions\" \\[3\\] of objects, which pickle wrote and is not read: np.savez\\(path, "},
        Refused{"heads of two sizes", "x.npz",
                npz({{"head_0", npy_map(0.1)}, {"head_1", npy({{'q', 2}, {'k', 4}})}}), "",
                "all of one shape, got \\[2, 4\\] of layer 1, head 2"},
        Refused{"a head with three axes", "x.npz", npz({{"head_0", npy(layer)}, {"head_1", npy(layer)}}), "",
                "array \"head_0\": .*its name says one head.*x.json: \\{\"axes\": \\[\"layer\", \"query\", "
                "\"key\"\\]\\}.*got \\[2, 2, 3\\]"},
        Refused{"a part of none", "x.1-of-0.npy", npy(layer), "",
                "a part from 1 to as many as there are.*got 1-of-0"},
        Refused{"a part behind the last", "x.3-of-2.npy", npy(layer), "", "got 3-of-2"},
        Refused{"entries that are large together", "x.npz", deflated_archive(10, 1600, as_it_is), "",
                "all entries: .*at most 64.0 MB"},
        Refused{"entries that share bytes", "x.npz", deflated_archive(2, 4, overlapping), "",
                "entry \"map[ab].npy\": .*bytes of its own.*belong to entry \"map[ab].npy\""}));

}  // namespace

}  // namespace headlight::refused_arrays_test
