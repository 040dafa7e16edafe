// Writes docs/keys.md to standard output.

#include "ui/views/shortcuts.h"

#include <iostream>

int main() { std::cout << headlight::shortcuts_markdown().toStdString() << std::flush; }
