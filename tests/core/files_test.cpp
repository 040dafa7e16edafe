// Files are read whole or refused, and written whole or not at all.

#include "core/io/files.h"
#include "core/io/folders.h"
#include "core/io/temporaries.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace headlight;
using namespace headlight::test;
namespace fs = std::filesystem;

namespace {

std::atomic<int> next_flock_error = 0;  // of errno; 0: it goes through

}  // namespace

// What no file system of a test does, is done here: this one is the program's own.
extern "C" int flock(int descriptor, int operation) noexcept {
    if (const int error = next_flock_error.exchange(0); error != 0) {
        errno = error;
        return -1;
    }
    return static_cast<int>(syscall(SYS_flock, descriptor, operation));
}

namespace {

mode_t mode_of(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
}

TEST(ReadFile, ReadsEveryByte) {
    const TemporaryFolder folder;
    std::string bytes(300'001, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<char>(i * 7);
    EXPECT_EQ(read_file(folder.write("numbers", bytes)), bytes);
    EXPECT_EQ(read_file(folder.write("empty", "")), "");
}

TEST(ReadFile, RefusesAtOnceWhatIsNoRegularFile) {
    const TemporaryFolder folder;
    const fs::path pipe = folder / "pipe", socket_path = folder / "socket";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::ranges::copy(socket_path.string(), address.sun_path);
    const int socket_number = socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(bind(socket_number, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const auto started = std::chrono::steady_clock::now();
    expect_refusal([&] { read_file(pipe); }, {"pipe", "expected a file", "got a pipe"});
    expect_refusal([&] { read_file(socket_path); }, {"socket", "expected a file", "got a socket"});
    expect_refusal([] { read_file("/dev/zero"); }, {"/dev/zero", "expected a file", "got a device"});
    expect_refusal([] { read_file("/dev/null"); }, {"/dev/null", "expected a file", "got a device"});
    expect_refusal([&] { read_file(folder.path()); }, {"expected a file", "got a folder"});
    EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(1));
    close(socket_number);
}

TEST(ReadFile, ReadsThroughALink) {
    const TemporaryFolder folder;
    fs::create_symlink(folder.write("file", "x"), folder / "link");
    EXPECT_EQ(read_file(folder / "link"), "x");
}

TEST(ReadFile, RefusesWhatIsNotThereIsNoFileOrIsTooLarge) {
    const TemporaryFolder folder;
    expect_refusal([&] { read_file(folder / "missing"); }, {"missing", "No such file"});
    const fs::path file = folder.write("five", "12345");
    EXPECT_EQ(read_file(file, 5), "12345");
    expect_refusal([&] { read_file(file, 4); }, {"five", "at most 4 bytes", "got 5"});
}

TEST(WriteFile, ReplacesTheWholeFile) {
    const TemporaryFolder folder;
    const fs::path file = folder / "file";
    write_file_atomically(file, "first, and longer");
    write_file_atomically(file, "second");
    EXPECT_EQ(read_file(file), "second");
    EXPECT_EQ(folder.size(), 1) << "nothing is left beside it";
}

TEST(WriteFile, KeepsPermissions) {
    const TemporaryFolder folder;
    const fs::path file = folder.write("file", "x");
    chmod(file.c_str(), 0640);
    write_file_atomically(file, "y");
    EXPECT_EQ(mode_of(file), 0640u);
}

TEST(WriteFile, GivesANewFileThePermissionsOfEveryNewFile) {
    const TemporaryFolder folder;
    const mode_t before = umask(027);
    write_file_atomically(folder / "file", "x");
    umask(before);
    EXPECT_EQ(mode_of(folder / "file"), 0640u);
}

TEST(WriteFile, FollowsALinkAndKeepsIt) {
    const TemporaryFolder folder;
    fs::create_directory(folder / "elsewhere");
    const fs::path file = folder.write("elsewhere/file", "old");
    fs::create_symlink("elsewhere/file", folder / "link");
    write_file_atomically(folder / "link", "new");
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(read_file(file), "new");
    EXPECT_EQ(folder.size(), 2);
}

TEST(WriteFile, WritesWhereADanglingLinkLeads) {
    const TemporaryFolder folder;
    fs::create_directory(folder / "elsewhere");
    fs::create_symlink("second", folder / "first");
    fs::create_symlink("elsewhere/file", folder / "second");
    write_file_atomically(folder / "first", "new");
    EXPECT_TRUE(fs::is_symlink(folder / "first") && fs::is_symlink(folder / "second"));
    EXPECT_EQ(read_file(folder / "elsewhere" / "file"), "new");
    fs::create_symlink("nowhere/file", folder / "third");
    expect_refusal([&] { write_file_atomically(folder / "third", "x"); }, {"nowhere/file", "No such file"});
    fs::create_symlink("round", folder / "round");
    expect_refusal([&] { write_file_atomically(folder / "round", "x"); }, {"round", "symbolic links"});
    EXPECT_EQ(folder.size(), 5);
}

TEST(WriteFile, WritesIntoADevice) {
    write_file_atomically("/dev/null", "gone");
    EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST(WriteFile, TakesAPathWithoutAFolder) {
    const TemporaryFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    write_file_atomically("file", "x");
    fs::current_path(before);
    EXPECT_EQ(read_file(folder / "file"), "x");
}

TEST(WriteFile, LeavesNothingBehindWhenItFails) {
    const TemporaryFolder folder;
    fs::create_directory(folder / "folder");
    expect_refusal([&] { write_file_atomically(folder / "no" / "file", "x"); }, {"no/file", "No such file"});
    expect_refusal([&] { write_file_atomically(folder / "folder", "x"); }, {"folder", "Is a directory"});
    expect_refusal([&] { write_file_atomically("/dev/full", "x"); }, {"/dev/full", "No space"});
    EXPECT_EQ(folder.size(), 1);
    EXPECT_TRUE(fs::is_empty(folder / "folder"));
}

TEST(WriteFile, RefusesWhatIsProtected) {
    if (geteuid() == 0)
        GTEST_SKIP() << "root may write everything";
    const TemporaryFolder folder;
    const fs::path file = folder.write("file", "old");
    chmod(file.c_str(), 0444);
    expect_refusal([&] { write_file_atomically(file, "new"); }, {"file", "Permission denied"});
    EXPECT_EQ(read_file(file), "old");
    EXPECT_EQ(folder.size(), 1);
}

// What killed writers leave

/// A process number that nobody has.
pid_t gone() {
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, nullptr, 0);
    return child;
}

std::string temporary_of(pid_t process, int attempt) {
    return ".headlight-" + std::to_string(process) + '-' + std::to_string(attempt) + ".tmp";
}

TEST(Temporaries, ThatAKilledWriterLeftAreSweptByTheNextOne) {
    const TemporaryFolder folder;
    folder.write(temporary_of(gone(), 0), "half");
    folder.write(temporary_of(gone(), 7), "half");
    write_file_atomically(folder / "file", "x");
    EXPECT_EQ(folder.size(), 1) << "the file alone";
}

TEST(Temporaries, OfALivingProcessOrHeldOrOfAnotherNameStay) {
    const TemporaryFolder folder;
    const fs::path living = folder.write(temporary_of(getppid(), 0), "half");
    const fs::path held = folder.write(temporary_of(gone(), 0), "half");
    const fs::path foreign = folder.write(".headlight-notes.tmp", "mine");
    const fs::path old = folder.write(temporary_of(gone(), 0) + ".old", "a model");
    const int descriptor = open(held.c_str(), O_RDONLY);
    ASSERT_EQ(flock(descriptor, LOCK_EX), 0);
    sweep_temporaries(folder.path());
    for (const fs::path& path : {living, held, foreign, old})
        EXPECT_TRUE(fs::exists(path)) << path;
    close(descriptor);
    sweep_temporaries(folder.path(), {}, true);
    EXPECT_FALSE(fs::exists(held));
}

TEST(Temporaries, AreTakenAwayWithTheirFolder) {
    const TemporaryFolder folder;
    const fs::path left = folder / temporary_of(gone(), 0), full = folder / temporary_of(gone(), 1);
    fs::create_directory(left);
    fs::create_directory(full);
    std::ofstream(left / "config.json") << "half";
    std::ofstream(full / "letter.txt") << "somebody's";
    const std::string names[] = {"config.json"};
    sweep_temporaries(folder.path(), names);
    EXPECT_FALSE(fs::exists(left));
    EXPECT_TRUE(fs::exists(full / "letter.txt"));
}

TEST(Temporaries, ThatLiveAreRemovedWhenASignalEndsTheProgram) {
    const TemporaryFolder folder;
    const fs::path file = folder.write("half", "x"), made = folder / "made", inside = made / "config.json";
    fs::create_directory(made);
    std::ofstream(inside) << "half";
    const fs::path done = folder.write("done", "x");
    { const LiveTemporary over(done); }
    const LiveTemporary one(made), two(inside), three(file);
    remove_live_temporaries();
    EXPECT_FALSE(fs::exists(file) || fs::exists(made));
    EXPECT_TRUE(fs::exists(done));
}

// Folders

TEST(OccupiedFolder, HasOneHolderAtATime) {
    const TemporaryFolder folder;
    const fs::path shared = folder / "model";
    std::atomic<int> holders = 0, most = 0, turns = 0;
    const auto work = [&] {
        for (int i = 0; i < 3000; ++i) {
            try {
                const OccupiedFolder mine(shared);
                most = std::max(most.load(), ++holders);
                std::this_thread::yield();
                --holders;
                ++turns;
            } catch (const Error&) {
                std::this_thread::yield();
            }
        }
    };
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(work);
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(most, 1);
    EXPECT_GT(turns, 100);
}

TEST(OccupiedFolder, IsRefusedWhereNothingCanBeLocked) {
    const TemporaryFolder folder;
    next_flock_error = ENOLCK;
    expect_refusal([&] { const OccupiedFolder mine(folder / "model"); },
                   {"model", "expected a folder that can be locked", "got No locks available"});
    EXPECT_EQ(folder.size(), 0) << "the folder that it made is gone";
}

TEST(OccupiedFolder, IsLockedInSpiteOfASignal) {
    const TemporaryFolder folder;
    next_flock_error = EINTR;
    const OccupiedFolder mine(folder / "model");
    EXPECT_EQ(next_flock_error, 0) << "it was interrupted";
    expect_refusal([&] { const OccupiedFolder other(folder / "model"); }, {"no other program is writing"});
}

/// While it lives, a file has no room for more than `bytes`: what a full disk is like.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_{};
    void (*handler_)(int);
};

TEST(WriteFolder, NamesTheTargetWhenTheDiskIsFull) {
    const TemporaryFolder folder;
    const std::string names[] = {"config.json"};
    const FolderFile files[] = {{"config.json", std::string(10'000, 'x')}};
    const FullDisk full(100);
    const std::string message = refusal([&] { write_folder_atomically(folder / "model", files, names); });
    EXPECT_NE(message.find("model/config.json: "), std::string::npos) << message;
    EXPECT_EQ(message.find(".tmp"), std::string::npos) << message;
    EXPECT_EQ(folder.size(), 0);
}

TEST(Extension, IsInLowerCase) {
    EXPECT_EQ(extension_of("a/B.JSON"), ".json");
    EXPECT_EQ(extension_of("a.b/c"), "");
    EXPECT_EQ(extension_of("x.tar.SafeTensors"), ".safetensors");
}

}  // namespace
