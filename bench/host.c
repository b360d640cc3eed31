// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mix_and_reduce at 4096 x 4 x 2560 on one thread, strict and loose, in units
// of a memcpy that moves as many bytes. The three take turns, so that all see
// the same machine; the best of each is taken.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int Kernel(const uint16_t *u, const uint16_t *xn, uint16_t *y,
                   int64_t uRows, int64_t xnRows);
Kernel mix_and_reduce, mix_and_reduce_loose;

enum { ROWS = 4096, STREAMS = 4, HIDDEN = 2560, REPEATS = 25 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static uint16_t *allocate(size_t elements) {
  void *memory = aligned_alloc(64, elements * sizeof(uint16_t));
  if (!memory)
    exit(2);
  memset(memory, 1, elements * sizeof(uint16_t));
  __asm__ volatile(""
                   : "+r"(memory)
                   :
                   : "memory"); // whoever reads it is unknown
  return memory;
}

int main(void) {
  const size_t in = (size_t)ROWS * STREAMS * HIDDEN,
               out = (size_t)ROWS * HIDDEN;
  const size_t traffic = (2 * in + out) * sizeof(uint16_t);
  uint16_t *u = allocate(in), *xn = allocate(in), *y = allocate(out);
  char *from = (char *)allocate(traffic / 4),
       *to = (char *)allocate(traffic / 4);
  uint32_t state = 1;
  for (size_t i = 0; i < in;
       ++i) { // values between 2^-3 and 2^3 of either sign
    state = state * 1664525u + 1013904223u;
    u[i] = (uint16_t)((state >> 16 & 0x8000) | (0x3E00 + (state >> 8) % 0x300));
    xn[i] =
        (uint16_t)((state >> 15 & 0x8000) | (0x3E00 + (state >> 4) % 0x300));
  }
  double best[3] = {1e9, 1e9, 1e9};
  for (int repeat = 0; repeat < REPEATS; ++repeat) {
    for (int which = 0; which < 3; ++which) {
      const double start = now();
      if (which == 0) {
        memcpy(to, from, traffic / 2);
        __asm__ volatile("" : : "r"(to) : "memory"); // nobody reads the copy
      } else if ((which == 1 ? mix_and_reduce
                             : mix_and_reduce_loose)(u, xn, y, ROWS, ROWS)) {
        return 1;
      }
      const double seconds = now() - start;
      if (seconds < best[which])
        best[which] = seconds;
    }
  }
  printf(
      "| what | ms | GB/s | copies | strict/loose |\n|---|---|---|---|---|\n");
  printf("| memcpy of the same traffic | %.2f | %.1f | 1 | |\n", best[0] * 1e3,
         traffic / best[0] * 1e-9);
  printf("| mix_and_reduce, loose | %.2f | %.1f | %.2f | |\n", best[2] * 1e3,
         traffic / best[2] * 1e-9, best[2] / best[0]);
  printf("| mix_and_reduce, strict | %.2f | %.1f | %.2f | %.2f |\n",
         best[1] * 1e3, traffic / best[1] * 1e-9, best[1] / best[0],
         best[1] / best[2]);
  return 0;
}
