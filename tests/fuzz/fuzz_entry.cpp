// What libFuzzer calls. `fuzz_NAME CORPUS` runs, `fuzz_NAME --seeds CORPUS` first writes the right files that
// a run may start from.

#include "tests/fuzz/reader.h"

#include <cstring>
#include <filesystem>
#include <fstream>

using namespace headlight::test;

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    if (*argc < 3 || std::strcmp((*argv)[1], "--seeds") != 0)
        return 0;
    const std::filesystem::path corpus = (*argv)[2];
    std::filesystem::create_directories(corpus);
    for (std::size_t i = 0; i < reader().seeds.size(); ++i)
        std::ofstream(corpus / ("seed-" + std::to_string(i)), std::ios::binary) << reader().seeds[i];
    std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    reader().read({reinterpret_cast<const char*>(data), size});
    return 0;
}
