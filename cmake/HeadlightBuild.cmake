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
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HEADLIGHT_CCACHE})
endif()

add_library(headlight_options INTERFACE)
target_include_directories(headlight_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(headlight_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                                   -Wconversion -Wno-sign-conversion)
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
if(HEADLIGHT_TIDY)
  find_program(HEADLIGHT_CLANG_TIDY clang-tidy REQUIRED)
  set(CMAKE_CXX_CLANG_TIDY ${HEADLIGHT_CLANG_TIDY} --quiet)
endif()

# headlight_room(NAME [DEPENDS targets...]): the room in the current folder as a static library headlight_NAME,
# made of every .cpp file in it. A new file is picked up by the next build.
function(headlight_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp *.h)
  list(FILTER sources EXCLUDE REGEX "\\.inc\\.h$")
  add_library(headlight_${name} STATIC ${sources})
  target_link_libraries(headlight_${name} PUBLIC headlight_options ${ROOM_DEPENDS})
  set_target_properties(headlight_${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
