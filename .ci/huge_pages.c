// LD_PRELOAD of a compiler: its memory and its text lie in huge pages that stay from one process to the next, files of the
// tmpfs $HUGE_PAGES. Without it, a compiler is as it was.
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uintptr_t page = 2 << 20;
static const size_t whole = (size_t)768 << 20, piece = 64 << 20;
static int memory = -1;            // the file of this process
static size_t used;                // how much of it is given away
static char *next, *end;           // what is left of the last piece

static uintptr_t up(uintptr_t at) { return (at + page - 1) & ~(page - 1); }

static void *map(void *at, size_t size, int protection, int flags, int file, off_t from) {
  return (void *)syscall(SYS_mmap, at, size, protection, flags, file, from);
}

static int opened(const char *name, int flags) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", getenv("HUGE_PAGES"), name);
  return open(path, flags | O_CLOEXEC, 0700);
}

// The first file that no other process has.
static void take_memory(void) {
  for (int i = 0; memory < 0 && i < 32; ++i) {
    char name[16];
    snprintf(name, sizeof name, "memory%d", i);
    const int file = opened(name, O_RDWR | O_CREAT);
    if (file < 0) return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && ftruncate(file, whole) == 0) memory = file;
    else close(file);
  }
}

// At an address where huge pages fit, or at `at`, with the same place within its page.
static void *given(void *at, size_t size) {
  const size_t from = up(used) + ((uintptr_t)at & (page - 1));
  if (memory < 0 || size > whole || from > whole - size) return MAP_FAILED;
  void *hole = at;
  if (!at) {
    hole = map(0, size + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (hole == MAP_FAILED) return hole;
    hole = (void *)up((uintptr_t)hole);
  }
  void *here = map(hole, size, PROT_READ | PROT_WRITE, MAP_SHARED | (at ? MAP_FIXED_NOREPLACE : MAP_FIXED), memory, from);
  if (here != MAP_FAILED) used = from + size;
  return here;
}

static int filled(char *at, size_t size, int file, off_t from) {
  size_t read = 0;
  for (ssize_t n; read < size && (n = pread(file, at + read, size - read, from + read)) > 0;) read += n;
  return read == size;
}

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t from) {
  const size_t rounded = (size + 4095) & ~(size_t)4095;
  const int anonymous = flags & MAP_ANONYMOUS;
  void *here = MAP_FAILED;
  if (protection != (PROT_READ | PROT_WRITE) || !(flags & MAP_PRIVATE) || flags & MAP_FIXED) {
  } else if (!at && anonymous) {
    if ((size_t)(end - next) < rounded && rounded <= piece) {
      char *const begin = given(0, piece);
      if (begin != MAP_FAILED) end = (next = begin) + piece;
    }
    if ((size_t)(end - next) >= rounded) here = next, next += rounded;
    else here = given(0, rounded);
    if (here != MAP_FAILED) return memset(here, 0, size);
  } else if (at && rounded >= page) {  // a precompiled header comes to its place
    here = given(at, rounded);
    if (here != MAP_FAILED) {
      memset(here, 0, rounded);
      if (!anonymous) filled(here, size, file, from);
      return here;
    }
  }
  return map(at, size, protection, flags, file, from);
}

void *mmap64(void *at, size_t size, int protection, int flags, int file, off_t from) {
  return mmap(at, size, protection, flags, file, from);
}

// The file that holds these bytes of another in huge pages, made by whoever asks first.
static int copied(int file, size_t size, off_t from) {
  struct stat is;
  if (fstat(file, &is) != 0) return -1;
  char name[128], made[160], path[2][256];
  snprintf(name, sizeof name, "text-%lx-%lx-%lx-%lx", (long)is.st_ino, (long)is.st_mtime, (long)from, (long)size);
  int copy = opened(name, O_RDONLY);
  if (copy >= 0) return copy;
  snprintf(made, sizeof made, "%s.%d", name, (int)getpid());
  copy = opened(made, O_RDWR | O_CREAT);
  if (copy < 0) return -1;
  char *at = ftruncate(copy, size) == 0 ? map(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, copy, 0) : MAP_FAILED;
  const int right = at != MAP_FAILED && filled(at, size, file, from);
  if (at != MAP_FAILED) munmap(at, size);
  close(copy);
  snprintf(path[0], sizeof path[0], "%s/%s", getenv("HUGE_PAGES"), made);
  snprintf(path[1], sizeof path[1], "%s/%s", getenv("HUGE_PAGES"), name);
  if (!right) return unlink(path[0]), -1;
  rename(path[0], path[1]);
  return opened(name, O_RDONLY);
}

// What a program only reads and runs, where it is as in the file and at least one huge page.
static int move_text(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size, (void)unused;
  const int file = open(*object->dlpi_name ? object->dlpi_name : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
  const ElfW(Phdr) *const last = object->dlpi_phdr + object->dlpi_phnum;
  for (const ElfW(Phdr) *h = object->dlpi_phdr; file >= 0 && h != last; ++h) {
    if (h->p_type != PT_LOAD || h->p_flags & PF_W) continue;
    const uintptr_t moved = object->dlpi_addr + h->p_vaddr - h->p_offset, begin = up(moved + h->p_offset);
    uintptr_t stop = moved + h->p_offset + h->p_filesz;
    while (h + 1 != last && h[1].p_type == PT_LOAD && !(h[1].p_flags & PF_W) && object->dlpi_addr + h[1].p_vaddr - h[1].p_offset == moved) {
      ++h, stop = moved + h->p_offset + h->p_filesz;
    }
    stop &= ~(page - 1);
    const int copy = stop > begin ? copied(file, stop - begin, begin - moved) : -1;
    if (copy < 0) continue;
    map((void *)begin, stop - begin, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, copy, 0);
    close(copy);
  }
  if (file >= 0) close(file);
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  if (!getenv("HUGE_PAGES")) return;
  take_memory();
  dl_iterate_phdr(move_text, 0);
}
