#include "core/io/program_file.h"

#include "core/attention/plan.h"
#include "core/attention/trace_program.h"
#include "core/catalog/mechanism.h"
#include "core/program/workbook.h"
#include "core/tensor/error.h"

#include <array>

namespace headlight {
namespace {

constexpr std::array python_libraries{
    Word<PythonLibrary>{PythonLibrary::numpy, "numpy", "lines of NumPy"},
    Word<PythonLibrary>{PythonLibrary::torch, "torch", "lines of PyTorch"},
};

}  // namespace

template <>
std::span<const Word<PythonLibrary>> words() {
    return python_libraries;
}

Program session_program(const Session& session) {
    if (!session.runs_mechanism())
        throw Error({"write a program", "", "a mechanism, whose every step is known",
                     session.model ? "a model" : "attention that was computed elsewhere"});
    const std::string name = session.custom ? session.custom->name : mechanism(session.mechanism).name;
    const auto kept = std::make_shared<const Plan>(
        plan(session_spec(session), session_inputs(session), {.seed = session.seed}));
    Program program = trace_program(*kept, name);
    program.kept = kept;
    return program;
}

Program program_of_figure(const std::string& session) {
    if (session.empty())
        throw Error({"write a program", "", "a session, from which everything is computed again",
                     "a figure that carries none"});
    return session_program(parse_session(session));
}

bool is_program_extension(const std::string& extension) { return extension == ".py" || extension == ".fods"; }

std::string write_program(const Program& program, const std::string& extension, PythonLibrary library) {
    return extension == ".fods" ? write_fods(workbook(program)) : python_text(program, library);
}

}  // namespace headlight
