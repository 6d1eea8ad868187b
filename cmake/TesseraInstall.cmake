# What `cmake --install` puts where. Everything in a prefix is found relative to the program that runs, so that the prefix may be moved:
#   bin/                        tools
#   lib/                        the runtime and its back ends; the CMake package
#   lib/python3/dist-packages/  the Python package
#   include/tessera/            the C ABI of the runtime
#   share/                      manual pages, completions, examples, licence
# Components: `runtime` is what a machine needs that only runs programs (three files); `everything` is all, the runtime included. Without
# --component everything is installed too.
include(CMakePackageConfigHelpers)
set(TESSERA_PYTHON_FOLDER ${CMAKE_INSTALL_LIBDIR}/python3/dist-packages)
set(TESSERA_SHARE_FOLDER ${CMAKE_INSTALL_DATADIR}/tessera)
get_property(tools GLOBAL PROPERTY TESSERA_TOOLS)
get_property(backends GLOBAL PROPERTY TESSERA_BACKENDS)

# Programs of the runtime, which stand in both components.
install(TARGETS tessera-run RUNTIME COMPONENT runtime)
install(TARGETS tessera_runtime tessera_backend_local LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_SKIP)
install(TARGETS tessera-run RUNTIME COMPONENT everything EXCLUDE_FROM_ALL)
install(TARGETS tessera_runtime EXPORT TesseraTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT everything EXCLUDE_FROM_ALL)

# All others.
list(REMOVE_ITEM tools tessera-run)
install(TARGETS ${tools} RUNTIME COMPONENT everything)
install(TARGETS ${backends} tessera_routines tessera_compiler tessera_pjrt LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT everything)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/tessera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT everything)
install(FILES ${PROJECT_SOURCE_DIR}/include/tessera/Support/CallFrame.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera RENAME call_frame.h
        COMPONENT everything)
install(FILES ${PROJECT_SOURCE_DIR}/tools/tesserac/compiler.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera COMPONENT everything)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/tessera ${PROJECT_SOURCE_DIR}/python/jax_plugins DESTINATION ${TESSERA_PYTHON_FOLDER} COMPONENT everything
        FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${TESSERA_SHARE_FOLDER} COMPONENT everything
        USE_SOURCE_PERMISSIONS PATTERN out EXCLUDE PATTERN __pycache__ EXCLUDE)
install(FILES LICENSE CHANGELOG.md README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT everything)

# find_package(Tessera): the target Tessera::tessera_runtime, and the variables Tessera_COMPILER and Tessera_RUN.
set(TESSERA_PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)
install(EXPORT TesseraTargets NAMESPACE Tessera:: DESTINATION ${TESSERA_PACKAGE_FOLDER} COMPONENT everything)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TesseraConfig.cmake.in TesseraConfig.cmake
  INSTALL_DESTINATION ${TESSERA_PACKAGE_FOLDER} PATH_VARS CMAKE_INSTALL_BINDIR NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(TesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/TesseraConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/TesseraConfigVersion.cmake
        DESTINATION ${TESSERA_PACKAGE_FOLDER} COMPONENT everything)

# Manual pages and completions, from what the tools say of themselves.
set(TESSERA_MANUALS ${CMAKE_CURRENT_BINARY_DIR}/manuals)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(generator ${PROJECT_SOURCE_DIR}/scripts/generate-manuals.py)
add_custom_command(OUTPUT ${TESSERA_MANUALS}/stamp
  COMMAND Python3::Interpreter ${generator} --bin=${CMAKE_RUNTIME_OUTPUT_DIRECTORY} --lib=${CMAKE_LIBRARY_OUTPUT_DIRECTORY} -o ${TESSERA_MANUALS}
          tessera-run ${tools}
  COMMAND ${CMAKE_COMMAND} -E touch ${TESSERA_MANUALS}/stamp
  DEPENDS ${generator} tessera-run ${tools} ${backends} VERBATIM COMMENT "Writing manual pages and completions")
add_custom_target(manuals ALL DEPENDS ${TESSERA_MANUALS}/stamp)
install(DIRECTORY ${TESSERA_MANUALS}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT everything)
install(DIRECTORY ${TESSERA_MANUALS}/bash/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT everything)
install(DIRECTORY ${TESSERA_MANUALS}/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT everything)
install(DIRECTORY ${TESSERA_MANUALS}/fish/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT everything)

# What is installed, without tests: what releases are made of.
add_custom_target(programs DEPENDS manuals)
