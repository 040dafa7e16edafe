// Files are read whole or refused, and written whole or not at all.

#include "core/io/files.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace headlight;
using namespace headlight::test;
namespace fs = std::filesystem;

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

TEST(ReadFile, ReadsWhatComesThroughAPipe) {
    const TemporaryFolder folder;
    const fs::path pipe = folder / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(pipe) << std::string(100'000, 'x'); });
    EXPECT_EQ(read_file(pipe), std::string(100'000, 'x'));
    writer.join();
}

TEST(ReadFile, RefusesWhatIsNotThereIsNoFileOrIsTooLarge) {
    const TemporaryFolder folder;
    expect_refusal([&] { read_file(folder / "missing"); }, {"missing", "No such file"});
    expect_refusal([&] { read_file(folder.path()); }, {folder.path().string(), "Is a directory"});
    const fs::path file = folder.write("five", "12345");
    EXPECT_EQ(read_file(file, 5), "12345");
    expect_refusal([&] { read_file(file, 4); }, {"five", "at most 4 bytes", "got 5"});
    expect_refusal([] { read_file("/dev/zero", 100'000); },
                   {"/dev/zero", "at most 100000 bytes", "got more"});
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

TEST(Extension, IsInLowerCase) {
    EXPECT_EQ(extension_of("a/B.JSON"), ".json");
    EXPECT_EQ(extension_of("a.b/c"), "");
    EXPECT_EQ(extension_of("x.tar.SafeTensors"), ".safetensors");
}

}  // namespace
