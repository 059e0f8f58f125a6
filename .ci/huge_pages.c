// LD_PRELOAD of a compiler, and of node. Their text lies in huge pages that all processes share, and a compiler's memory in such
// as stay from one process to the next: files of the tmpfs $HUGE_PAGES. V8's heap lies in huge pages of its process.
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

// --- malloc in that memory, for one thread: blocks by class of size, and those that were freed kept by class -------------------

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
void __libc_free(void *);

struct head {
  size_t size;
  unsigned of, is_ours;
};
static const unsigned ours = 0x68756765;
static void *lists[256];
static char *room, *room_end;

// Sixteenths of a kilobyte, and above it four sizes to each power of two.
static unsigned class_of(size_t size, size_t *rounded) {
  const size_t step = size <= 1024 ? 16 : (size_t)1 << (61 - __builtin_clzl(size - 1)), steps = (size + step - 1) / step;
  *rounded = (steps ? steps : 1) * step;
  return size <= 1024 ? steps : 57 + 4 * (54 - __builtin_clzl(size - 1)) + steps;
}

void *malloc(size_t size) {
  if (memory < 0 || size > whole) return __libc_malloc(size);
  size_t rounded;
  const unsigned of = class_of(size, &rounded);
  void *block = lists[of];
  if (block) return lists[of] = *(void **)block, block;
  rounded += sizeof(struct head);
  if ((size_t)(room_end - room) < rounded) {
    const size_t bytes = rounded < piece / 2 ? piece / 2 : up(rounded);
    char *const begin = given(0, bytes);
    if (begin == MAP_FAILED) return __libc_malloc(size);
    room = begin, room_end = begin + bytes;
  }
  struct head *const head = (struct head *)room;
  room += rounded;
  *head = (struct head){rounded - sizeof *head, of, ours};
  return head + 1;
}

static struct head *head_of(void *block) {
  struct head *const head = (struct head *)block - 1;
  return memory >= 0 && head->is_ours == ours ? head : 0;
}

void free(void *block) {
  struct head *const head = block ? head_of(block) : 0;
  if (!head) return __libc_free(block);
  *(void **)block = lists[head->of];
  lists[head->of] = block;
}

void *calloc(size_t n, size_t size) {
  size_t bytes;
  if (memory < 0 || __builtin_mul_overflow(n, size, &bytes)) return __libc_calloc(n, size);
  void *const block = malloc(bytes);
  return block ? memset(block, 0, bytes) : block;
}

void *realloc(void *block, size_t size) {
  struct head *const head = block ? head_of(block) : 0;
  if (!head) return block ? __libc_realloc(block, size) : malloc(size);
  if (size <= head->size) return block;
  void *const more = malloc(size);
  if (!more) return more;
  memcpy(more, block, head->size);
  free(block);
  return more;
}

// --- V8's heap: chunks of 256 KB, which it asks for with room to align them, and then trims, protects and unprotects -----------

static const size_t chunk = 256 << 10, heap_size = (size_t)4 << 30;
static char *heap, *heap_next;
static void *freed[1 << 14];
static int frees, busy;

static int in_heap(const void *at) { return heap && (const char *)at >= heap && (const char *)at < heap + heap_size; }

static void *new_chunk(void) {
  void *one = 0;
  while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) {}
  if (!heap) {
    char *const room = map(0, heap_size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room != MAP_FAILED) madvise(heap = heap_next = (char *)up((uintptr_t)room), heap_size, MADV_HUGEPAGE);
  }
  const int again = frees > 0;
  if (again) one = freed[--frees];
  else if (heap && heap_next + 2 * chunk <= heap + heap_size) one = heap_next, heap_next += chunk;
  __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
  return again ? memset(one, 0, chunk) : one;
}

int munmap(void *at, size_t size) {
  if (!in_heap(at)) return syscall(SYS_munmap, at, size);
  if (size != chunk || (uintptr_t)at & (chunk - 1)) return 0;  // what is trimmed belongs to the next one
  while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) {}
  if (frees < (int)(sizeof freed / sizeof *freed)) freed[frees++] = at;
  __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
  return 0;
}

int mprotect(void *at, size_t size, int protection) {
  return in_heap(at) && !(protection & PROT_EXEC) ? 0 : syscall(SYS_mprotect, at, size, protection);
}

int madvise(void *at, size_t size, int advice) {
  return in_heap(at) && advice != MADV_HUGEPAGE ? 0 : syscall(SYS_madvise, at, size, advice);
}

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t from) {
  const size_t rounded = (size + 4095) & ~(size_t)4095;
  const int anonymous = flags & MAP_ANONYMOUS, own = flags & MAP_PRIVATE && !(flags & MAP_FIXED);
  const int writes = own && protection == (PROT_READ | PROT_WRITE);
  if (own && anonymous && protection == PROT_NONE && size == 2 * chunk - 4096) {
    void *const one = new_chunk();
    if (one) return one;
  }
  if (writes && anonymous && !at) {
    if ((size_t)(end - next) < rounded && rounded <= piece) {
      char *const begin = given(0, piece);
      if (begin != MAP_FAILED) end = (next = begin) + piece;
    }
    void *here;
    if ((size_t)(end - next) >= rounded) here = next, next += rounded;
    else here = given(0, rounded);
    if (here != MAP_FAILED) return memset(here, 0, size);
  }
  if (writes && at && rounded >= page) {  // a precompiled header comes to its place
    void *const here = given(at, rounded);
    if (here != MAP_FAILED) {
      memset(here, 0, rounded);
      if (!anonymous) filled(here, size, file, from);
      return here;
    }
  }
  void *const here = map(at, size, protection, flags, file, from);
  if (here != MAP_FAILED && anonymous && size >= page) madvise(here, size, MADV_HUGEPAGE);
  return here;
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
  if (getenv("HUGE_PAGES_STAY")) take_memory();
  else unsetenv("LD_PRELOAD");  // what node starts is as it was
  dl_iterate_phdr(move_text, 0);
}
