// Loads a compiled model and says how many ranks it runs on.
#include <stdio.h>
#include <tessera/runtime.h>

int main(int argc, char **argv) {
  TesseraProgram *program = NULL;
  if (argc != 2 || tessera_program_load(argv[1], &program) != TESSERA_OK) {
    fprintf(stderr, "error: %s\n", tessera_error_message());
    return 1;
  }
  printf("%d ranks\n", tessera_program_ranks(program));
  tessera_program_destroy(program);
  return 0;
}
