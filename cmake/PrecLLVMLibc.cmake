# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# llvm-libc's correctly rounded functions under names of our own. Linked as they
# are, its expf and kin would replace those of the C library for the whole
# process; so the members that define them are joined into one object in which
# only the renamed entry points stay global.

find_library(PREC_LLVMLIBC libllvmlibc.a HINTS ${LLVM_LIBRARY_DIR} REQUIRED)
find_program(PREC_LLD ld.lld HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
find_program(PREC_OBJCOPY llvm-objcopy HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)

# prec_llvmlibc_object(OUT expf logf ...): sets OUT to an object file, built on
# demand, that defines prec_llvmlibc_expf and so on.
function(prec_llvmlibc_object out)
  set(undefined "")
  set(rename "")
  foreach(name ${ARGN})
    list(APPEND undefined -u ${name})
    list(APPEND rename --redefine-sym ${name}=prec_llvmlibc_${name}
                --keep-global-symbol=${name})
  endforeach()
  set(joined ${CMAKE_CURRENT_BINARY_DIR}/llvmlibc-joined.o)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/llvmlibc.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${PREC_LLD} -r -o ${joined} ${undefined} ${PREC_LLVMLIBC}
    COMMAND ${PREC_OBJCOPY} ${rename} ${joined} ${object}
    DEPENDS ${PREC_LLVMLIBC}
    COMMENT "Renaming llvm-libc's functions"
    VERBATIM)
  set_source_files_properties(${object} PROPERTIES
    EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set(${out} ${object} PARENT_SCOPE)
endfunction()
