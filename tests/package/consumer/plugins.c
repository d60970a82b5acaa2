/* A host with two plug-ins, each with a copy of Sluice inside: loaded, used from two threads, unloaded, twice over. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static void *call(void *function) {
  int (*decode)(void);
  *(void **)&decode = function;
  return (void *)(intptr_t)decode();
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  static const char *const functions[] = {"first_decode", "second_decode"};
  for (int round = 0; round < 2; round++) {
    void *library[2], *function[2], *failed = NULL;
    pthread_t thread[2];
    for (int i = 0; i < 2; i++) {
      library[i] = dlopen(argv[1 + i], RTLD_NOW | RTLD_GLOBAL);
      function[i] = library[i] ? dlsym(library[i], functions[i]) : NULL;
      if (function[i] == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
      }
    }
    for (int i = 0; i < 2; i++) pthread_create(&thread[i], NULL, call, function[i]);
    for (int i = 0; i < 2; i++) {
      void *result;
      pthread_join(thread[i], &result);
      if (result != NULL) failed = result;
    }
    for (int i = 0; i < 2; i++) dlclose(library[i]);
    if (failed != NULL) return 1;
  }
  return 0;
}
