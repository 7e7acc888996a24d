// Misbehaving programs, by the name of their first argument.
#include <windows.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

static void start(const char *program, const char *role) {
    char line[4096];
    snprintf(line, sizeof line, "\"%s\" %s 0", program, role);
    STARTUPINFOA start = {};
    start.cb = sizeof start;
    PROCESS_INFORMATION made;
    // As far from its parent as a program of Windows gets.
    DWORD flags = CREATE_NEW_PROCESS_GROUP | DETACHED_PROCESS | CREATE_BREAKAWAY_FROM_JOB;
    if (!CreateProcessA(program, line, 0, 0, FALSE, flags, 0, 0, &start, &made))
        CreateProcessA(program, line, 0, 0, FALSE, flags & ~CREATE_BREAKAWAY_FROM_JOB, 0, 0, &start, &made);
}

int main(int argc, char **argv) {
    char self[MAX_PATH];
    GetModuleFileNameA(0, self, MAX_PATH);
    const char *role = argc > 1 ? argv[1] : "";
    if (!strcmp(role, "spin")) for (volatile int i = 0;; i++) {}
    if (!strcmp(role, "sleep")) Sleep(120000);
    if (!strcmp(role, "hog"))
        for (int i = 0; i < 64; i++) {
            char *block = (char *)malloc(16 << 20);
            if (!block) break;
            memset(block, 1, 16 << 20);
            Sleep(10);
        }
    if (!strcmp(role, "tree")) {
        for (int i = 0; i < 2; i++) start(self, "branch");
        Sleep(100);
    }
    if (!strcmp(role, "branch")) {
        start(self, "sleep");
        Sleep(120000);
    }
    if (!strcmp(role, "crash")) *(volatile char *)8 = 1;
    if (!strcmp(role, "pour")) for (std::string line(65536, 'x');;) puts(line.c_str());
    printf("Score = %s\n", argc > 2 ? argv[2] : "0");
}
