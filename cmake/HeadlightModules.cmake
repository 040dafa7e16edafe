# Modules are libraries that the program loads when they are needed. Every program is told where they are: those of the
# build folder by its name, an installed one by the way from its own folder.
include(GNUInstallDirs)
set(HEADLIGHT_MODULES ${PROJECT_BINARY_DIR}/modules)
set(HEADLIGHT_INSTALLED_MODULES ${CMAKE_INSTALL_LIBDIR}/headlight)
set(CMAKE_BUILD_RPATH ${HEADLIGHT_MODULES})
file(RELATIVE_PATH way /${CMAKE_INSTALL_BINDIR} /${HEADLIGHT_INSTALLED_MODULES})
set(CMAKE_INSTALL_RPATH "$ORIGIN/${way}")
if(HEADLIGHT_SANITIZE)
  # A sanitizer loads in the program's place, and reads the older of the two entries alone.
  add_link_options(-Wl,--disable-new-dtags)
endif()
