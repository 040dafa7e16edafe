// What tells the targets of fuzz_reader.cpp apart.

namespace headlight::test {

extern const char* const reader_name;
const char* const reader_name = HEADLIGHT_READER;

}  // namespace headlight::test
