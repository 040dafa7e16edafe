# headlight_embed(TARGET FILE SYMBOL): the bytes of FILE inside TARGET, as
#   extern "C" const std::byte SYMBOL[], SYMBOL_end[];
# The assembler copies them, so that a file of megabytes compiles at once; the pages that nobody reads stay on disk.
function(headlight_embed target file symbol)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
// Written by CMake: the bytes of the file named below.
asm(R"(
    .section .rodata
    .balign 64
    .global @symbol@
    .hidden @symbol@
@symbol@:
    .incbin "@file@"
    .global @symbol@_end
    .hidden @symbol@_end
@symbol@_end:
    .byte 0
    .previous
)");
]])
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${file})
  target_sources(${target} PRIVATE ${source})
endfunction()
