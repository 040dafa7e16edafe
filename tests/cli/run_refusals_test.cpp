// What cannot be run is refused with one line on standard error, the right exit status, and no file left
// behind.

#include "core/io/safetensors.h"
#include "core/io/trace_file.h"
#include "tests/cli/refusal.h"

#include <algorithm>
#include <cmath>

namespace headlight::run_refusals_test {

using namespace headlight::test;

namespace {

struct File {
    std::string name;
    std::string bytes;
};

struct Refused {
    std::string name;
    std::vector<File> files;
    std::vector<std::string> arguments;  ///< after "run"; "-o t.json" is added unless there is an -o
    int status;
    std::string message;  ///< regular expression
};
void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }

class Refusal : public testing::TestWithParam<Refused> {};

TEST_P(Refusal, IsOneLineWithTheRightStatusAndLeavesNothing) {
    const Refused& row = GetParam();
    Workplace place;
    for (const File& file : row.files)
        place.write(file.name, file.bytes);
    std::filesystem::create_directory(place.folder() / "folder.json");

    std::vector<std::string> arguments{"run"};
    arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
    if (std::ranges::count(arguments, "-o") == 0)
        arguments.insert(arguments.end(), {"-o", "t.json"});
    expect_refused(place, arguments, row.status, row.message);
}

// Bad usage: 2

const File small{"i.json", R"({"query": [[1, 2], [3, 4]]})"};

INSTANTIATE_TEST_SUITE_P(
    Usage, Refusal,
    testing::Values(
        Refused{"nothing to run", {}, {}, 2, "expected a mechanism .* or --formula FILE, got none"},
        Refused{
            "nothing to run, before a place for it", {}, {"-o", "t"}, 2, "expected a mechanism .*got none"},
        Refused{"two things to run", {{"s.json", "{}"}}, {"dot", "--spec", "s.json"}, 2, "got 2 of them"},
        Refused{"unknown mechanism",
                {},
                {"scaled_dot"},
                2,
                "expected .*\"scaled_dot_product\".*, got \"scaled_dot\""},
        Refused{"a mechanism by another of its names",
                {},
                {"sdpa"},
                2,
                "expected \"scaled_dot_product\".*\"sdpa\" \\(did you mean \"scaled_dot_product\"\\?\\)"},
        Refused{"two mechanisms", {}, {"dot", "soft"}, 2, "expected 1 name, got \"soft\""},
        Refused{
            "unknown option", {}, {"dot", "--sedd", "1"}, 2, "\"--sedd\" \\(did you mean \"--seed\"\\?\\)"},
        Refused{"a parameter as an option",
                {},
                {"multi_head", "--heads", "4"},
                2,
                "got \"--heads\" \\(a parameter of the mechanism is set with \"--set heads=VALUE\"\\)"},
        Refused{"heads of a mechanism without such a parameter",
                {},
                {"scaled_dot_product", "--heads", "2"},
                2,
                "\\(a field of the spec is set with \"--set heads.type=multi --set heads.heads=VALUE\"\\)"},
        Refused{"heads in front of such a mechanism",
                {},
                {"--heads", "2", "scaled_dot_product"},
                2,
                "with \"--set heads.type=multi --set heads.heads=VALUE\"\\)"},
        Refused{"heads without a value in front of a mechanism that has them",
                {},
                {"--heads", "multi_head", "--seed", "1"},
                2,
                "got \"--heads\" \\(a parameter of the mechanism is set with \"--set heads=VALUE\"\\)"},
        Refused{"heads behind an option whose value is such a mechanism",
                {},
                {"--text", "multi_head", "--heads", "2", "scaled_dot_product"},
                2,
                "with \"--set heads.type=multi --set heads.heads=VALUE\"\\)"},
        Refused{"heads beside a type that there is not",
                {},
                {"scaled_dot_product", "--set", "heads.heads=2", "--set", "heads.type=mutli"},
                2,
                "got \"mutli\" \\(did you mean \"multi\"\\?\\)"},
        Refused{"heads beside a formula",
                {},
                {"--formula", "f.txt", "--heads", "2"},
                2,
                "with \"--set heads.type=multi --set heads.heads=VALUE\"\\)"},
        Refused{"heads in front of a spec",
                {},
                {"--heads", "2", "--spec=s.json"},
                2,
                "with \"--set heads.type=multi --set heads.heads=VALUE\"\\)"},
        Refused{"heads of nothing yet",
                {},
                {"--heads", "2"},
                2,
                "\\(a parameter of [a-z_0-9, ]+ and [0-9]+ others, beside whose name it is set with \"--set "
                "heads=VALUE\"\\)"},
        Refused{"a temperature of a mechanism without such a parameter",
                {},
                {"dot", "--temperature", "2"},
                2,
                "with \"--set normalizer.temperature=VALUE\"\\)"},
        Refused{"a temperature beside a formula",
                {},
                {"--formula", "f.txt", "--temperature", "2"},
                2,
                "got \"--temperature\"\n$"},
        Refused{
            "an option that nothing is called like", {}, {"dot", "--tokens", "5"}, 2, "got \"--tokens\"\n$"},
        Refused{"unknown short option", {}, {"dot", "-x"}, 2, "got \"-x\""},
        Refused{"missing argument at the end",
                {},
                {"dot", "-o", "t.json", "--seed"},
                2,
                "--seed: .*expected N, got nothing"},
        Refused{"missing argument before an option",
                {},
                {"dot", "--text", "--seed", "1"},
                2,
                "--text: .*got \"--seed\""},
        Refused{
            "an option twice", {}, {"dot", "--seed", "1", "--seed", "2"}, 2, "--seed: .*expected it once"},
        Refused{"a value for a switch", {}, {"dot", "--help=yes"}, 2, "--help: .*expected no value"},
        Refused{
            "a seed that is no number", {}, {"dot", "--seed", "x"}, 2, "--seed: .*whole number.*got \"x\""},
        Refused{"a negative seed", {}, {"dot", "--seed", "-1"}, 2, "--seed: .*got \"-1\""},
        Refused{"an amount without a unit",
                {},
                {"dot", "--memory", "4"},
                2,
                "--memory: .*an amount with its unit, as in 4GB or 512MB, got \"4\""},
        Refused{"a dimension of 0", {}, {"dot", "--dimension", "0"}, 2, "--dimension: .*1 to 4096"},
        Refused{"a dimension too large", {}, {"dot", "--dimension", "4097"}, 2, "--dimension: .*1 to 4096"},
        Refused{"unknown vectors", {}, {"dot", "--vectors", "englisch"}, 2, "did you mean \"english\""},
        Refused{"unknown split", {}, {"dot", "--split", "letters"}, 2, "\"words\" or \"characters\""},
        Refused{"unknown reduction", {}, {"dot", "--reduction", "x"}, 2, "\"truncate\" or \"project\""},
        Refused{"set without a value", {}, {"soft", "--set", "temperature"}, 2, "--set: .*NAME=VALUE"},
        Refused{"set of an unknown name",
                {},
                {"soft", "--set", "temprature=1"},
                2,
                "did you mean \"temperature\""},
        Refused{"set out of range",
                {},
                {"soft", "--set", "temperature=-1"},
                2,
                "expected a number from .*, got -1"},
        Refused{"set of a word for a number",
                {},
                {"soft", "--set", "temperature=warm"},
                2,
                "expected a number .*got warm"},
        Refused{"set of an unknown choice",
                {},
                {"additive", "--set", "activation=tahn"},
                2,
                "did you mean \"tanh\""},
        Refused{"set twice",
                {},
                {"soft", "--set", "temperature=1", "--set", "temperature=2"},
                2,
                "every name once"},
        Refused{"a number in the place of several fields",
                {},
                {"dot", "--set", "heads=2"},
                2,
                "--set: .*a field of it: .*\"heads.heads\".*got \"heads=2\""},
        Refused{"set of a bad field",
                {},
                {"dot", "--set", "position.type=ropes"},
                2,
                "--set: /position/type: .*\"sinusoidal\""},
        Refused{"set of an unknown field of a spec",
                {{"s.json", "{}"}},
                {"--spec", "s.json", "--set", "heads.head=2"},
                2,
                "--set: .*did you mean \"heads.heads\""},
        Refused{
            "set of heads of one head",
            {},
            {"scaled_dot_product", "--set", "heads.heads=2"},
            2,
            "--set: heads.heads: .*heads.type=multi, multi_query, grouped_query or talking beside it, got "
            "heads.type=single"},
        Refused{"set of a field that the type of a file does not read",
                {{"s.json", R"({"heads": {"type": "multi", "heads": 2, "kv_heads": 2}})"}},
                {"--spec", "s.json", "--set", "heads.kv_heads=1"},
                2,
                "--set: heads.kv_heads: .*heads.type=grouped_query beside it, got heads.type=multi"},
        Refused{"set of draws of the largest score",
                {},
                {"soft", "--set", "normalizer.draws=5", "--set", "normalizer.type=hard"},
                2,
                "--set: normalizer.draws: .*normalizer.mode=sample beside it, got normalizer.mode=argmax"},
        Refused{"set of a width of no window",
                {},
                {"dot", "--set", "mask.size=2"},
                2,
                "--set: mask.size: .*mask.type=.* beside it, got mask.type=none"},
        Refused{"set of an option of no position",
                {},
                {"dot", "--set", "position.original_length=16"},
                2,
                "--set: position.original_length: .*position.type=fope or rope beside it, got "
                "position.type=none"},
        Refused{
            "set of an option that another one turns off",
            {},
            {"rope", "--set", "position.original_length=16"},
            2,
            "position.scaling=dynamic_ntk, yarn, llama3 or longrope beside it, got position.scaling=none"},
        Refused{"set of a bias that a score lacks",
                {},
                {"dot", "--set", "score.bias=true"},
                2,
                "--set: score.bias: .*score.type=concat, additive, .*beside it, got score.type=dot"},
        Refused{"set of an activation that a score lacks",
                {},
                {"dot", "--set", "score.activation=relu"},
                2,
                "--set: score.activation: .*score.type=concat, additive, .*beside it, got score.type=dot"},
        Refused{"set of a bias where no score would be taken",
                {},
                {"delta", "--set", "score.bias=true"},
                2,
                "--set: score.bias: delta algorithm: expected nothing there: .*, got \"score.bias\""},
        Refused{"set of a bias that another score would have beside the algorithm",
                {},
                {"kv_cache", "--set", "score.bias=true"},
                2,
                "--set: score.bias: .*score.type=concat, additive, .*beside it, got score.type=scaled_dot"},
        Refused{"set of heads where some would be taken",
                {},
                {"delta", "--set", "heads.heads=2"},
                2,
                "heads.type=multi, multi_query or grouped_query beside it, got heads.type=single"},
        Refused{"set of a parameter that a field makes unread",
                {},
                {"multi_head", "--set", "heads=4", "--set", "heads.type=single"},
                2,
                "--set: heads: .*heads.type=multi, multi_query, grouped_query or talking beside it, got "
                "heads.type=single"},
        Refused{"set of the size of a window that a field makes another mask",
                {},
                {"window", "--set", "size=2", "--set", "mask.type=causal"},
                2,
                "--set: size: .*mask.type=.* beside it, got mask.type=causal"},
        Refused{"set of a parameter that another one makes unread",
                {},
                {"hard", "--set", "draws=5"},
                2,
                "--set: draws: .*normalizer.mode=sample beside it, got normalizer.mode=argmax"},
        Refused{"set of a parameter and the field that it sets",
                {},
                {"soft", "--set", "temperature=2", "--set", "normalizer.temperature=3"},
                2,
                "--set: run: expected temperature, or what it sets in the spec, got both"},
        Refused{"set of a part with an option of another type",
                {},
                {"rope", "--set", R"(position={"type": "alibi", "base": 3})"},
                2,
                "--set: /position: .*got \"base\""},
        Refused{"set of a group and its field",
                {{"s.json", "{}"}},
                {"--spec", "s.json", "--set", "mask=3", "--set", "mask.type=causal"},
                2,
                "--set: "},
        Refused{"no output", {}, {"dot", "-o"}, 2, "--output: .*expected FILE, got nothing"},
        Refused{"an output of unknown kind",
                {},
                {"dot", "-o", "t.png"},
                2,
                "-o: .*\\.safetensors, \\.fods, \\.py or \\.formula.*\"t.png\""},
        Refused{"lines of a trace that is no program",
                {},
                {"dot", "--code", "torch", "-o", "t.json"},
                2,
                "--code: .*-o FILE.py.*t.json"},
        Refused{"a library that nobody writes",
                {},
                {"dot", "--code", "jax", "-o", "t.py"},
                2,
                "--code: .*numpy.*torch.*jax"},
        Refused{"a spreadsheet that nobody can look through",
                {},
                {"multi_head", "--split", "characters", "--text",
                 "the quick brown fox jumps over the lazy dog, the quick brown fox jumps over the lazy dog",
                 "-o", "t.fods"},
                1,
                "write a spreadsheet: expected at most 200000 cells with formulas"},
        Refused{"inputs and text",
                {small},
                {"dot", "--inputs", "i.json", "--text", "a"},
                2,
                "--text: .*got both"},
        Refused{"inputs and vectors",
                {small},
                {"dot", "--inputs", "i.json", "--vectors", "hashed"},
                2,
                "--vectors: .*got both"},
        Refused{"a target for self attention",
                {},
                {"dot", "--text", "a", "--target", "b"},
                2,
                "--target: .*two texts; leave it out"},
        Refused{"a target without a text", {}, {"cross", "--target", "a"}, 2, "--target: .*--text"},
        Refused{"patches without an image", {}, {"dot", "--patches", "4"}, 2, "--patches: .*--image"},
        Refused{"an image and a text", {}, {"dot", "--image", "a.png", "--text", "a"}, 2, "--text: .*both"},
        Refused{"an image and inputs",
                {small},
                {"dot", "--image", "a.png", "--inputs", "i.json"},
                2,
                "--inputs: .*both"},
        Refused{"columns of an image",
                {},
                {"swin", "--image", "a.png", "--set", "columns=3"},
                2,
                "--set columns: .*--patches"},
        Refused{"columns of an image in the mask",
                {},
                {"swin", "--image", "a.png", "--set", "mask.columns=3"},
                2,
                "mask.columns"}));

// Bad input: 1

Refused impossible(const std::string& name, const std::string& spec, const std::string& inputs,
                   const std::string& message) {
    return {
        name, {{"s.json", spec}, {"i.json", inputs}}, {"--spec", "s.json", "--inputs", "i.json"}, 1, message};
}

const std::string two_by_two = R"({"query": [[1, 2], [3, 4]]})";
const std::string narrow_keys = R"({"query": [[1, 2], [3, 4]], "key": [[1, 2, 3]]})";
const std::string cross = R"("source": {"type": "cross"})";

INSTANTIATE_TEST_SUITE_P(
    Combinations, Refusal,
    testing::Values(
        impossible("dot of different widths", "{" + cross + R"(, "score": {"type": "dot"}})", narrow_keys,
                   "dot.*2.*3"),
        impossible("scaled dot of different widths", "{" + cross + R"(, "score": {"type": "scaled_dot"}})",
                   narrow_keys, "2.*3"),
        impossible("learned scale of different widths",
                   "{" + cross + R"(, "score": {"type": "learned_scale"}})", narrow_keys, "2.*3"),
        impossible("self similarity of different widths",
                   "{" + cross + R"(, "score": {"type": "self_similarity"}})", narrow_keys, "2.*3"),
        impossible("an activation where nothing is activated",
                   R"({"score": {"type": "dot", "activation": "relu"}})", two_by_two,
                   "score.activation: .*tanh, .*dot has no hidden units.*got relu"),
        impossible("heads that do not divide", R"({"heads": {"type": "multi", "heads": 3}})", two_by_two,
                   "1 or 2 heads for rows of 2 numbers.*got 3 heads"),
        impossible(
            "heads that do not divide a projection",
            R"({"projections": {"type": "learned", "dimension": 5}, "heads": {"type": "multi", "heads": 2}})",
            two_by_two, "1 or 5 heads for rows of 5 numbers.*got 2 heads"),
        impossible("a mask with a column too many",
                   R"({"mask": {"type": "matrix", "allowed": [[1, 1, 1], [1, 1, 1]]}})", two_by_two, "mask"),
        impossible("a mask with a row too few", R"({"mask": {"type": "matrix", "allowed": [[1, 1]]}})",
                   two_by_two, "mask"),
        impossible("a mask of the wrong shape inside others",
                   R"({"mask": {"any": [{"not": {"type": "matrix", "allowed": [[1]]}}]}})", two_by_two,
                   "mask"),
        impossible("ragged mask", R"({"mask": {"type": "matrix", "allowed": [[1, 1], [1]]}})", two_by_two,
                   "s.json: /mask/allowed/1"),
        impossible("unknown word", R"({"score": {"type": "dott"}})", two_by_two,
                   "s.json: /score/type: .*did you mean \"dot\""),
        impossible("unknown field", R"({"scores": {}})", two_by_two, "s.json: .*did you mean \"score\""),
        impossible("a spec that is no JSON", "{", two_by_two, "s.json: line 1, column"),
        impossible("NaN as JSON", "{}", R"({"query": [[1, NaN]]})", "i.json: line 1, column .*NaN"),
        impossible("NaN as a word", "{}", R"({"query": [[1, "NaN"]]})",
                   "i.json: query, row 1, column 2: .*NaN"),
        impossible("infinity as JSON", "{}", R"({"query": [[1, -Infinity]]})", "i.json: line 1.*Infinity"),
        impossible("a number beyond double", "{}", R"({"query": [[1, 1e999]]})", "i.json: "),
        impossible("null", "{}", R"({"query": [[1, null]]})", "i.json: /query, row 1, column 2: "),
        impossible("NaN in a parameter", R"({"score": {"type": "general"}})",
                   R"({"query": [[1]], "parameters": {"W": [["NaN"]]}})",
                   "i.json: W, row 1, column 1: .*NaN"),
        impossible("NaN in a key", "{" + cross + "}", R"({"query": [[1]], "key": [["NaN"]]})",
                   "i.json: key, row 1, column 1: .*NaN"),
        impossible("no token", "{}", R"({"query": []})", "i.json: query"),
        impossible("tokens without numbers", "{}", R"({"query": [[]]})", "query"),
        impossible("ragged query", "{}", R"({"query": [[1, 2], [3]]})", "i.json: /query, row 2: "),
        impossible("values for other keys", "{" + cross + "}",
                   R"({"query": [[1]], "key": [[1], [2]], "value": [[1]]})", "value.*2.*1"),
        impossible("products beyond double", "{}", R"({"query": [[1, 2], [1e300, 3]]})",
                   "i.json: scores, head 1, query 2, key 2: overflow: .*got infinity"),
        impossible("labels of other rows", "{}", R"({"query": [[1]], "tokens": {"query": ["a", "b"]}})",
                   "i.json: tokens/query"),
        impossible("an unknown parameter", "{}", R"({"query": [[1]], "parameters": {"W_Q": [[1]]}})",
                   "i.json: /parameters: .*\"W_o\".*did you mean \"W_q\""),
        impossible("a parameter of another shape", R"({"score": {"type": "general"}})",
                   R"({"query": [[1, 2]], "parameters": {"W": [[1]]}})", "W: .*\\[2, 2\\].*\\[1, 1\\]"),
        impossible("keys and parameters without a query", "{}",
                   R"({"key": [[1, 2]], "parameters": {"W": [[1]]}})", "query")));

std::string repeated(const std::string& part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += part;
    return text;
}
std::string words(int count) { return repeated("a ", count); }
std::string rows(int count) { return repeated("1\n", count); }

std::string safetensors(std::map<std::string, Tensor> tensors) {
    return write_safetensors({std::move(tensors), {}});
}

INSTANTIATE_TEST_SUITE_P(
    Files, Refusal,
    testing::Values(
        Refused{"empty text", {}, {"dot", "--text", ""}, 1, "text"},
        Refused{"blank text", {}, {"dot", "--text", " \n\t "}, 1, "text"},
        Refused{"empty target", {}, {"cross", "--text", "a", "--target", ""}, 1, "text"},
        Refused{"text that is not UTF-8", {}, {"dot", "--text", "a\xff"}, 1, "UTF-8"},
        Refused{"a trace that is too large",
                {},
                {"dot", "--text", words(5000)},
                1,
                "heads × queries × keys.*got 25000000"},
        Refused{"more memory than allowed",
                {},
                {"dot", "--text", words(400), "--memory", "5MB"},
                1,
                "run: expected at most 5.0 MB of memory, as --memory says, got [0-9.]+ MB: 1 head, 400 "
                "queries, 400 "
                "keys"},
        Refused{"rows that a short file makes into large maps",
                {{"long.csv", rows(32768)}},
                {"dot", "--inputs", "long.csv", "--memory", "4GB"},
                1,
                "long.csv: run: expected at most 4.0 GB of memory, as --memory says, got [0-9.]+ GB"},
        Refused{
            "a state that one token makes large",
            {{"wide.csv", "0" + repeated(",0", 2047)}},
            {"based", "--inputs", "wide.csv", "--memory", "4GB"},
            1,
            "wide.csv: run: expected at most 4.0 GB of memory, as --memory says, got [0-9.]+ GB: 1 head, 1 "
            "query, 1 key"},
        Refused{"more words than axes",
                {},
                {"dot", "--text", "a b c", "--vectors", "one_hot", "--dimension", "2"},
                1,
                "one.hot|dimension"},
        Refused{"heads that do not divide the dimension",
                {},
                {"multi_head", "--set", "heads=7"},
                1,
                "32 or 64 heads for rows of 64 numbers.*got 7 heads"},
        Refused{"no such spec", {}, {"--spec", "missing.json"}, 1, "missing.json: .*No such file"},
        Refused{"no such inputs", {}, {"dot", "--inputs", "missing.json"}, 1, "missing.json: .*No such file"},
        Refused{"a folder as spec",
                {},
                {"--spec", "folder.json"},
                1,
                "folder.json: .*expected a file, got a folder"},
        Refused{"a folder as inputs",
                {},
                {"dot", "--inputs", "folder.json"},
                1,
                "folder.json: .*expected a file named .json, .safetensors or .csv, got a folder"},
        Refused{"a folder as output", {}, {"dot", "-o", "folder.json"}, 1, "folder.json: .*directory"},
        Refused{"an output folder that is not there",
                {},
                {"dot", "-o", "no/t.json"},
                1,
                "no/t.json: .*No such file"},
        Refused{"inputs of unknown kind",
                {{"i.xyz", "\1\2"}},
                {"dot", "--inputs", "i.xyz"},
                1,
                "i.xyz: .*\\.safetensors"},
        Refused{"an empty file",
                {{"i.json", ""}},
                {"dot", "--inputs", "i.json"},
                1,
                "i.json: .*got an empty file"},
        Refused{"spaces", {{"i.json", " "}}, {"dot", "--inputs", "i.json"}, 1, "i.json: line 1, column "},
        Refused{"truncated JSON",
                {{"i.json", R"({"query": [[1, 2], [3)"}},
                {"dot", "--inputs", "i.json"},
                1,
                "i.json: line 1, column 2[0-9]"},
        Refused{"truncated safetensors",
                {{"i.safetensors", safetensors({{"query", Tensor({2, 2}, 1)}}).substr(0, 80)}},
                {"dot", "--inputs", "i.safetensors"},
                1,
                "i.safetensors: .*expected"},
        Refused{"an empty safetensors file",
                {{"i.safetensors", ""}},
                {"dot", "--inputs", "i.safetensors"},
                1,
                "i.safetensors: .*got an empty file"},
        Refused{"the beginning of a safetensors file",
                {{"i.safetensors", "\1\2\3"}},
                {"dot", "--inputs", "i.safetensors"},
                1,
                "i.safetensors: .*8 bytes"},
        Refused{"NaN in safetensors",
                {{"i.safetensors", safetensors({{"query", Tensor({2, 2}, std::nan(""))}})}},
                {"dot", "--inputs", "i.safetensors"},
                1,
                "i.safetensors: query, row 1, column 1: .*NaN"},
        Refused{"infinity in safetensors",
                {{"i.safetensors", safetensors({{"query", Tensor({2, 2}, HUGE_VAL)}})}},
                {"dot", "--inputs", "i.safetensors"},
                1,
                "query.*infinity"},
        Refused{"a vector as query",
                {{"i.safetensors", safetensors({{"query", Tensor({2}, 1)}})}},
                {"dot", "--inputs", "i.safetensors"},
                1,
                "tensor \"query\""},
        Refused{"a word in a matrix",
                {{"i.csv", "1,2\n3,four\n"}},
                {"dot", "--inputs", "i.csv"},
                1,
                "i.csv: line 2, column 2.*\"four\""},
        Refused{"a name with a line break", {}, {"dot", "--inputs", "a\nb.json"}, 1, "a\\\\nb.json: "},
        Refused{"a trace as inputs",
                {{"i.json", R"({"format": "headlight-trace/1", "stages": []})"}},
                {"dot", "--inputs", "i.json"},
                1,
                "i.json"}));

TEST(RunRefusal, AnOlderFileIsKeptWhenTheNewOneCannotBeMade) {
    Workplace place;
    place.write("t.json", "old");
    EXPECT_EQ(place.run({"run", "dot", "--text", "", "-o", "t.json"}).status, 1);
    EXPECT_EQ(place.read("t.json"), "old");
}

TEST(RunRefusal, AFullDiskIsNoticed) {
    Workplace place;
    std::filesystem::create_symlink("/dev/full", place.folder() / "full.json");
    const Outcome outcome = place.run({"run", "dot", "-o", "full.json"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.error.find("No space"), std::string::npos) << outcome.error;
}

}  // namespace

}  // namespace headlight::run_refusals_test
