// A view, a file format and a theme that a test file declares are on the command line and wanted in its
// manual.
#include "app/cli/cli.h"
#include "core/io/files.h"
#include "core/io/named_widths.h"
#include "core/io/session_words.h"
#include "core/tensor/csv.h"
#include "tests/support/declared.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace headlight::declared_once_cli_test { namespace {

/// The line of docs/files.md about a session's view.
std::string session_row() {
    const std::string files = read_file(HEADLIGHT_SOURCE_DIR "/docs/files.md");
    const std::size_t start = files.find("| `view` | `view`: ");
    return start == std::string::npos ? std::string() : files.substr(start, files.find('\n', start) - start);
}

/// The line of docs/command-line.md about themes.
std::string theme_line(const std::string& manual) {
    const std::size_t start = manual.find("| `--theme THEME` |");
    return start == std::string::npos ? std::string()
                                      : manual.substr(start, manual.find('\n', start) - start);
}

/// What the manual does not say: views, endings of figures, names of widths, and themes.
std::vector<std::string> missing_in_the_manual() {
    const std::string manual = read_file(HEADLIGHT_SOURCE_DIR "/docs/command-line.md");
    const std::string session = session_row();
    std::vector<std::string> missing;
    for (const View& view : views()) {
        const std::string word = "`" + std::string(view.kind.word()) + "`";
        if (manual.find("| " + word + " | " + view.shows + " |") == std::string::npos ||
            session.find(word) == std::string::npos)
            missing.emplace_back(view.kind.word());
    }
    for (const Exporter& exporter : exporters())
        if (manual.find("| `." + std::string(exporter.format.extension()) + "` | " + exporter.about + " |") ==
            std::string::npos)
            missing.emplace_back(exporter.format.extension());
    for (const NamedWidth& width : named_widths()) {
        std::string mm = csv_number(std::round(10 * width.mm) / 10);
        if (manual.find("| `" + std::string(width.name) + "` | " + mm + " mm | " + std::string(width.place) +
                        " |") == std::string::npos)
            missing.emplace_back(width.name);
    }
    for (const ThemeRow& theme : theme_rows())
        if (theme_line(manual).find("`" + std::string(theme.word) + "`") == std::string::npos)
            missing.emplace_back(theme.word);
    return missing;
}

class DeclaredOnce : public testing::Test {
protected:
    static void SetUpTestSuite() {
        missing_before() = missing_in_the_manual();  // said in a test: a failure here would skip them all
        add_view(samples::declared_view());
        add_exporter(samples::declared_exporter());
        add_theme_row(samples::declared_theme());
        folder() = std::filesystem::temp_directory_path() / ("declared-" + std::to_string(getpid()));
        std::filesystem::create_directory(folder());
    }
    static std::vector<std::string>& missing_before() {
        static std::vector<std::string> missing;
        return missing;
    }
    static void TearDownTestSuite() { std::filesystem::remove_all(folder()); }
    static std::filesystem::path& folder() {
        static std::filesystem::path path;
        return path;
    }
};

TEST_F(DeclaredOnce, TheManualHasARowForEach) {
    EXPECT_EQ(missing_before(), std::vector<std::string>());
    EXPECT_EQ(missing_in_the_manual(), (std::vector<std::string>{"diagonal", "words", "sepia"}));
}

TEST_F(DeclaredOnce, BothAreDrawnAndWritten) {
    const std::string trace = folder() / "t.json", figure = folder() / "f.words";
    ASSERT_EQ(run_command_line({"run", "dot", "--text", "a b c", "-o", trace}), 0);
    ASSERT_EQ(run_command_line({"render", trace, "--view", "diagonal", "-o", figure}), 0);
    const std::string bytes = read_file(figure);
    EXPECT_TRUE(bytes.starts_with("The diagonal\n"));
    EXPECT_NE(bytes.find("\"diagonal\""), std::string::npos) << "the session that the figure carries";
    // The figure comes back from the session inside.
    ASSERT_EQ(run_command_line({"render", figure, "-o", folder() / "again.words"}), 0);
    EXPECT_EQ(read_file(folder() / "again.words"), bytes);
}

TEST_F(DeclaredOnce, AThemeIsDrawnAndKept) {
    const std::string trace = folder() / "themed.json", figure = folder() / "themed.svg";
    ASSERT_EQ(run_command_line({"run", "dot", "--text", "a b c", "-o", trace}), 0);
    ASSERT_EQ(run_command_line({"render", trace, "--theme", "sepia", "-o", figure}), 0);
    const std::string bytes = read_file(figure);
    EXPECT_NE(bytes.find("#f4ecd8"), std::string::npos) << "its ground";
    EXPECT_NE(bytes.find("#3b2a1a"), std::string::npos) << "its text";
    EXPECT_NE(bytes.find("sepia"), std::string::npos) << "the session that the figure carries";
    ASSERT_EQ(run_command_line({"render", figure, "-o", folder() / "themed_again.svg"}), 0);
    EXPECT_EQ(read_file(folder() / "themed_again.svg"), bytes);
}

TEST_F(DeclaredOnce, HelpAndListNameEach) {
    testing::internal::CaptureStdout();
    ASSERT_EQ(run_command_line({"render", "--help"}), 0);
    const std::string help = testing::internal::GetCapturedStdout();
    EXPECT_NE(help.find("diagonal"), std::string::npos);
    EXPECT_NE(help.find(".words"), std::string::npos);
    EXPECT_NE(help.find("sepia"), std::string::npos);
    testing::internal::CaptureStdout();
    ASSERT_EQ(run_command_line({"list", "--json"}), 0);
    const std::string list = testing::internal::GetCapturedStdout();
    EXPECT_NE(list.find("What each token gives to itself"), std::string::npos);
    EXPECT_NE(list.find("brown on cream, as old prints are"), std::string::npos);
}

TEST_F(DeclaredOnce, FilesAreRecognisedByTheirEnding) {
    EXPECT_TRUE(may_carry_session("a.WORDS"));
    EXPECT_FALSE(may_carry_session("a.csv"));
    EXPECT_TRUE(extension_list().ends_with(" or .words"));
}

}}  // namespace headlight::declared_once_cli_test
