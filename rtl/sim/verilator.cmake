# Finds Verilator: `verilator` is the program, `verilator_root` the folder of its run-time sources. `verilator` is empty
# where LUTRA_RTL is OFF, or where it is AUTO and there is none to be used.
set(verilator "")
if(NOT LUTRA_RTL)
  message(STATUS "lutra: LUTRA_RTL is off, no _rtl")
  return()
endif()

# What is wrong with the Verilator of this machine: no error where the core may be left out.
function(lutra_no_verilator what remedy)
  if(LUTRA_RTL STREQUAL AUTO)
    message(NOTICE "lutra: ${what}; the RTL engine is left out")
  else()
    message(FATAL_ERROR "lutra: ${what}; ${remedy}, or leave out the core with LUTRA_RTL=OFF")
  endif()
endfunction()

set(command ${LUTRA_VERILATOR})
if(NOT command)
  find_program(found_verilator verilator NO_CACHE
    HINTS $ENV{VERILATOR_ROOT}/bin ${Python_SITELIB}/verilator/share/verilator/bin)
  if(NOT found_verilator)
    lutra_no_verilator("verilator not found" "set LUTRA_VERILATOR")
    return()
  endif()
  set(command ${found_verilator})
endif()
# The program itself: the `verilator` script around it fails in a path with spaces.
cmake_path(GET command PARENT_PATH command_dir)
if(EXISTS ${command_dir}/verilator_bin)
  set(command ${command_dir}/verilator_bin)
endif()

# That of Debian 12, 5.006, does not compile the core.
set(newer_than 5.006)
execute_process(COMMAND ${command} --version OUTPUT_VARIABLE printed ERROR_QUIET)
string(REGEX MATCH "^Verilator ([0-9.]+)" matched "${printed}")
if(NOT CMAKE_MATCH_1 VERSION_GREATER newer_than)
  lutra_no_verilator("${command} is not a Verilator newer than ${newer_than}" "set LUTRA_VERILATOR to one")
  return()
endif()

# The run-time sources belong to the command found: the folder above its bin, as in the wheel (whose
# command answers --getenv with a path of the machine that built it), then what it says itself.
cmake_path(GET command_dir PARENT_PATH verilator_root)
if(NOT EXISTS ${verilator_root}/include/verilated.cpp)
  if(DEFINED ENV{VERILATOR_ROOT})
    set(verilator_root $ENV{VERILATOR_ROOT})
  else()
    execute_process(COMMAND ${command} --getenv VERILATOR_ROOT
      OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE verilator_root)
  endif()
endif()
if(NOT EXISTS ${verilator_root}/include/verilated.cpp)
  lutra_no_verilator("${command} has no include/verilated.cpp under '${verilator_root}'" "set VERILATOR_ROOT")
  return()
endif()
set(verilator ${command})
message(STATUS "lutra: verilator ${verilator}")
