# headlight_embed(TARGET FILE SYMBOL [FILE SYMBOL]...): the bytes of each FILE inside TARGET, as
#   extern "C" const std::byte SYMBOL[], SYMBOL_end[];
# The assembler copies them, so that a file of megabytes compiles at once; the pages that nobody reads stay on disk.
function(headlight_embed target)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${ARGV2}.cpp)
  set(content "// Written by CMake: the bytes of each file named below.\n")
  set(files "")
  while(ARGN)
    list(POP_FRONT ARGN file symbol)
    list(APPEND files ${file})
    string(CONFIGURE [[
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
]] block @ONLY)
    string(APPEND content "${block}")
  endwhile()
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "${content}")
  # In a file of its own: united with others it would not be compiled again when a FILE changes.
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}" SKIP_UNITY_BUILD_INCLUSION ON
                                                   SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${source})
endfunction()

# headlight_embed_folders(TARGET PREFIX DIRECTORY FILES...): FILES of every folder in DIRECTORY that has the first of them,
# inside TARGET. Sets `symbols`, their declarations, and `rows`, of a table: {"folder", bytes(begin, end), ...}, {} for a
# file that a folder lacks.
function(headlight_embed_folders target prefix directory first)
  set(symbols "")
  set(rows "")
  set(embedded "")
  file(GLOB found CONFIGURE_DEPENDS ${directory}/*/${first})
  foreach(path IN LISTS found)
    get_filename_component(folder ${path} DIRECTORY)
    get_filename_component(name ${folder} NAME)
    set(row "        {\"${name}\"")
    foreach(file IN LISTS first ARGN)
      if(EXISTS ${folder}/${file})
        string(MAKE_C_IDENTIFIER "${prefix}_${name}_${file}" symbol)
        list(APPEND embedded ${folder}/${file} ${symbol})
        string(APPEND symbols "extern \"C\" const std::byte ${symbol}[], ${symbol}_end[];\n")
        string(APPEND row ", bytes(${symbol}, ${symbol}_end)")
      else()
        string(APPEND row ", {}")
      endif()
    endforeach()
    string(APPEND rows "${row}},\n")
  endforeach()
  headlight_embed(${target} ${embedded})
  set(symbols "${symbols}" PARENT_SCOPE)
  set(rows "${rows}" PARENT_SCOPE)
endfunction()
