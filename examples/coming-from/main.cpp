// The study for AHC Plaza.
#include <cmath>
#include <cstdio>

const long long K = 15LL;        // @tune 1 20
const double TEMP = 30.0;        // @tune 0.01 100 log
const bool TWO_OPT = false;      // @tune

int main() {
    int instance;
    if (std::scanf("%d", &instance) != 1) return 1;
    double noise = instance * 7919 % 101 / 101.0;
    double far = 0.1 * std::pow(K - 4, 2) + std::pow(std::log(TEMP / 3), 2) + (TWO_OPT ? 0 : 1);
    std::printf("Score = %.4f\n", 100 + 20 * noise + far * (0.8 + 0.4 * noise));
}
