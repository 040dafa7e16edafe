#pragma once

#include <QGuiApplication>
#include <QTest>

#include <string_view>

namespace headlight {

/// A file of Qt tests, or of what a test starts. Many files are one program, linked once; `PROGRAM
/// --file=NAME [arguments]` runs the one that is called NAME.cpp with the arguments.
struct TestFile {
    std::string_view path;
    int (*run)(int argc, char** argv);

    /// Makes the file known to the program's main().
    TestFile(std::string_view its_path, int (*its_run)(int argc, char** argv));
};

/// What a test that needs no application gets.
struct NoApplication {
    NoApplication(int&, char**) {}
};

}  // namespace headlight

/// Tells main() of the file's test, which runs under an Application of its own.
#define HEADLIGHT_TEST_FILE(Application, Test)                                                               \
    const headlight::TestFile file_of_##Test(__FILE__, [](int argc, char** argv) {                           \
        [[maybe_unused]] Application application(argc, argv);                                                \
        Test test;                                                                                           \
        QTEST_SET_MAIN_SOURCE_PATH                                                                           \
        return QTest::qExec(&test, argc, argv);                                                              \
    });

// Qt's own define main().
#undef QTEST_MAIN
#define QTEST_MAIN(Test) HEADLIGHT_TEST_FILE(QGuiApplication, Test)
#undef QTEST_GUILESS_MAIN
#define QTEST_GUILESS_MAIN(Test) HEADLIGHT_TEST_FILE(QCoreApplication, Test)
#undef QTEST_APPLESS_MAIN
#define QTEST_APPLESS_MAIN(Test) HEADLIGHT_TEST_FILE(headlight::NoApplication, Test)
