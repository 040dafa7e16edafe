#include "tests/support/test_file.h"

#include <cstdio>
#include <string>
#include <vector>

namespace headlight {
namespace {

std::vector<TestFile>& files() {
    static std::vector<TestFile> files;
    return files;
}

}  // namespace

TestFile::TestFile(std::string_view its_path, int (*its_run)(int argc, char** argv))
    : path(its_path), run(its_run) {
    files().push_back(*this);
}

}  // namespace headlight

int main(int argc, char** argv) {
    constexpr std::string_view option = "--file=";
    const std::string_view word = argc > 1 ? argv[1] : "";
    if (word.starts_with(option)) {
        const std::string ending = "/" + std::string(word.substr(option.size())) + ".cpp";
        argv[1] = argv[0];
        for (const headlight::TestFile& file : headlight::files())
            if (file.path.ends_with(ending))
                return file.run(argc - 1, argv + 1);
    }
    std::fprintf(stderr, "'%s': expected --file=NAME, one of\n", argc > 1 ? argv[1] : "");
    for (const headlight::TestFile& file : headlight::files())
        std::fprintf(stderr, "  %s\n", std::string(file.path.substr(file.path.rfind('/') + 1)).c_str());
    return 2;
}
