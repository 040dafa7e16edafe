// The numbers of a view as an archive of NumPy, read again byte by byte. That NumPy reads it too is shown by
// tests/cli/npz_test.py.

#include "core/io/figure_npz.h"

#include "core/figure/build_figure.h"
#include "core/figure/panel_numbers.h"
#include "core/io/capture_file.h"
#include "core/io/numpy_array.h"
#include "core/io/zip_archive.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

#include <cstring>

namespace headlight::figure_npz_test { namespace {

Figure two_by_two() {
    Trace trace({{"", "weights", {Axis::query, Axis::key}, {2, 2}}});
    trace.tokens.query = {"naïve", "🙂\xff"};
    trace.tokens.key = {"x", ""};
    std::ranges::copy(std::vector<double>{0.1, 0.9, 1.0 / 3, -std::numeric_limits<double>::infinity()},
                      trace.values(trace.stages()[0]).begin());
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    Figure figure = build_figure(trace, settings);
    figure.panels[0].row_axis.labels[1] = "🙂\xff";  // which a trace would show as an escape
    return figure;
}

/// An archive that to_npz() wrote, by the names of its files.
class Written {
public:
    explicit Written(const Figure& figure)
        : bytes_(std::make_shared<HeldBytes>(to_npz(figure))), archive_(bytes_) {}

    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const ZipArchive::Entry& entry : archive_.entries())
            names.push_back(entry.name);
        return names;
    }
    /// Its checksum is held to what it has.
    std::string file(const std::string& name) const {
        const auto found = std::ranges::find(archive_.entries(), name, &ZipArchive::Entry::name);
        EXPECT_NE(found, archive_.entries().end()) << name;
        return archive_.unpacked(*found);
    }

private:
    std::shared_ptr<const StoredBytes> bytes_;
    ZipArchive archive_;
};

std::vector<double> numbers_in(const std::string& file, const Shape& shape) {
    const HeldBytes bytes(file);
    const NumpyArray array = read_numpy_header(bytes, 0, bytes.size());
    EXPECT_EQ(array.type_name, "<f8");
    EXPECT_EQ(array.shape, shape);
    EXPECT_FALSE(array.is_by_columns);
    EXPECT_EQ(array.begin % 64, 0u) << "NumPy wants its numbers aligned";
    std::vector<double> numbers((file.size() - array.begin) / sizeof(double));
    std::memcpy(numbers.data(), file.data() + array.begin, file.size() - array.begin);
    return numbers;
}

TEST(FigureNpz, HasEveryDigitAndTheLabels) {
    const Written written(two_by_two());
    EXPECT_EQ(written.names(),
              (std::vector<std::string>{"values_1.npy", "rows_1.npy", "columns_1.npy", "titles.npy"}));
    EXPECT_EQ(numbers_in(written.file("values_1.npy"), {2, 2}),
              (std::vector<double>{0.1, 0.9, 1.0 / 3, -std::numeric_limits<double>::infinity()}));
    // Five characters of four bytes each; the second label is two long: a face, and what is not UTF-8.
    const std::string rows = written.file("rows_1.npy");
    EXPECT_NE(rows.find("'descr': '<U5', 'fortran_order': False, 'shape': (2,)"), std::string::npos);
    const std::u32string expected(U"naïve\U0001F642\xFFFD\0\0\0", 10);
    ASSERT_EQ(rows.size(), 128 + 40u);
    EXPECT_EQ(std::memcmp(rows.data() + 128, expected.data(), 40), 0);
}

TEST(FigureNpz, HasAnArrayForEachPanelAndTheTable) {
    ViewSettings settings;
    settings.view = ViewKind::grid;
    Figure figure = build_figure(samples::sentence(), settings);
    figure.table = {{"head", "entropy"}, {"a", "b"}, {0.5, std::nullopt}};
    const Written written(figure);
    const std::vector<std::string> names = written.names();
    EXPECT_EQ(std::ranges::count_if(names, [](const auto& name) { return name.starts_with("values_"); }),
              static_cast<std::ptrdiff_t>(figure.panels.size()));
    const Panel& second = figure.panels[1];
    EXPECT_EQ(numbers_in(written.file("values_2.npy"), {second.rows, second.columns}), second.values.copy());
    const std::vector<double> table = numbers_in(written.file("table.npy"), {2, 1});
    EXPECT_EQ(table[0], 0.5);
    EXPECT_TRUE(std::isnan(table[1]));
}

/// The maps that a capture of the archive has.
std::vector<LabelledMaps> read_again(const Figure& figure) {
    return parse_capture(std::make_shared<HeldBytes>(to_npz(figure)), ".npz");
}

TEST(FigureNpz, IsReadAgainAsTheMapsThatItWas) {
    ViewSettings settings;
    settings.view = ViewKind::grid;
    const Figure figure = build_figure(samples::sentence(), settings);
    const std::vector<LabelledMaps> maps = read_again(figure);
    ASSERT_EQ(maps.size(), 1u);
    const Panel& first = figure.panels.front();
    EXPECT_EQ(maps[0].maps->extents(),
              (MapSource::Extents{1, std::ssize(figure.panels), first.rows, first.columns}));
    EXPECT_EQ(maps[0].tokens.query, labels_without_spaces(first.row_axis, first.rows));
    EXPECT_EQ(maps[0].tokens.key, std::vector<std::string>()) << "they look at one another";
    for (Index head = 0; head < std::ssize(figure.panels); ++head) {
        const Panel& panel = figure.panels[static_cast<std::size_t>(head)];
        std::vector<double> numbers(panel.values.size());
        maps[0].maps->read_rows({0, head}, 0, panel.rows, numbers);
        EXPECT_EQ(numbers, panel.values.copy()) << head;
    }
}

TEST(FigureNpz, IsReadAgainWithTwoTextsAndAnythingForNumbers) {
    Figure figure = two_by_two();
    figure.panels[0].row_axis.labels = {"a", "b"};
    figure.panels[0].column_axis.labels = {"1", "2"};
    const std::vector<LabelledMaps> maps = read_again(figure);
    ASSERT_EQ(maps.size(), 1u);
    EXPECT_EQ(maps[0].tokens.query, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(maps[0].tokens.key, (std::vector<std::string>{"1", "2"})) << "which are not the queries";
}

TEST(FigureNpz, OfStagesIsReadAgainAsItsWeightsAlone) {
    Figure figure = two_by_two();
    const Panel weights = figure.panels[0];
    Panel tokens = weights;
    tokens.title = "Tokens";
    figure.panels[0].title = "Weights";
    figure.panels.insert(figure.panels.begin(), tokens);
    EXPECT_EQ(read_again(figure).front().maps->extents().heads, 1);
    // Without a word for weights all are maps, and each text has a kind of its own.
    figure.panels[1].title = "Other";
    figure.panels[1].row_axis.labels = {"c", "d"};
    const std::vector<LabelledMaps> kinds = read_again(figure);
    ASSERT_EQ(kinds.size(), 2u);
    EXPECT_EQ(kinds[0].name, "Tokens");
    EXPECT_EQ(kinds[1].name, "Other");
    EXPECT_EQ(kinds[1].tokens.query, (std::vector<std::string>{"c", "d"}));
}

TEST(FigureNpz, RefusesLabelsThatTakeTooMuchMemory) {
    Figure figure = two_by_two();
    figure.panels[0].row_axis.labels = {std::string(1'000'000, 'x'), "y"};
    const MemoryLimit limit(4'000'000);
    EXPECT_THROW(to_npz(figure), Error);
}

}}  // namespace headlight::figure_npz_test
