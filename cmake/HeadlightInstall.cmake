# What `cmake --install` copies: the program and its module; what a desktop knows it and its files by; manual page and completions,
# written from the declarations of the commands; the manual; licences. And the Debian package of these: scripts/package.sh.
set(HEADLIGHT_MAINTAINER "The Headlight authors <headlight@example.org>" CACHE STRING
    "Name and address of whoever builds a package")

set(data ${CMAKE_INSTALL_DATADIR})
install(TARGETS headlight RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS headlight_pdf LIBRARY DESTINATION ${HEADLIGHT_INSTALLED_MODULES})
if(HEADLIGHT_WINDOW)
  set(desktop ${PROJECT_SOURCE_DIR}/resources/desktop/org.headlight.Headlight)
  install(FILES ${desktop}.desktop DESTINATION ${data}/applications)
  install(FILES ${desktop}.metainfo.xml DESTINATION ${data}/metainfo)
  install(FILES ${desktop}.xml DESTINATION ${data}/mime/packages)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/icons/headlight.svg
          DESTINATION ${data}/icons/hicolor/scalable/apps RENAME org.headlight.Headlight.svg)
endif()

set(texts ${PROJECT_BINARY_DIR}/install)
file(MAKE_DIRECTORY ${texts})
set(write_text ${CMAKE_COMMAND} -P ${PROJECT_SOURCE_DIR}/cmake/WriteText.cmake --)
add_custom_command(
  OUTPUT ${texts}/headlight.1.gz ${texts}/headlight.bash ${texts}/_headlight ${texts}/headlight.fish
  COMMAND ${write_text} headlight.bash $<TARGET_FILE:command_line_text> bash
  COMMAND ${write_text} _headlight $<TARGET_FILE:command_line_text> zsh
  COMMAND ${write_text} headlight.fish $<TARGET_FILE:command_line_text> fish
  COMMAND ${write_text} headlight.1 $<TARGET_FILE:command_line_text> man
  COMMAND gzip -9nf headlight.1
  DEPENDS command_line_text WORKING_DIRECTORY ${texts} VERBATIM)
add_custom_target(install_texts ALL DEPENDS ${texts}/headlight.1.gz)
install(FILES ${texts}/headlight.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${texts}/headlight.bash DESTINATION ${data}/bash-completion/completions RENAME headlight)
install(FILES ${texts}/_headlight DESTINATION ${data}/zsh/vendor-completions)
install(FILES ${texts}/headlight.fish DESTINATION ${data}/fish/vendor_completions.d)

set(CPACK_PACKAGE_CONTACT ${HEADLIGHT_MAINTAINER})
set(package ${PROJECT_SOURCE_DIR}/resources/package)
configure_file(${package}/changelog.in ${texts}/changelog @ONLY)
execute_process(COMMAND gzip -9nf ${texts}/changelog COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${texts}/changelog.gz ${package}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB licenses CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/resources/licenses/*.txt)
install(FILES ${licenses} DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses)

# The manual lies as it does in the source, so that its pages lead to one another, to lessons and to the script.
set(manual ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${manual}/docs
        FILES_MATCHING PATTERN *.md PATTERN *.png PATTERN *.gif PATTERN *.svg PATTERN *.json PATTERN *.py PATTERN figures.txt
        PATTERN adr EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/lessons/ DESTINATION ${manual}/resources/lessons
        FILES_MATCHING PATTERN lesson.md)
install(FILES ${PROJECT_SOURCE_DIR}/scripts/headlight_capture.py DESTINATION ${manual}/scripts)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME headlight)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-noto-core, fonts-noto-color-emoji")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "qt6-wayland")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "attention maps of text and of trained models, head by head")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Headlight draws heatmaps of what every attention head looks at: for a sentence
and a mechanism of its catalogue, for models that it trains or has trained, and
for attention that other programs computed. It steps from token vectors to
output with every number in between, teaches with lessons, and writes figures
for papers and pages. It works without a network.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
include(CPack)
