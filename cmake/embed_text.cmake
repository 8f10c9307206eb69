# imago_embed_wgsl(TARGET a.wgsl …): each file becomes <its path below src>.h, which defines
# imago::wgsl::<stem> as a string_view. Kernels stay files that a WGSL tool can read. The target may be one of a parent
# folder: a custom target carries the dependency, since a rule is only known to the folder that states it.
# The target imago_kernels makes them all, for tools that read the code without compiling it.
set(embed_text_script ${CMAKE_CURRENT_LIST_DIR}/embed_text_script.cmake)
add_custom_target(imago_kernels)
function(imago_embed_wgsl target)
  set(headers "")
  set(names "")
  foreach(file IN LISTS ARGN)
    get_filename_component(absolute ${file} ABSOLUTE)
    file(RELATIVE_PATH relative ${CMAKE_SOURCE_DIR}/src ${absolute})
    get_filename_component(stem ${file} NAME_WE)
    set(header ${CMAKE_BINARY_DIR}/kernels/${relative}.h)
    add_custom_command(
      OUTPUT ${header}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${absolute} -DOUTPUT=${header} -DNAME=${stem} -P ${embed_text_script}
      DEPENDS ${absolute} ${embed_text_script}
      VERBATIM)
    list(APPEND headers ${header})
    string(APPEND names "_${stem}")
  endforeach()
  string(SHA1 names "${names}")  # a target of its own for every call; the names themselves make too long a file name
  string(SUBSTRING ${names} 0 12 names)
  set(names "_${names}")
  add_custom_target(${target}_wgsl${names} DEPENDS ${headers})
  add_dependencies(${target} ${target}_wgsl${names})
  add_dependencies(imago_kernels ${target}_wgsl${names})
  target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR}/kernels)
endfunction()
