#pragma once

#include <string>
#include <vector>

namespace headlight {

/// `headlight lesson LESSON`: what a lesson says, with its numbers. Returns the exit status; throws Error.
int lesson_command(const std::vector<std::string>& arguments);

}  // namespace headlight
