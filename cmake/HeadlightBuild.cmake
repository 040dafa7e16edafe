# What every target of the project shares: language, warnings, sanitizers, caches, and the rooms of the house.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(HEADLIGHT_CCACHE ccache)
if(HEADLIGHT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache keeps objects that use a precompiled header only when told what it may overlook. It preprocesses what it does
  # not know: only so does it see that EmbedFile.cmake's sources include files that no header names, and keeps none.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${HEADLIGHT_CCACHE})
endif()

# Headers that CMake writes, included as if they lay in the source folder.
set(headlight_written_headers ${PROJECT_BINARY_DIR}/written)

add_library(headlight_options INTERFACE)
target_include_directories(headlight_options INTERFACE ${PROJECT_SOURCE_DIR} ${headlight_written_headers})
target_compile_options(headlight_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                                   -Wconversion -Wno-sign-conversion)
# The recording and the plain instantiation of one formula round alike, on processors too that multiply and add at once.
target_compile_options(headlight_options INTERFACE -ffp-contract=off)
if(HEADLIGHT_WERROR)
  target_compile_options(headlight_options INTERFACE -Werror)
endif()
if(HEADLIGHT_MARCH)
  target_compile_options(headlight_options INTERFACE -march=${HEADLIGHT_MARCH})
endif()
if(HEADLIGHT_ASSERTIONS)
  target_compile_options(headlight_options INTERFACE -UNDEBUG)
endif()
if(HEADLIGHT_SANITIZE)
  target_compile_options(headlight_options INTERFACE -fsanitize=${HEADLIGHT_SANITIZE} -fno-omit-frame-pointer
                                                     -fno-sanitize-recover=all)
  target_link_options(headlight_options INTERFACE -fsanitize=${HEADLIGHT_SANITIZE})
endif()
if(HEADLIGHT_FUZZ)
  # libFuzzer sees which ways an input takes through the readers; what they call, tests and window need no counters.
  set(headlight_counters -fsanitize=fuzzer-no-link)
endif()
if(HEADLIGHT_TIDY)
  find_program(HEADLIGHT_CLANG_TIDY clang-tidy REQUIRED)
  set(CMAKE_CXX_CLANG_TIDY ${HEADLIGHT_CLANG_TIDY} --quiet)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)  # clang-tidy cannot read GCC's
  set(CMAKE_GLOBAL_AUTOGEN_TARGET ON)       # scripts/tidy.sh asks for what moc writes, and no more
endif()
set(CMAKE_AUTOGEN_ORIGIN_DEPENDS OFF)  # moc reads headers: no room of the window waits for the libraries of the rooms before it
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(headlight_options INTERFACE -fpch-preprocess)  # as ccache asks
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND (HEADLIGHT_QUICK OR HEADLIGHT_SANITIZE) AND NOT CMAKE_CROSSCOMPILING)
  # A gigabyte before the compiler looks for what it needs no longer: a sixth of its time.
  target_compile_options(headlight_options INTERFACE --param=ggc-min-heapsize=1048576)
  find_program(HEADLIGHT_GOLD ld.gold)
  if(HEADLIGHT_GOLD)  # ninety programs, each in a third of the time
    target_link_options(headlight_options INTERFACE -fuse-ld=gold)
  endif()
endif()

# What nearly every file of a kind includes, parsed once. Only headers of libraries: a change in the project's own
# headers must rebuild what uses them and no more.
set(headlight_standard_headers <algorithm> <cmath> <functional> <map> <memory> <optional> <span> <string> <variant> <vector>)
set(headlight_json_headers <nlohmann/json.hpp> <algorithm> <map> <memory> <optional> <string> <vector>)
set(headlight_gui_headers <QByteArray> <QColor> <QFont> <QImage> <QPainter> <QRectF> <QString> <algorithm> <map>
                          <memory> <optional> <string> <vector>)
set(headlight_widget_headers <QAction> <QApplication> <QBoxLayout> <QComboBox> <QEvent> <QLabel> <QPushButton>
                             <QTimer> <QToolButton> <QWidget> ${headlight_gui_headers})

# headlight_room(NAME [LEAN [HOT files...]] [CALLS] [READS] [DEPENDS targets...] [PRECOMPILE headers...]): the room in the current folder as library
# headlight_NAME, made of every .cpp file in it; static, or shared where BUILD_SHARED_LIBS says so. A new file is picked
# up by the next build. The compiler reads all of them as one, or HEADLIGHT_FILES_AT_ONCE, since most of what a file
# takes is the headers that all of a room include; so each name that a file keeps to itself is used once in its room.
# LEAN: much code of which little runs often: a release optimises with -O2, not -O3, and becomes smaller; a sanitizer's
# build does not optimise it at all, and is compiled in half the time. HOT: those of its files whose loops go over all
# pixels of each frame; a release optimises them as it does other rooms.
# CALLS: most of what runs long it calls, of kernels, graph and nn: as optimised as any other room, but for
# AddressSanitizer, where to optimise it takes longer than the tests gain.
# READS: what others wrote; libFuzzer's counters are in it.
function(headlight_room name)
  cmake_parse_arguments(ROOM "LEAN;CALLS;READS" "" "HOT;DEPENDS;PRECOMPILE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp *.h)
  list(FILTER sources EXCLUDE REGEX "\\.inc\\.h$")
  add_library(headlight_${name} ${sources})
  target_link_libraries(headlight_${name} PUBLIC headlight_options ${ROOM_DEPENDS})
  set_target_properties(headlight_${name} PROPERTIES LINKER_LANGUAGE CXX)
  if(ROOM_READS)
    target_compile_options(headlight_${name} PRIVATE ${headlight_counters})
  endif()
  if((ROOM_LEAN AND HEADLIGHT_SANITIZE) OR (ROOM_CALLS AND HEADLIGHT_SANITIZE MATCHES "address"))
    target_compile_options(headlight_${name} PRIVATE -O0)
  elseif(HEADLIGHT_QUICK)
    # GCC follows fewer paths then, and warns of an optional's number that is read only where there is one.
    target_compile_options(headlight_${name} PRIVATE $<$<CONFIG:Release>:-O1>
                                                     $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  elseif(ROOM_LEAN)
    target_compile_options(headlight_${name} PRIVATE $<$<CONFIG:Release>:-O2>)
    set_source_files_properties(${ROOM_HOT} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
  endif()
  if(ROOM_PRECOMPILE AND NOT HEADLIGHT_FILES_AT_ONCE EQUAL 0)  # one file reads a header once anyway
    target_precompile_headers(headlight_${name} PRIVATE ${ROOM_PRECOMPILE})
  endif()
  if(NOT HEADLIGHT_FILES_AT_ONCE EQUAL 1)
    set_target_properties(headlight_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${HEADLIGHT_FILES_AT_ONCE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      # It takes every file but the first for a header, whose anonymous types several objects would define.
      target_compile_options(headlight_${name} PRIVATE -Wno-subobject-linkage)
    endif()
    if(CMAKE_AUTOMOC AND NOT HEADLIGHT_TIDY)
      # What moc writes of the room's headers is the last file of a batch: alone it would read all of them once more.
      set(mocs ${CMAKE_CURRENT_BINARY_DIR}/headlight_${name}_autogen/mocs_compilation.cpp)
      set_source_files_properties(${mocs} PROPERTIES HEADER_FILE_ONLY ON)
      file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/mocs.cpp CONTENT "#include \"${mocs}\"\n")
      set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/mocs.cpp PROPERTIES SKIP_AUTOMOC ON)
      target_sources(headlight_${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/mocs.cpp)
    endif()
    if(HEADLIGHT_TIDY)
      set_target_properties(headlight_${name} PROPERTIES
                            UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
    endif()
  endif()
endfunction()

# headlight_written(TARGET NAME): TARGET gets NAME.cpp, which was written into the build folder: a table of what others
# define. In a batch with what it declares it would declare it twice.
function(headlight_written target name)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# headlight_entries(ROOM TYPE PREFIX HEADER [TARGET target] [FROM folder] [BESIDES other]): each file ID.cpp in entries/, or in
# FROM, defines `TYPE PREFIX_ID()`; the table of all, TYPE's declarations() of HEADER, is written from the file names, so
# that adding one touches that one file alone. A program's table, with those of another folder BESIDES, takes the place of
# the room's (HeadlightComponents.cmake).
function(headlight_entries room type prefix header)
  cmake_parse_arguments(ENTRIES "" "TARGET;FROM;BESIDES" "" ${ARGN})
  if(NOT ENTRIES_TARGET)
    set(ENTRIES_TARGET headlight_${room})
    set(ENTRIES_FROM entries)
  endif()
  file(GLOB entries CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${ENTRIES_FROM}/*.cpp)
  set(others "")
  if(ENTRIES_BESIDES)
    file(GLOB others CONFIGURE_DEPENDS ${ENTRIES_BESIDES}/*.cpp)
  endif()
  set(declarations "")
  set(table "")
  foreach(entry IN LISTS others entries)
    get_filename_component(id ${entry} NAME_WE)
    string(APPEND declarations "${type} ${prefix}_${id}();\n")
    string(APPEND table "    {\"${id}\", ${prefix}_${id}},\n")
  endforeach()
  string(TOLOWER ${type} name)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/entries.cpp @ONLY CONTENT [[
// Written by CMake from the names of the files in entries/.
#include "@header@"

namespace headlight {
@declarations@
namespace {
constexpr Declaration<@type@> declarations[] = {
@table@};
}
std::span<const Declaration<@type@>> @name@_declarations() { return declarations; }
}  // namespace headlight
]])
  target_sources(${ENTRIES_TARGET} PRIVATE ${entries})
  headlight_written(${ENTRIES_TARGET} entries)
endfunction()

# headlight_levels(ROOM FOLDER): FOLDER/level_LEVEL.cpp are compiled once for each processor level, to be chosen from
# when the program runs.
function(headlight_levels room folder)
  set(options $<$<CONFIG:Release>:-O3> -fvisibility=hidden -Wno-ignored-attributes)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -Wno-uninitialized -Wno-maybe-uninitialized)  # GCC 12 in its own avx512fintrin.h
  endif()
  set(levels baseline)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
    list(APPEND levels ${HEADLIGHT_LEVELS})
    set(baseline_options -march=x86-64-v2)
    set(avx2_options -march=x86-64-v3)
    set(avx512_options -march=x86-64-v4 -mprefer-vector-width=512)
    foreach(level IN LISTS HEADLIGHT_LEVELS)
      if(NOT level MATCHES "^(avx2|avx512)$")
        message(FATAL_ERROR "HEADLIGHT_LEVELS: expected avx2, avx512, both or none, got ${level}")
      endif()
      string(TOUPPER ${level} name)
      target_compile_definitions(headlight_${room} PRIVATE HEADLIGHT_${name})
    endforeach()
  endif()
  foreach(level IN LISTS levels)
    target_sources(headlight_${room} PRIVATE ${folder}/level_${level}.cpp)
    set_source_files_properties(${folder}/level_${level}.cpp PROPERTIES
                                COMPILE_OPTIONS "${${level}_options};${options}"
                                SKIP_PRECOMPILE_HEADERS ON)  # which were compiled for another processor
  endforeach()
  get_target_property(eigen_includes Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(headlight_${room} SYSTEM PRIVATE ${eigen_includes})
endfunction()

# headlight_test_headers(NAME [FEW] LIBRARIES targets... PRECOMPILE headers...): a precompiled header that the tests of one
# folder share, as target NAME. FEW: so few files that, where many are compiled as one, one or two read the headers: there is
# no such target then, since to compile them takes longer than to read them twice.
function(headlight_test_headers name)
  cmake_parse_arguments(PCH "FEW" "" "LIBRARIES;PRECOMPILE" ${ARGN})
  if(PCH_FEW AND HEADLIGHT_FILES_AT_ONCE EQUAL 0)
    return()
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "int main() { return 0; }\n")
  # An executable as the tests are: a library would be compiled with other flags, and its header be refused.
  add_executable(${name} ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${PCH_LIBRARIES})
  target_precompile_headers(${name} PRIVATE ${PCH_PRECOMPILE})
endfunction()

# headlight_use_headers(PROGRAM NAME): PROGRAM reads the precompiled header of the target NAME, where there is one.
function(headlight_use_headers program name)
  if(TARGET ${name})
    target_precompile_headers(${program} REUSE_FROM ${name})
  endif()
endfunction()
