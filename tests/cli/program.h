#pragma once

// Starts the real program as a shell would, in a folder of its own and without a display.

#include "core/io/files.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <vector>

namespace headlight::test {

struct Outcome {
    int status = -1;  ///< exit status; 128 + signal when it was killed
    std::string output;
    std::string error;
};

/// A folder with the files of a test in it, in which the program runs.
class Workplace {
public:
    const TemporaryFolder& folder() const { return folder_; }
    std::filesystem::path write(const std::string& name, const std::string& bytes) {
        return folder_.write(name, bytes);
    }
    bool has(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
    std::string read(const std::string& name) const { return read_file(folder_ / name); }

    /// `input`: a file of the folder, which is standard input; nothing comes in without one.
    Outcome run(std::vector<std::string> arguments, const std::string& input = {}) const {
        return finish(start(std::move(arguments), input));
    }

    /// A program that runs while the test does something else.
    struct Running {
        pid_t process = 0;
        std::unique_ptr<TemporaryFolder> streams = std::make_unique<TemporaryFolder>();
    };
    Running start(std::vector<std::string> arguments, const std::string& input = {}) const {
        Running running;
        const std::string output = *running.streams / "output", error = *running.streams / "error";
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        const std::string read = input.empty() ? "/dev/null" : (folder_ / input).string();
        posix_spawn_file_actions_addopen(&actions, 0, read.c_str(), O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT, 0600);
        posix_spawn_file_actions_addopen(&actions, 2, error.c_str(), O_WRONLY | O_CREAT, 0600);
        posix_spawn_file_actions_addchdir_np(&actions, folder_.path().c_str());

        std::string program = HEADLIGHT_PROGRAM;
        // A platform that does not exist: whatever starts a window system, or anything of Qt Gui, fails.
        std::vector<std::string> environment{"PATH=/usr/bin:/bin", "QT_QPA_PLATFORM=none_at_all",
                                             "LC_ALL=C.UTF-8"};
        if (const char* options = std::getenv("TSAN_OPTIONS"))
            environment.push_back(std::string("TSAN_OPTIONS=") + options);
        std::vector<char*> argv{program.data()}, envp;
        for (std::string& argument : arguments)
            argv.push_back(argument.data());
        for (std::string& variable : environment)
            envp.push_back(variable.data());
        argv.push_back(nullptr);
        envp.push_back(nullptr);

        const int failed =
            posix_spawn(&running.process, program.c_str(), &actions, nullptr, argv.data(), envp.data());
        posix_spawn_file_actions_destroy(&actions);
        EXPECT_EQ(failed, 0) << program;
        return running;
    }
    static Outcome finish(const Running& running) {
        int status = 0;
        EXPECT_EQ(waitpid(running.process, &status, 0), running.process);
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                read_file(*running.streams / "output"), read_file(*running.streams / "error")};
    }

private:
    TemporaryFolder folder_;
};

}  // namespace headlight::test
