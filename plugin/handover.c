#include "plugin/handover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/map.h"

enum { NAME_SIZE = 512, KEY_SIZE = 8192, MOST = 64 << 20, OLD = 24 * 60 * 60 };

// ---- who the driver is ----

static size_t read_small(const char *path, char *to, size_t size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    to[0] = '\0';
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, to, size - 1);
    close(fd);
    to[n < 0 ? 0 : n] = '\0';
    return n < 0 ? 0 : (size_t)n;
}

// When a process was started, in ticks since the machine was (proc_pid_stat(5), field 22); 0: there is none.
static unsigned long long started(long pid) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    if (!read_small(path, text, sizeof text))
        return 0;
    const char *at = strrchr(text, ')'); // the command's name may have anything in it
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at + 1, NULL, 10) : 0;
}

// Processes are numbered anew in each namespace; machines may share a folder.
static unsigned long long namespace_number(void) {
    struct stat st;
    return stat("/proc/self/ns/pid", &st) == 0 ? (unsigned long long)st.st_ino : 0;
}

typedef struct place {
    char folder[NAME_SIZE], file[NAME_SIZE + 128], key[KEY_SIZE];
} place;

static bool find_folder(char *to) {
    const char *tmp = getenv("TMPDIR");
    if (!tmp || !*tmp)
        tmp = "/tmp";
    return snprintf(to, NAME_SIZE, "%s/tilecheck-%lu", tmp, (unsigned long)geteuid()) < NAME_SIZE;
}

static bool find_place(const char *main_file, place *p) {
    char boot[64] = "", here[4096];
    long driver = (long)getppid();
    unsigned long long start = started(driver), space = namespace_number();
    read_small("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    boot[strcspn(boot, "\n")] = '\0';
    if (!start || !find_folder(p->folder) || !getcwd(here, sizeof here) || strchr(main_file, '\n'))
        return false;
    int n = snprintf(p->key, sizeof p->key, "tilecheck contracts 1 %s %llu %ld %llu %s//%s\n", boot, space, driver, start, here, main_file);
    if (n < 0 || (size_t)n >= sizeof p->key)
        return false;
    uint64_t hash = tc_hash_bytes(p->key, (size_t)n, 0);
    return snprintf(p->file, sizeof p->file, "%s/%llu-%ld-%016llx", p->folder, space, driver, (unsigned long long)hash) < (int)sizeof p->file;
}

// One pass alone is run by the driver itself: its parent is whoever called it.
static bool is_pass_of_many(void) {
    char text[8192];
    size_t n = read_small("/proc/self/cmdline", text, sizeof text), program = strlen(text) + 1;
    return program < n && strcmp(text + program, "-cc1") == 0;
}

bool tc_handover_expected(void) {
    static const char *const device_only[] = {"--cuda-device-only", "--offload-device-only"};
    char path[64], text[1 << 16];
    if (!is_pass_of_many())
        return false;
    snprintf(path, sizeof path, "/proc/%ld/cmdline", (long)getppid());
    size_t n = read_small(path, text, sizeof text);
    for (size_t at = 0; at < n; at += strlen(text + at) + 1)
        for (size_t i = 0; i < sizeof device_only / sizeof *device_only; i++)
            if (strcmp(text + at, device_only[i]) == 0)
                return false;
    return true;
}

// ---- files ----

// The folder, ours alone; made when it is missing.
static int open_folder(const char *path, bool make) {
    struct stat st;
    if (make && mkdir(path, 0700) != 0 && errno != EEXIST)
        return -1;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 077) == 0)
        return fd;
    close(fd);
    return -1;
}

static bool write_all(int fd, const void *bytes, size_t size) {
    const char *p = bytes;
    while (size > 0) {
        ssize_t n = write(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

static bool read_all(int fd, void *bytes, size_t size) {
    char *p = bytes;
    while (size > 0) {
        ssize_t n = read(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

// Left by a driver of our namespace that is gone, or a day ago by whomever.
static bool is_stale(int folder, const char *name, unsigned long long space) {
    unsigned long long whose;
    long driver;
    struct stat st;
    if (sscanf(name, "%llu-%ld-", &whose, &driver) != 2 || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    if (whose == space && driver > 0 && kill((pid_t)driver, 0) != 0 && errno == ESRCH)
        return true;
    return time(NULL) - st.st_mtime > OLD;
}

static void clean(int folder) {
    int again = dup(folder);
    DIR *d = again < 0 ? NULL : fdopendir(again);
    if (!d) {
        if (again >= 0)
            close(again);
        return;
    }
    unsigned long long space = namespace_number();
    for (const struct dirent *e; (e = readdir(d));)
        if (is_stale(folder, e->d_name, space))
            unlinkat(folder, e->d_name, 0);
    closedir(d);
}

static const char *name_of(const place *p) {
    return strrchr(p->file, '/') + 1;
}

// The new file, and the folder that it is in. Another driver's host pass may remove the folder just before there is something in it.
static int make_file(const place *p, int *folder) {
    enum { TRIES = 20 };
    int fd = -1;
    for (int i = 0; i < TRIES && fd < 0; i++) {
        *folder = open_folder(p->folder, true);
        if (*folder < 0 && errno == ENOENT)
            continue;
        if (*folder < 0)
            return -1;
        unlinkat(*folder, name_of(p), 0); // of this very driver, which compiles the file twice
        fd = openat(*folder, name_of(p), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        int failed = errno;
        if (fd < 0)
            close(*folder);
        if (fd < 0 && failed != ENOENT)
            return -1;
    }
    return fd;
}

bool tc_handover_leave(const char *main_file, const void *bytes, size_t size) {
    place p;
    int folder = -1;
    int fd = size <= MOST && find_place(main_file, &p) ? make_file(&p, &folder) : -1;
    if (fd < 0)
        return false;
    clean(folder);
    bool good = write_all(fd, p.key, strlen(p.key)) && write_all(fd, bytes, size);
    if (close(fd) != 0)
        good = false;
    if (!good)
        unlinkat(folder, name_of(&p), 0);
    close(folder);
    return good;
}

// The bytes behind the key, if that is the whole key.
static bool read_behind(int fd, const char *key, void **bytes, size_t *size) {
    struct stat st;
    char first[KEY_SIZE];
    size_t n = strlen(key);
    bool ours = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && (st.st_mode & 077) == 0 && st.st_nlink == 1;
    if (!ours || st.st_size < (off_t)n || st.st_size > (off_t)(MOST + KEY_SIZE) || !read_all(fd, first, n) || memcmp(first, key, n) != 0)
        return false;
    *size = (size_t)st.st_size - n;
    *bytes = malloc(*size ? *size : 1);
    if (*bytes && read_all(fd, *bytes, *size))
        return true;
    free(*bytes);
    return false;
}

bool tc_handover_take(const char *main_file, void **bytes, size_t *size) {
    place p;
    int folder = is_pass_of_many() && find_place(main_file, &p) ? open_folder(p.folder, false) : -1;
    if (folder < 0)
        return false;
    int fd = openat(folder, name_of(&p), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool good = fd >= 0 && read_behind(fd, p.key, bytes, size);
    if (fd >= 0) {
        close(fd);
        unlinkat(folder, name_of(&p), 0);
    }
    close(folder);
    rmdir(p.folder); // where nothing else is in it
    return good;
}
