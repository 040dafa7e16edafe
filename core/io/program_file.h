#pragma once

#include "core/graph/program.h"
#include "core/io/session.h"
#include "core/program/python_text.h"
#include "core/tensor/words.h"

#include <string>

namespace headlight {

/// "numpy" and "torch".
template <>
std::span<const Word<PythonLibrary>> words();

/// The run of a session as a program. Throws Error for a session that runs no mechanism, and where
/// trace_program() does.
Program session_program(const Session& session);

/// The same of a figure's session (Figure::session). Throws Error where the figure carries none.
Program program_of_figure(const std::string& session);

/// Whether this ending, ".py" or ".fods", is that of a program.
bool is_program_extension(const std::string& extension);
/// The file's text, by its ending. Throws Error for what a spreadsheet cannot hold.
std::string write_program(const Program& program, const std::string& extension,
                          PythonLibrary library = PythonLibrary::numpy);

}  // namespace headlight
