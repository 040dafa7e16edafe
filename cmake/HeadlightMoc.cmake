# moc reads every header that a file includes, for most of its time, and of all that it writes for us nothing comes from
# there. So a script in its place leaves out the folders of headers. A class with Q_INTERFACES would need them: moc says
# that the interface is undefined.
get_target_property(headlight_moc Qt6::moc IMPORTED_LOCATION)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/moc @ONLY CONTENT [[
#!/bin/sh
# Written by CMake: cmake/HeadlightMoc.cmake.
for argument; do
    shift
    case $argument in
        -I?*) ;;
        *) set -- "$@" "$argument" ;;
    esac
done
exec "@headlight_moc@" "$@"
]])
file(CHMOD ${PROJECT_BINARY_DIR}/moc PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                 WORLD_READ WORLD_EXECUTE)
set_target_properties(Qt6::moc PROPERTIES IMPORTED_LOCATION ${PROJECT_BINARY_DIR}/moc)
