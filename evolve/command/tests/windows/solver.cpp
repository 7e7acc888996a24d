// A solver whose constants have a best value, in whole numbers alone, so that it scores the same on all systems. It reads
// a seed on standard input and prints as a program of Windows does: `\r\n` where the system says so.
#include <cstdio>
#include <cstdlib>
#include <cstring>

int k = 5;    // evolve: [1, 20]
int t = 10;   // evolve: [0, 100]

int main(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--k")) k = atoi(argv[i + 1]);
        if (!strcmp(argv[i], "--t")) t = atoi(argv[i + 1]);
    }
    unsigned seed = 0;
    if (scanf("%u", &seed) != 1) return 1;
    unsigned noise = (seed * 2654435761u) >> 24;
    printf("k is %d\nScore = %d\n", k, 10 * (k - 13) * (k - 13) + (t - 70) * (t - 70) / 10 + (int)noise);
}
