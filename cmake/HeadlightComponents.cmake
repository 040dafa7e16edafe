# One file in a folder of components is one component: core/attention/positions/alibi.cpp defines
# `PositionComponent declare_positions_alibi()`. Its enumerator, PositionType::alibi, its word and its row of the table
# are written from the name of the file.
set(headlight_axes scores:Score:ScoreType positions:Position:PositionType masks:Mask:MaskPattern
                   selections:Selection:SelectionType normalizers:Normalizer:NormalizerType
                   algorithms:Algorithm:AlgorithmType)
set(headlight_attention_folder ${PROJECT_SOURCE_DIR}/core/attention)

# headlight_words(RESULT FOLDER): the names of the files of FOLDER, without their ending.
function(headlight_words result folder)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.cpp)
  set(words "")
  foreach(file IN LISTS files)
    get_filename_component(word ${file} NAME_WE)
    list(APPEND words ${word})
  endforeach()
  set(${result} ${words} PARENT_SCOPE)
endfunction()

# headlight_enumerators(HEADER WHERE [MACRO FOLDER]...): writes HEADER, whose macros are the names of each FOLDER's files, for
# an enumeration to end with.
function(headlight_enumerators header where)
  set(lists "")
  while(ARGN)
    list(POP_FRONT ARGN macro folder)
    headlight_words(words ${folder})
    string(REPLACE ";" ", \\\n    " words "${words}")
    string(APPEND lists "\n#define ${macro} \\\n    ${words}\n")
  endwhile()
  file(CONFIGURE OUTPUT ${headlight_written_headers}/${header} @ONLY CONTENT [[
// Written by CMake from the names of the files in @where@.
#pragma once
@lists@]])
endfunction()

# headlight_component_types(): writes core/attention/component_types.h, which spec.h makes its enumerations of.
function(headlight_component_types)
  set(lists "")
  foreach(axis IN LISTS headlight_axes)
    string(REGEX REPLACE ":.*" "" folder ${axis})
    string(TOUPPER ${folder} upper)
    list(APPEND lists HEADLIGHT_${upper} ${headlight_attention_folder}/${folder})
  endforeach()
  headlight_enumerators(core/attention/component_types.h "the component folders of core/attention" ${lists})
endfunction()

# headlight_found(TARGET FOLDER TYPE [FROM BASE] [BESIDES OTHER]): TARGET gets the files of FOLDER, which lies in the current
# one or in its folder BASE. Sets found_words to their names, behind those of OTHER/FOLDER, and, where TYPE is no empty word,
# found_values to the value of that enumeration which each is: it ends with OTHER's, and others are behind the last.
function(headlight_found target folder type)
  cmake_parse_arguments(FOUND "" "FROM;BESIDES" "" ${ARGN})
  cmake_path(APPEND CMAKE_CURRENT_SOURCE_DIR "${FOUND_FROM}" ${folder} OUTPUT_VARIABLE own)
  file(GLOB sources CONFIGURE_DEPENDS ${own}/*.cpp)
  target_sources(${target} PRIVATE ${sources})
  headlight_words(known ${own})
  set(added "")
  if(FOUND_BESIDES)
    set(added ${known})
    headlight_words(known ${FOUND_BESIDES}/${folder})
  endif()
  set(found_words ${known} ${added} PARENT_SCOPE)
  set(values "")
  if(type)
    set(behind 0)
    list(TRANSFORM known PREPEND ${type}:: OUTPUT_VARIABLE values)
    foreach(word IN LISTS added)
      math(EXPR behind "${behind} + 1")
      list(GET known -1 last)
      list(APPEND values "static_cast<${type}>(static_cast<int>(${type}::${last}) + ${behind})")
    endforeach()
  endif()
  set(found_values ${values} PARENT_SCOPE)
endfunction()

# headlight_components(TARGET [FROM BASE] [BESIDES OTHER]): TARGET gets the components in the folders of the current one, and
# the table of all; as above. A program that has a table of its own is not given the engine's by the linker: so tests/added
# adds some of which the engine knows nothing.
function(headlight_components target)
  set(declarations "")
  set(tables "")
  foreach(axis IN LISTS headlight_axes)
    string(REPLACE ":" ";" axis ${axis})
    list(GET axis 0 folder)
    list(GET axis 1 kind)
    list(GET axis 2 type)
    string(TOLOWER ${kind} name)
    set(rows "")
    headlight_found(${target} ${folder} ${type} ${ARGN})
    foreach(word value IN ZIP_LISTS found_words found_values)
      string(APPEND declarations "${kind}Component declare_${folder}_${word}();\n")
      string(APPEND rows "        named(${value}, \"${word}\", declare_${folder}_${word}()),\n")
    endforeach()
    string(APPEND tables "std::vector<${kind}Component> declared_${name}_components() {\n    return {\n${rows}    };\n}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/declared_components.cpp @ONLY CONTENT [=[
// Written by CMake from the names of the files in the component folders.
#include "core/attention/declared_components.h"

namespace headlight {
@declarations@
namespace {

template <class Type, class Component>
Component named(Type type, const char* word, Component component) {
    component.type = type;
    component.word = word;
    return component;
}

}  // namespace
@tables@
}  // namespace headlight
]=])
  headlight_written(${target} declared_components)
endfunction()

# headlight_oracles(TARGET [FROM BASE] [BESIDES OTHER]): TARGET gets the oracles in the folders of the current one, a file for
# a component, tests/oracle/scores/trilinear.cpp with `oracle_scores_trilinear` and `settings_scores_trilinear`, and the
# settings of the others, tests/oracle/settings/scores.cpp with `settings_of_scores`; and the tables of all; as above.
function(headlight_oracles target)
  set(declarations "")
  set(rows "")
  set(mask_rows "")
  set(settings "")
  foreach(axis IN LISTS headlight_axes)
    string(REGEX REPLACE ":.*" "" folder ${axis})
    headlight_found(${target} ${folder} "" ${ARGN})
    foreach(word IN LISTS found_words)
      if(folder STREQUAL masks)
        string(APPEND declarations
               "reference::Allowed oracle_masks_${word}(const Pattern&, std::size_t, std::size_t);\n")
        string(APPEND mask_rows "        {\"${word}\", oracle_masks_${word}},\n")
      else()
        string(APPEND declarations "void oracle_${folder}_${word}(const OracleParts&, reference::Setting&);\n")
        string(APPEND rows "        {\"${folder}\", \"${word}\", oracle_${folder}_${word}},\n")
      endif()
      list(APPEND settings settings_${folder}_${word})
    endforeach()
  endforeach()
  headlight_found(${target} settings "" ${ARGN})
  list(TRANSFORM found_words PREPEND settings_of_)
  list(APPEND settings ${found_words})
  foreach(function IN LISTS settings)
    string(APPEND declarations "Settings ${function}();\n")
  endforeach()
  list(JOIN settings ",\n          " settings)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/own_oracles.cpp @ONLY CONTENT [[
// Written by CMake from the names of the files in the folders of oracles.
#include "tests/oracle/own_oracles.h"
#include "tests/oracle/settings.h"

#include <vector>

namespace headlight {
@declarations@
std::span<const OwnOracle> own_oracles() {
    static const std::vector<OwnOracle> all{
@rows@    };
    return all;
}
std::span<const OwnMaskOracle> own_mask_oracles() {
    static const std::vector<OwnMaskOracle> all{
@mask_rows@    };
    return all;
}
Settings all_settings() {
    Settings all;
    for (Settings (*const settings)() :
         {@settings@})
        for (const std::string_view each : settings())
            all.push_back(each);
    return all;
}

}  // namespace headlight
]])
  headlight_written(${target} own_oracles)
endfunction()

# headlight_declared(TARGET KIND TYPE RESULT TABLE HEADER FOLDER [FROM BASE] [BESIDES OTHER]): each file ID.cpp of FOLDER
# defines `RESULT declare_KIND_ID()`; TARGET gets them, and the table of all, TABLE() of HEADER; as above. The table says
# which value of the enumeration TYPE each is, and what it is called.
function(headlight_declared target kind type result table header folder)
  set(declarations "")
  set(rows "")
  headlight_found(${target} ${folder} ${type} ${ARGN})
  foreach(word value IN ZIP_LISTS found_words found_values)
    string(REPLACE "_" " " name ${word})
    string(APPEND declarations "${result} declare_${kind}_${word}();\n")
    string(APPEND rows "        named(${value}, \"${word}\", \"${name}\", declare_${kind}_${word}()),\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${table}.cpp @ONLY CONTENT [[
// Written by CMake from the names of the files in @folder@.
#include "@header@"

namespace headlight {
@declarations@
std::vector<@result@> @table@() {
    return {
@rows@    };
}

}  // namespace headlight
]])
  headlight_written(${target} ${table})
endfunction()
