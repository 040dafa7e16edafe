// Files that would hang, exhaust or overwrite: refused with one line, and nothing left behind.

#include "core/io/temporaries.h"
#include "core/tensor/sanitizers.h"
#include "tests/cli/refusal.h"

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>

namespace headlight::hostile_files_test {

using namespace headlight::test;

namespace {

TEST(HostileFiles, PipesAndDevicesAreRefusedAtOnce) {
    Workplace place;
    for (const char* name : {"pipe.json", "pipe.csv", "pipe.png"})
        ASSERT_EQ(mkfifo((place.folder() / name).c_str(), 0600), 0);
    expect_refused(place, {"run", "dot", "--inputs", "pipe.json", "-o", "t.json"}, 1,
                   "pipe.json: .*got a pipe");
    expect_refused(place, {"run", "--spec", "pipe.json", "-o", "t.json"}, 1, "got a pipe");
    expect_refused(place, {"run", "dot", "--image", "pipe.png", "-o", "t.json"}, 1, "got a pipe");
    expect_refused(place, {"render", "pipe.csv", "-o", "t.png"}, 1, "got a pipe");
    expect_refused(place, {"render", "/dev/zero", "-o", "t.png"}, 1, "got a device");
    expect_refused(place, {"attend", "pipe.json", "--text", "a", "-o", "t.json"}, 1, "pipe.json");
}

TEST(HostileFiles, AnOutputIsNeverOneOfTheInputs) {
    Workplace place;
    const std::string inputs = R"({"query": [[1, 2], [3, 4]]})";
    place.write("x.json", inputs);
    place.write("spec.json", "{}");
    std::filesystem::create_hard_link(place.folder() / "x.json", place.folder() / "same.json");
    std::filesystem::create_symlink("x.json", place.folder() / "link.json");
    const std::string message = "-o: run: expected another file than one that is read, got ";
    for (const char* output : {"x.json", "./x.json", "same.json", "link.json"})
        expect_refused(place, {"run", "dot", "--inputs", "x.json", "-o", output}, 2, message);
    expect_refused(place, {"run", "--spec", "spec.json", "-o", "spec.json"}, 2, message);
    EXPECT_EQ(place.read("x.json"), inputs);
    EXPECT_EQ(place.read("spec.json"), "{}");
}

TEST(HostileFiles, NamesCannotGarbleTheMessage) {
    Workplace place;
    place.write("a\xff\u202Egnp.json", "[");
    const Outcome outcome = place.run({"render", "a\xff\u202Egnp.json", "-o", "t.png"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.error.find("a\\xff\\u202egnp.json: "), std::string::npos) << outcome.error;
    EXPECT_TRUE(std::ranges::all_of(outcome.error, [](unsigned char c) {
        return c == '\n' || (c >= 0x20 && c < 0x7f);
    })) << outcome.error;
}

TEST(HostileFiles, AreNotRunWithoutADisplay) {
    Workplace place;
    place.write("session.json", "{}");
#ifdef HEADLIGHT_WINDOW
    expect_refused(place, {"session.json"}, 1,
                   "^headlight: open the window: expected a display .*headlight --help");
#else
    expect_refused(place, {"session.json"}, 2, "^headlight: this build has no window; .*headlight --help");
#endif
}

// A signal while a file is written

std::vector<std::string> temporaries_in(const Workplace& place) {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(place.folder().path()))
        if (const std::string name = file.path().filename().string(); is_temporary_name(name))
            names.push_back(name);
    return names;
}

TEST(Interrupted, LeavesNoTemporaryFile) {
    Workplace place;
    std::string rows;
    for (int i = 0; i < 700; ++i)
        rows += std::to_string(i) + ",1\n";
    place.write("x.csv", rows);
    int seen = 0;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const auto running = place.start({"run", "dot", "--inputs", "x.csv", "-o", "t.json"});
        bool is_writing = false;
        for (int patience = 0; patience < 20'000 && !is_writing; ++patience) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            is_writing = !temporaries_in(place).empty();
        }
        kill(running.process, signal);
        const Outcome outcome = Workplace::finish(running);
        seen += outcome.status == 128 + signal ? 1 : 0;
        EXPECT_TRUE(temporaries_in(place).empty());
        EXPECT_TRUE(outcome.status == 128 + signal || outcome.status == 0) << outcome.error;
    }
    EXPECT_GT(seen, 0) << "every signal came too late: nothing was tried";
}

TEST(Killed, LeavesWhatTheNextRunSweeps) {
    Workplace place;
    const pid_t gone = fork();
    if (gone == 0)
        _exit(0);
    waitpid(gone, nullptr, 0);
    place.write(".headlight-" + std::to_string(gone) + "-0.tmp", "half");
    EXPECT_EQ(place.run({"run", "dot", "-o", "t.json"}).status, 0);
    EXPECT_TRUE(temporaries_in(place).empty());
}

// Memory

/// While it lasts, programs that are started have so much address space.
class AddressSpace {
public:
    explicit AddressSpace(rlim_t bytes) {
        getrlimit(RLIMIT_AS, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_AS, &limit);
    }
    ~AddressSpace() { setrlimit(RLIMIT_AS, &before_); }

private:
    rlimit before_{};
};

TEST(LittleMemory, EndsInOneLine) {
    if (is_sanitized)
        GTEST_SKIP() << "sanitizers need all of the address space";
    constexpr std::size_t ten_megabytes = 10'000'000;
    Workplace place;
    const auto list = [](const std::string& part) {
        std::string text = "[" + part;
        while (text.size() < ten_megabytes)
            text += ',' + part;
        return text + ']';
    };
    place.write("objects.json", "{\"query\": " + list("{\"a\":1}") + '}');
    place.write("lists.json", "{\"stages\": " + list("[]") + ", \"format\": \"headlight-trace/1\"}");
    place.write("strings.json", list("\"\""));
    place.write("numbers.json", "{\"mask\": " + list("0") + '}');
    std::string cells = "1\n";
    cells.resize(40'000'000, ',');
    place.write("cells.csv", cells);
    const AddressSpace little(rlim_t(400) << 20);
    expect_refused(place, {"run", "dot", "--inputs", "objects.json", "-o", "t.json"}, 1, "objects.json: ");
    expect_refused(place, {"render", "lists.json", "-o", "t.png"}, 1, "lists.json: ");
    expect_refused(place, {"run", "--spec", "strings.json", "-o", "t.json"}, 1, "strings.json: ");
    expect_refused(place, {"run", "--spec", "numbers.json", "-o", "t.json"}, 1, "numbers.json: ");
    expect_refused(place, {"run", "dot", "--inputs", "cells.csv", "-o", "t.json"}, 1, "cells.csv: ");
}

}  // namespace

}  // namespace headlight::hostile_files_test
