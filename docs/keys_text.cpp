// Writes docs/keys.md to standard output.

#include "ui/actions/shortcuts.h"

#include <iostream>

int main() { std::cout << headlight::shortcuts_markdown().toStdString() << std::flush; }
