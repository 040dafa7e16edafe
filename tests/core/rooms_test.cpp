// The house's one rule: rooms include only rooms above them in their wing; ui includes core, app includes
// both.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace headlight::rooms_test { namespace {

namespace fs = std::filesystem;

const std::vector<std::string> core_rooms{"core/tensor",  "core/kernels",   "core/graph",  "core/text",
                                          "core/image",   "core/attention", "core/map",    "core/program",
                                          "core/catalog", "core/nn",        "core/model",  "core/analysis",
                                          "core/figure",  "core/io",        "core/lesson", "core/workbench"};
const std::vector<std::string> ui_rooms{"ui/render",  "ui/pdf",   "ui/publish", "ui/jobs",  "ui/models",
                                        "ui/actions", "ui/views", "ui/lesson",  "ui/panels"};
const std::vector<std::string> app_rooms{"app/cli", "app"};

std::vector<std::string> allowed_rooms(const std::string& room) {
    std::vector<std::string> allowed;
    for (const auto* wing : {&core_rooms, &ui_rooms, &app_rooms}) {
        for (const auto& other : *wing) {
            allowed.push_back(other);
            if (other == room) {
                return allowed;
            }
        }
    }
    ADD_FAILURE() << room << " is in no wing of the house: add it to the table above";
    return allowed;
}

std::string room_of(const std::string& path) {
    std::string best;
    for (const auto* wing : {&core_rooms, &ui_rooms, &app_rooms})
        for (const auto& room : *wing)
            if (path.starts_with(room + "/") && room.size() > best.size())
                best = room;
    return best;
}

struct Include {
    std::string file;    // relative to the root
    std::string target;  // as written
    bool quoted;
};

std::vector<Include> includes_below(const std::string& wing) {
    static const std::regex pattern(R"(^\s*#\s*include\s*(["<])([^">]+)[">])");
    std::vector<Include> found;
    const fs::path root = HEADLIGHT_SOURCE_DIR;
    for (const auto& entry : fs::recursive_directory_iterator(root / wing)) {
        const auto extension = entry.path().extension();
        if (extension != ".h" && extension != ".cpp" && extension != ".inc")
            continue;
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line);) {
            std::smatch match;
            if (std::regex_search(line, match, pattern))
                found.push_back(
                    {fs::relative(entry.path(), root).generic_string(), match[2], match[1] == "\""});
        }
    }
    return found;
}

TEST(Rooms, IncludeOnlyTheRoomsThatTheTableAllows) {
    for (const std::string wing : {"core", "ui", "app"}) {
        for (const auto& include : includes_below(wing)) {
            const std::string target_room = room_of(include.target);
            if (target_room.empty())
                continue;
            const auto allowed = allowed_rooms(room_of(include.file));
            EXPECT_TRUE(std::ranges::count(allowed, target_room))
                << include.file << " includes " << include.target << ", which its room may not use";
        }
    }
}

TEST(Rooms, IncludesAreWrittenFromTheRootOfTheRepository) {
    for (const std::string wing : {"core", "ui", "app"}) {
        for (const auto& include : includes_below(wing)) {
            if (!include.quoted || include.target.ends_with(".moc") || include.target.starts_with("moc_"))
                continue;
            const bool is_written = fs::exists(fs::path(HEADLIGHT_BINARY_DIR) / "written" / include.target);
            EXPECT_TRUE(is_written || fs::exists(fs::path(HEADLIGHT_SOURCE_DIR) / include.target))
                << include.file << " includes \"" << include.target << "\"";
        }
    }
}

/// Where a pointer and the distance of its rows stand side by side, as parameters or as members.
std::vector<std::string> pointers_with_strides(const std::string& code) {
    static const std::regex stride(R"((constexpr\s+)?\bIndex\s+(?:\w+\s*,\s*)*\w*stride\w*\s*[,;)=])");
    static const std::regex pointer(R"(\w\s*\*\s*\w)");
    std::vector<std::string> found;
    for (std::sregex_iterator at(code.begin(), code.end(), stride), end; at != end; ++at) {
        const auto place = static_cast<std::size_t>(at->position());
        const std::size_t bracket = code.find_last_of("(){}", place);
        const std::size_t begin = bracket == std::string::npos ? 0 : bracket + 1;
        const std::string declared = code.substr(begin, place - begin);
        const bool is_constant = (*at)[1].matched;
        if (!is_constant && std::regex_search(declared, pointer))
            found.push_back(declared + at->str());
    }
    return found;
}

TEST(Rooms, LeavePointersWithAStrideToMatrixViews) {
    EXPECT_EQ(pointers_with_strides("void f(const float* rows, Index stride);").size(), 1U);
    EXPECT_EQ(pointers_with_strides("struct Rows { T* data; Index count, stride = 0; };").size(), 1U);
    EXPECT_TRUE(
        pointers_with_strides("void f(MatrixView<float> rows); Curve(Points points, Index stride);").empty());
    // The kernels' inner loops are compiled for each processor level, the view's own for none.
    const std::vector<std::string> allowed{"core/tensor/", "core/kernels/"};
    const fs::path root = HEADLIGHT_SOURCE_DIR;
    for (const char* wing : {"core", "ui", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(root / wing)) {
            const std::string path = fs::relative(entry.path(), root).generic_string();
            const bool may_have_them = std::ranges::any_of(
                allowed, [&](const std::string& folder) { return path.starts_with(folder); });
            if (may_have_them || (!path.ends_with(".h") && !path.ends_with(".cpp")))
                continue;
            std::ifstream file(entry.path());
            const std::string code(std::istreambuf_iterator<char>(file), {});
            if (code.find("stride") == std::string::npos)
                continue;
            for (const std::string& declared : pointers_with_strides(code))
                ADD_FAILURE() << path << ": " << declared;
        }
}

/** Numbers of places are made where they are read, long after the function has ended that describes them. */
TEST(Rooms, LetFunctionsOfPlacesHoldWhatTheyRead) {
    static const std::regex call(R"(omposer_?\.(constant|truth|of_places|pairs_where)\()");
    const fs::path root = HEADLIGHT_SOURCE_DIR;
    int calls = 0;
    for (const auto& entry : fs::recursive_directory_iterator(root / "core/attention")) {
        if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp")
            continue;
        std::ifstream file(entry.path());
        const std::string code(std::istreambuf_iterator<char>(file), {});
        for (std::sregex_iterator at(code.begin(), code.end(), call), none; at != none; ++at, ++calls) {
            const auto begin = static_cast<std::size_t>(at->position() + at->length());
            std::size_t end = begin;
            for (int open = 1; open > 0 && end < code.size(); ++end)
                open += code[end] == '(' ? 1 : code[end] == ')' ? -1 : 0;
            const std::string arguments = code.substr(begin, end - begin);
            EXPECT_EQ(arguments.find("[&]"), std::string::npos)
                << fs::relative(entry.path(), root).generic_string() << ": " << arguments;
        }
    }
    EXPECT_GT(calls, 100);
}

/** What a person does to a session is an edit of core/workbench, which a test can ask without a window. */
TEST(Rooms, LeaveEditsToTheWorkbench) {
    static const std::regex copy(R"(^\s*(Session|auto)\s+\w+\s*=\s*[^&]*\bsession\(\);)");
    EXPECT_TRUE(std::regex_search("    Session next = document_.session();", copy));
    EXPECT_FALSE(std::regex_search("    const Session& session = document_.session();", copy));
    const fs::path root = HEADLIGHT_SOURCE_DIR;
    for (const char* room : {"ui/models", "ui/views", "ui/lesson", "ui/panels"})
        for (const auto& entry : fs::directory_iterator(root / room)) {
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);)
                EXPECT_FALSE(std::regex_search(line, copy))
                    << fs::relative(entry.path(), root).generic_string() << ": " << line;
        }
}

/** Each line below ui and app that has one of these, as "file: line". */
std::vector<std::string> lines_of_window_with(const std::vector<std::string>& words) {
    std::vector<std::string> found;
    const fs::path root = HEADLIGHT_SOURCE_DIR;
    for (const char* wing : {"ui", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(root / wing)) {
            const std::string path = fs::relative(entry.path(), root).generic_string();
            if (!path.ends_with(".h") && !path.ends_with(".cpp"))
                continue;
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);)
                if (std::ranges::any_of(
                        words, [&](const std::string& word) { return line.find(word) != std::string::npos; }))
                    found.push_back(path + ": " + line);
        }
    return found;
}

/** A part is a member or a parameter: who looks it up by name or class breaks without a word once it is
   called otherwise or stands elsewhere. What Qt keeps inside its own widgets is looked up in one file. */
TEST(Rooms, KnowTheirPartsByMembers) {
    const std::vector<std::string> look_ups = lines_of_window_with({"findChild"});
    EXPECT_FALSE(look_ups.empty());
    for (const std::string& line : look_ups)
        EXPECT_TRUE(line.starts_with("ui/views/inside_qt.cpp:")) << line;
}

/** What one class tells another is a parameter or a signal. The style alone asks widgets of Qt's classes what
   they are for: give_role() and role_of() stand in one file, which names the property. */
TEST(Rooms, TellNothingByDynamicProperties) {
    const std::vector<std::string> uses = lines_of_window_with({"setProperty(", ".property(", "->property("});
    EXPECT_EQ(uses.size(), 2U);
    for (const std::string& line : uses)
        EXPECT_TRUE(line.starts_with("ui/views/role.cpp:")) << line;
}

/** Whether the code makes an action, a key or a menu, or asks Qt for one of its own. */
bool makes_an_action(const std::string& code) {
    static const std::regex pattern(
        R"(\bnew\s+(QAction|QWidgetAction|QShortcut|QMenu)\b)"
        R"(|\bmake_unique<(QAction|QShortcut|QMenu)>|\b(QAction|QShortcut|QMenu)(\s+\w+)?\s*[({][^)]*\w)"
        R"(|\bcreate(Undo|Redo)Action\b|\btoggleViewAction\b)"
        R"(|\baddAction\(\s*(tr\(|QStringLiteral\(|QString\(|"))");
    return std::regex_search(code, pattern);
}

/** What can be chosen, or has a key, is a row of one table, from which ui/actions makes it. What Qt makes
   itself, and cannot be given, is named here. */
TEST(Rooms, MakeActionsFromTheTable) {
    for (const char* made :
         {"auto* action = new QAction(words, this);", "QAction copy(tr(\"Copy\"));", "QMenu menu(this);",
          "auto* shortcut = new QShortcut(this);", "menu->addAction(tr(\"Copy\"), this, &View::copy);"})
        EXPECT_TRUE(makes_an_action(made)) << made;
    for (const char* used :
         {"QAction* copy = make_action(id, this);", "auto* group = new QActionGroup(this);",
          "connect(menu, &QMenu::aboutToShow, this, [this] {", "menu.addAction(offered[at]);",
          "#include <QShortcut>", "QAction& at(const QString& id);", "class ContextMenu : public QMenu {"})
        EXPECT_FALSE(makes_an_action(used)) << used;
    const std::map<std::string, std::string> own{
        {"ui/actions/actions.cpp", "the table's"},
        {"ui/actions/context_menu.cpp", "the table's"},
        {"ui/models/action_tip.cpp", "the tip that Qt makes of a text: asked of an action that nobody sees"},
        {"ui/panels/main_window_menus.cpp", "undo and redo say what they undo: QUndoGroup makes them"},
        {"ui/panels/window_columns.cpp", "a QDockWidget and a QToolBar have one that shows them"},
        {"ui/panels/view_actions_bar.cpp", "the lists of the bar have entries of the menus, under titles"},
    };
    std::set<std::string> found;
    for (const std::string& line : lines_of_window_with({"QAction", "QShortcut", "QMenu", "Action"})) {
        const std::size_t end = line.find(": ");
        const std::string file = line.substr(0, end);
        const std::string code = line.substr(end + 2);
        if (code.starts_with("class ") || !makes_an_action(code))
            continue;
        found.insert(file);
        EXPECT_TRUE(own.contains(file)) << line;
    }
    for (const auto& [file, why] : own)
        EXPECT_TRUE(found.contains(file)) << file << " makes none any more: " << why;
}

/** A file that needs scrolling to find its subject wants to be two. */
TEST(Rooms, KeepTheFilesOfTheWindowShort) {
    const fs::path root = HEADLIGHT_SOURCE_DIR;
    for (const auto& entry : fs::recursive_directory_iterator(root / "ui")) {
        const std::string path = fs::relative(entry.path(), root).generic_string();
        if (!path.ends_with(".h") && !path.ends_with(".cpp"))
            continue;
        std::ifstream file(entry.path());
        const auto lines = std::count(std::istreambuf_iterator<char>(file), {}, '\n');
        EXPECT_LE(lines, path == "ui/panels/main_window.cpp" ? 250 : 400) << path;
    }
}

TEST(Rooms, TheEngineKnowsNoQt) {
    for (const auto& include : includes_below("core"))
        EXPECT_FALSE(std::regex_search(include.target, std::regex("^(Q[A-Z]|Qt)"))) << include.file;
}

TEST(Rooms, TheOraclesKnowNothingButTheStandardLibrary) {
    for (const auto& include : includes_below("tests/reference")) {
        EXPECT_TRUE(!include.quoted || include.target.starts_with("tests/reference/")) << include.file;
        EXPECT_TRUE(include.target.find('/') == std::string::npos || include.quoted) << include.file;
    }
}

/** What an oracle of a file of its own reads of the engine are the options of the spec. */
TEST(Rooms, OraclesOfOneFileComputeByThemselves) {
    const std::vector<std::string> known{"tests/oracle/", "tests/reference/", "core/attention/options.h"};
    for (const char* folder : {"tests/oracle", "tests/added/oracle"})
        for (const auto& include : includes_below(folder)) {
            const bool is_of_several = std::ranges::count(include.file, '/') == 2;
            if (is_of_several || !include.quoted)
                continue;
            EXPECT_TRUE(std::ranges::any_of(
                known, [&](const std::string& start) { return include.target.starts_with(start); }))
                << include.file << " includes " << include.target;
        }
}

/** An oracle is a second opinion: it counts only while what it judges does not read it. */
TEST(Rooms, TheProgramKnowsNoOracle) {
    for (const char* wing : {"core", "ui", "app"})
        for (const auto& include : includes_below(wing))
            EXPECT_FALSE(include.target.starts_with("tests/")) << include.file;
}

/** What stands in more than one file though a file of its own is asked for: "Suite: {files}". */
std::vector<std::string> in_several_files(const std::map<std::string, std::set<std::string>>& files) {
    std::vector<std::string> several;
    for (const auto& [name, its] : files)
        if (its.size() > 1)
            several.push_back(name + ": " + testing::PrintToString(its));
    return several;
}

/** Which files share a program depends on how many there are: two suites of one name, one of them with a
   fixture, fail only once they meet; and two rows of one name would both run for either file, which has its
   rows by their names. */
TEST(Rooms, GiveARowAndASuiteWithAFixtureOneFile) {
    static const std::regex pattern(R"(^TEST(_P|_F)?\((\w+),\s*(\w+)\))");
    const fs::path root = HEADLIGHT_SOURCE_DIR;
    for (const char* folder : {"core", "contract", "cli"}) {
        std::map<std::string, std::set<std::string>> suites, rows;
        std::set<std::string> with_fixture;
        for (const auto& entry : fs::directory_iterator(root / "tests" / folder)) {
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);) {
                std::smatch match;
                if (!std::regex_search(line, match, pattern))
                    continue;
                suites[match[2]].insert(entry.path().filename());
                rows[match[2].str() + "." + match[3].str()].insert(entry.path().filename());
                if (match[1].matched)
                    with_fixture.insert(match[2]);
            }
        }
        EXPECT_FALSE(rows.empty()) << folder;
        std::erase_if(suites, [&](const auto& suite) { return !with_fixture.contains(suite.first); });
        EXPECT_EQ(in_several_files(suites), std::vector<std::string>());
        EXPECT_EQ(in_several_files(rows), std::vector<std::string>());
    }
}

}}  // namespace headlight::rooms_test
