// Files and folders of other programs are named for what they are.

#include "core/io/foreign_file.h"
#include "core/io/inputs_file.h"
#include "core/io/model_folder.h"
#include "core/io/safetensors.h"
#include "core/io/session.h"
#include "core/io/shipped_models.h"
#include "core/io/trace_file.h"
#include "tests/support/refusal.h"
#include "tests/support/safetensors_bytes.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>

namespace headlight::foreign_file_test {

using namespace test;
namespace fs = std::filesystem;
using namespace std::string_literals;

namespace {

std::string name_of(const fs::path& path) {
    const auto found = foreign_file(path);
    return found ? found->name : "nothing foreign";
}

std::string number(std::uint64_t value, std::size_t bytes) { return length_prefix(value).substr(0, bytes); }

/// An archive as far as it is looked at: the first file's head, and its directory.
std::string zip_of(const std::vector<std::string>& names, const std::string& content = {}) {
    std::string head = "PK\3\4" + std::string(22, '\0') + number(names.front().size(), 2) + number(0, 2);
    head += names.front() + content + std::string(300, 'x');
    for (const std::string& name : names)
        head += "PK\1\2" + std::string(24, '\0') + number(name.size(), 2) + std::string(16, '\0') + name;
    return head + "PK\5\6" + std::string(18, '\0');
}

/// A GGUF file's beginning: version 3, no tensor, one key.
std::string gguf_of(const std::string& architecture) {
    const std::string key = "general.architecture";
    return "GGUF" + number(3, 4) + number(0, 8) + number(1, 8) + number(key.size(), 8) + key + number(8, 4) +
           number(architecture.size(), 8) + architecture;
}

struct Known {
    std::string file, bytes, name;
};
void PrintTo(const Known& row, std::ostream* out) { *out << row.file; }

class ForeignBytes : public testing::TestWithParam<Known> {};

TEST_P(ForeignBytes, AreNamed) {
    const TemporaryFolder folder;
    EXPECT_EQ(name_of(folder.write(GetParam().file, GetParam().bytes)), GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(
    All, ForeignBytes,
    testing::Values(
        Known{"a.gguf", gguf_of("llama"), "a GGUF model (llama)"}, Known{"b.gguf", "GGUF", "a GGUF model"},
        Known{"c.gguf", gguf_of("x\x1b\u202Ey"), "a GGUF model (x\\x1b\\u202ey)"},
        Known{"a.npy", "\x93NUMPY\1\0v\0"s, "a NumPy array (.npy)"},
        Known{"a.npz", zip_of({"weights.npy"}), "NumPy arrays (.npz)"},
        Known{"a.pt", zip_of({"model/data.pkl", "model/data/0"}), "a PyTorch checkpoint"},
        Known{"a.docx", zip_of({"[Content_Types].xml", "word/document.xml"}), "a Word document"},
        Known{"a.xlsx", zip_of({"[Content_Types].xml", "xl/workbook.xml"}), "an Excel workbook"},
        Known{"a.pptx", zip_of({"[Content_Types].xml", "ppt/presentation.xml"}), "a PowerPoint presentation"},
        Known{"a.odt", zip_of({"mimetype"}, "application/vnd.oasis.opendocument.text"),
              "a LibreOffice document"},
        Known{"a.keras", zip_of({"metadata.json", "model.weights.h5"}), "a Keras model"},
        Known{"a.zip", zip_of({"letter.txt"}), "a ZIP archive"},
        Known{"a.bin", "\x80\2}q\0ctorch._utils\n"s, "a PyTorch checkpoint of the old kind"},
        Known{"a.pkl", "\x80\4\x95list"s, "Python objects (pickle)"},
        Known{"a.onnx", "\x08\x07\x12\x07pytorch", "an ONNX model"},
        Known{"a.h5", "\x89HDF\r\n\x1a\n keras_version", "a Keras model (HDF5)"},
        Known{"b.h5", "\x89HDF\r\n\x1a\n", "an HDF5 file"},
        Known{"a.tflite", "\x1c\0\0\0TFL3"s, "a TensorFlow Lite model"},
        Known{"spiece.model", "\x0a\x0e\x0a\x05<unk>\x15", "a SentencePiece tokenizer"},
        Known{"a.pdf", "%PDF-1.7\n", "a PDF without a Headlight session"},
        Known{"a.png", "\x89PNG\r\n\x1a\n", "a PNG picture without a Headlight session"},
        Known{"a.svg", "<?xml version=\"1.0\"?>\n<svg/>", "an SVG picture without a Headlight session"},
        Known{"a.doc", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
              "an Office document of the old kind (.doc, .xls, .ppt)"},
        Known{"a.md", "# Größe\n", "plain text"}, Known{"a.html", "<!DOCTYPE html><html>", "a web page"},
        Known{"a.safetensors", "<!DOCTYPE html><html>", "a web page"},
        Known{"a.xhtml", "<?xml version=\"1.0\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\">",
              "a web page"},
        Known{"a.php", "<?php\nrequire 'page.inc';\n", "a web page"},
        Known{"b.safetensors", "version https://git-lfs.github.com/spec/v1\n",
              "a pointer of Git LFS in place of the file"},
        Known{"a.parquet", "PAR1", "a Parquet table"}, Known{"a.tgz", "\x1f\x8b\x08", "an archive (gzip)"},
        Known{"a.json", "", "an empty file"}, Known{"a.ipynb", "{\"nbformat\": 4}", "plain text"},
        Known{"b.json", "{\"nbformat\": 4}", "a Jupyter notebook"},
        Known{"config.json", R"({"model_type": "llama"})", "the configuration of a checkpoint of Llama"},
        Known{"o.json", R"({"model_type": "opennmt-transformer", "architectures": ["Transformer"]})",
              "the configuration of a checkpoint of opennmt-transformer"},
        Known{"f.json", R"({"model_type": "llama", "transformers_version": "4.40.0"})",
              "the configuration of a Hugging Face Llama checkpoint"},
        Known{"c.json", R"({"architectures": ["BertForMaskedLM"]})",
              "the configuration of a Hugging Face Bert checkpoint"},
        Known{"tokenizer.json", R"({"added_tokens": [], "model": {}})", "a tokenizer (tokenizer.json)"},
        Known{"index.json", R"({"metadata": {}, "weight_map": {}})",
              "the index of a Hugging Face checkpoint"},
        Known{"d.safetensors", safetensors_bytes(R"({"h.0.attn.c_attn.weight":{}})"),
              "the weights of a model"},
        Known{"e.safetensors", safetensors_bytes(R"({"q_proj.lora_A.weight":{}})"), "an adapter (LoRA)"},
        Known{"x.xyz", "\1\0\2"s, "nothing foreign"}, Known{"y.json", "[1, 2]", "nothing foreign"},
        Known{"y.csv", "a,b\n", "nothing foreign"}, Known{"y.txt", "a b", "nothing foreign"},
        Known{"y.formula", "weights = q @@ k.T\n", "nothing foreign"}));

TEST(ForeignFile, IsNothingOfOurs) {
    const TemporaryFolder folder;
    const ShippedModel& model = shipped_models().front();
    EXPECT_EQ(name_of(folder.write("config.json", std::string(model.config))), "nothing foreign");
    EXPECT_EQ(name_of(folder.write("model.safetensors", std::string(model.weights))), "nothing foreign");
    EXPECT_EQ(name_of(folder.path()), "nothing foreign");
    EXPECT_EQ(name_of(folder.write("session.json", write_session(example_session()))), "nothing foreign");
    EXPECT_EQ(
        name_of(folder.write("inputs.safetensors", write_safetensors({{{"query", Tensor({{1}})}}, {}}))),
        "nothing foreign");
    EXPECT_EQ(name_of(folder / "missing"), "nothing foreign");
    EXPECT_EQ(name_of("/dev/zero"), "nothing foreign");
}

TEST(ForeignFile, OfAFolderIsTheModelInIt) {
    const TemporaryFolder folder;
    folder.write("config.json", R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]})");
    const fs::path weights = folder.write("model.safetensors", safetensors_bytes(R"({"wte.weight":{}})"));
    EXPECT_EQ(name_of(folder.path()), "a Hugging Face GPT-2 checkpoint");
    EXPECT_EQ(name_of(weights), "the weights of a Hugging Face GPT-2 checkpoint");
    const TemporaryFolder other;
    other.write("tiny.GGUF", "GGUF");
    EXPECT_EQ(name_of(other.path()), "a folder with a GGUF model");
    const TemporaryFolder none;
    none.write("letter.txt", "a");
    EXPECT_EQ(name_of(none.path()), "nothing foreign");
}

/// Every reader of a file says what the file is, and what can be done.
TEST(ForeignFile, IsSaidByTheReadersThatRefuseIt) {
    const TemporaryFolder folder;
    folder.write("config.json", R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"]})");
    folder.write("model.safetensors", safetensors_bytes(R"({"lm_head.weight":{}})"));
    const std::vector<std::string> parts{"a Hugging Face Llama checkpoint", "cannot run it yet",
                                         "docs/other-programs.md tells how to bring its attention"};
    expect_refusal([&] { read_model_folder(folder.path()); }, parts);
    expect_refusal([&] { open_model(folder.path().string()); }, parts);
    expect_refusal([&] { read_inputs(folder.path()); }, parts);
    expect_refusal([&] { read_inputs(folder / "model.safetensors"); }, parts);
    expect_refusal([&] { read_trace(folder / "model.safetensors"); }, parts);
    expect_refusal([&] { read_inputs(folder / "config.json"); },
                   {"config.json: ", "the configuration of a Hugging Face Llama checkpoint"});
    expect_refusal(
        [&] { open_model(folder.write("tiny.gguf", gguf_of("llama")).string()); },
        {"tiny.gguf: ", "expected a folder that \"headlight train\" made", "a GGUF model (llama)"});
    const std::string page = "<!DOCTYPE html><html>";
    expect_refusal([&] { read_inputs(folder.write("page.safetensors", page)); },
                   {"page.safetensors: ", "expected a safetensors file",
                    "got a web page: probably what a server", "download it again"});
    for (const char* name : {"page.html", "page.xhtml", "page.php"})
        expect_refusal([&] { read_inputs(folder.write(name, page)); },
                       {"expected what Headlight reads", "a web page: save it as .txt"});
}

TEST(ForeignFile, ATokenizerAloneHasNothingToRun) {
    const TemporaryFolder folder;
    folder.write("tokenizer.json", R"({"added_tokens": [], "model": {}})");
    const auto foreign = foreign_file(folder.path());
    ASSERT_TRUE(foreign);
    const std::string said = foreign_refusal("read model", "gpt2", *foreign).what();
    EXPECT_TRUE(said.ends_with("got a tokenizer without a model")) << said;
}

struct Published {
    const char *path, *name;
};
void PrintTo(const Published& row, std::ostream* out) { *out << row.path; }

class ForeignPublished : public testing::TestWithParam<Published> {};

TEST_P(ForeignPublished, AreNamed) {
    const char* shared = std::getenv("HEADLIGHT_SHARED");
    if (!shared)
        GTEST_SKIP() << "HEADLIGHT_SHARED is not set: no published models";
    EXPECT_EQ(name_of(fs::path(shared) / "models" / GetParam().path), GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(
    All, ForeignPublished,
    testing::Values(
        Published{"tinystories-656k", "a Hugging Face Llama checkpoint"},
        Published{"tinystories-656k/config.json", "the configuration of a Hugging Face Llama checkpoint"},
        Published{"tinystories-656k/model.safetensors", "the weights of a Hugging Face Llama checkpoint"},
        Published{"tinystories-656k/tokenizer.json", "a tokenizer (tokenizer.json)"},
        Published{"minigpt-sort-gpt2", "a Hugging Face GPT-2 checkpoint"},
        Published{"opennmt-wordlm", "a checkpoint of gpt2-sinusoidal"},
        Published{"gguf", "a folder with a GGUF model"},
        Published{"gguf/TinyStories-656K-Q8_0.gguf", "a GGUF model (llama)"},
        Published{"captures/ex0.npz", "NumPy arrays (.npz)"},
        Published{"malformed/safetensors/x_gguf_magic.safetensors", "a GGUF model"},
        Published{"malformed/safetensors/x_html_error_page.safetensors", "a web page"},
        Published{"malformed/safetensors/x_zip_pytorch_bin.safetensors", "a ZIP archive"}));

}  // namespace

}  // namespace headlight::foreign_file_test
