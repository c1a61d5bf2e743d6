// Runs the kernels that sim.h's classes describe: small launches one after another, then samples of large ones.
// Included at the end of a generated file that defines At, at and kernels(). Reads commands, one a line:
//   sweep KERNEL WORK SEED
//   run KERNEL WORK GX GY GZ BX BY BZ COUNT VALUE… COUNT (PARAM INDEX VALUE)… COUNT (X Y Z of blocks to run)…
#include <algorithm>
#include <iostream>
#include <sstream>

Dim threadIdx, blockIdx, blockDim, gridDim;
int fill_mode;
bool sampled;
std::map<std::string, AnyShared *> shared_slots;
static const Kernel *now;
static std::vector<Obj *> objects;
static long long work, spent;
struct Fiber {
    ucontext_t context;
    std::vector<char> stack;
    Dim thread;
    int fuel;
    bool done;
};
static std::vector<Fiber *> fibers;
static ucontext_t scheduler;
static Fiber *current;
static int fuel_left;
static bool replay;    // one launch: as long as it takes
W span_low, span_high; // of the elements of y that were touched
static std::set<std::string> seen;
static std::string launch_text;

static std::string text(W v) {
    bool neg = v < 0;
    std::string s;
    for (unsigned __int128 u = neg ? -(unsigned __int128)v : (unsigned __int128)v; u || s.empty(); u /= 10)
        s.insert(s.begin(), char('0' + int(u % 10)));
    return neg ? "-" + s : s;
}

void fault(const char *rule, const char *what, W index) {
    std::string w = what;
    bool soft = w.find("guard") != std::string::npos || w.find("changed") != std::string::npos;
    if (w == "shift out of range" || w == "division by zero")
        index = 0;
    std::string key = std::string(rule) + (soft ? " soft " : " hard ");
    if (!seen.insert(key).second)
        return;
    std::cout << "fault " << now->name << " " << key << launch_text << " block " << blockIdx.x.v << "," << blockIdx.y.v
              << "," << blockIdx.z.v << " thread " << threadIdx.x.v << "," << threadIdx.y.v << "," << threadIdx.z.v
              << " : " << what << " " << text(index) << "\n";
}
void fuel() {
    spent++;
    if (--fuel_left < 0)
        throw Stop();
}
void Obj::fill(Cell &c, long long i) {
    auto g = given.find(i);
    if (uninit) {
        c.f = sampled ? 0 : UNWRITTEN;
        c.v = c.f ? 0 : (long long)(mixed(uint64_t(i)) & 7);
        return;
    }
    uint64_t h = mixed(uint64_t(i) * 31 + std::hash<std::string>()(name) + uint64_t(fill_mode) * 1000003);
    W count = hi - lo;
    if (g != given.end())
        c.v = g->second;
    else if (zeroed)
        c.v = 0;
    else if (ranged) {
        W v;
        if (injective)
            v = monotone ? W(i) + (fill_mode % 2 ? count - span : 0) : (fill_mode % 3 ? W(i) : count - 1 - W(i));
        else if (monotone) // from the bottom to the top, or all at one end
            v = fill_mode % 4 == 3   ? W(0)
                : fill_mode % 4 == 2 ? count - 1
                : span < 2           ? count - 1
                                     : W(i) * (count - 1) / (span - 1);
        else
            v = fill_mode % 4 == 1 ? count - 1 : fill_mode % 4 == 2 ? W(0) : W(h) % count;
        c.v = (long long)(lo + v);
    } else if (fill_mode % 2)
        c.v = (long long)h;
    else
        c.v = (long long)(h % 21) - 2;
    c.r = double((int64_t)h % 1000) / 7;
}
static void set_block(W x, W y, W z) {
    blockIdx = {u32((unsigned)x), u32((unsigned)y), u32((unsigned)z)};
    at.blockIdx_x = x, at.blockIdx_y = y, at.blockIdx_z = z;
}
static W w_read(W p, W i) {
    Obj &o = *objects[size_t(p)];
    if (!o.exists(i))
        throw NoValue();
    return W(o.cell(i).v);
}
bool owned(const Obj &o, W i) {
    try {
        return o.region < 0 || (o.rows > 1 && o.cols > o.stride) || now->owns(o.region, i / o.stride, i % o.stride);
    } catch (NoValue &) {
        return true;
    }
}
void barrier() {
    fuel();
    if (current)
        swapcontext(&current->context, &scheduler);
}
static void fiber_main() {
    try {
        now->body(objects);
    } catch (Stop &) {
    }
    current->done = true;
    swapcontext(&current->context, &scheduler);
}
static void run_block() {
    for (auto &s : shared_slots)
        delete s.second;
    shared_slots.clear();
    size_t count = size_t(blockDim.x.v) * blockDim.y.v * blockDim.z.v;
    for (size_t i = 0; i < count; i++) {
        unsigned x = unsigned(i % blockDim.x.v), y = unsigned(i / blockDim.x.v % blockDim.y.v),
                 z = unsigned(i / blockDim.x.v / blockDim.y.v);
        spent++;
        threadIdx = {u32(x), u32(y), u32(z)};
        fuel_left = !replay ? 4000 : fill_mode == 0 ? std::max(4000, int(1600000 / count)) : 20000;
        if (!now->barriers) {
            current = nullptr;
            try {
                now->body(objects);
            } catch (Stop &) {
            }
            continue;
        }
        if (fibers.size() <= i)
            fibers.push_back(new Fiber()), fibers[i]->stack.resize(1 << 16);
        Fiber *f = fibers[i];
        getcontext(&f->context);
        f->context.uc_stack.ss_sp = f->stack.data();
        f->context.uc_stack.ss_size = f->stack.size();
        f->context.uc_link = &scheduler;
        f->thread = threadIdx, f->fuel = fuel_left, f->done = false;
        makecontext(&f->context, fiber_main, 0);
    }
    for (bool more = now->barriers; more;) {
        more = false;
        for (size_t i = 0; i < count; i++) {
            if (fibers[i]->done)
                continue;
            current = fibers[i];
            threadIdx = current->thread, fuel_left = current->fuel;
            swapcontext(&scheduler, &current->context);
            current->fuel = fuel_left;
            more = more || !current->done;
        }
    }
    current = nullptr;
}
// Does each element have one owner at most? Small launches only.
static void check_owners(W blocks) {
    for (size_t p = 0; p < objects.size(); p++) {
        Obj &o = *objects[p];
        if (now->params[p].region < 0 || o.span > 256 || blocks > 16)
            continue;
        for (W i = 0; i < o.span; i++) {
            int owners = 0;
            for (W b = 0; b < blocks && o.exists(i); b++) {
                set_block(b % gridDim.x.v, b / gridDim.x.v % gridDim.y.v, b / gridDim.x.v / gridDim.y.v);
                try {
                    owners += now->owns(int(p), i / o.stride, i % o.stride);
                } catch (NoValue &) {
                }
            }
            if (owners > 1)
                fault("TC1005", o.name.c_str(), i);
        }
    }
}
static bool prepare(const W *grid, const W *block) {
    W lim_g[3] = {2147483647, 65535, 65535}, lim_b[3] = {1024, 1024, 64};
    for (int d = 0; d < 3; d++)
        if (grid[d] < 1 || grid[d] > lim_g[d] || block[d] < 1 || block[d] > lim_b[d])
            return false;
    if (block[0] * block[1] * block[2] > 1024)
        return false;
    gridDim = {u32((unsigned)grid[0]), u32((unsigned)grid[1]), u32((unsigned)grid[2])};
    blockDim = {u32((unsigned)block[0]), u32((unsigned)block[1]), u32((unsigned)block[2])};
    at.gridDim_x = grid[0], at.gridDim_y = grid[1], at.gridDim_z = grid[2];
    at.blockDim_x = block[0], at.blockDim_y = block[1], at.blockDim_z = block[2];
    try {
        W g[3] = {grid[0], grid[1], grid[2]}, b[3] = {block[0], block[1], block[2]};
        now->dims(g, b);
        for (int d = 0; d < 3; d++)
            if (g[d] != grid[d] || b[d] != block[d])
                return false;
        if (!now->allowed())
            return false;
        for (size_t p = 0; p < now->params.size(); p++) {
            Obj o;
            now->shape(int(p), o);
            W bound = W(1) << 45;
            if (o.rows < 0 || o.cols < 0 || o.rows > bound || o.cols > bound || o.stride > bound || o.stride < 0)
                return false;
            if (now->params[p].ranged && o.rows * o.cols > 0 &&
                (o.hi <= o.lo || (now->params[p].injective && o.hi - o.lo < o.rows * o.cols)))
                return false;
        }
    } catch (NoValue &) {
        return false;
    }
    return true;
}
static void launch(const W *grid, const W *block, int fill, bool alias, const std::vector<W> &blocks_wanted,
                   const std::vector<std::vector<long long>> &given) {
    fill_mode = fill;
    launch_text = "";
    for (auto &s : now->scalars)
        launch_text += std::string(s.name) + "=" + text(*s.place) + " ";
    launch_text += "grid " + text(grid[0]) + "," + text(grid[1]) + "," + text(grid[2]) + " block " + text(block[0]) +
                   "," + text(block[1]) + "," + text(block[2]) + " fill " + text(fill) + (alias ? " inplace" : "");
    std::vector<Obj> all(now->params.size());
    objects.clear();
    for (size_t p = 0; p < all.size(); p++) {
        const Param &q = now->params[p];
        Obj &o = all[p];
        now->shape(int(p), o);
        o.name = q.name, o.kind = Kind(q.kind), o.region = q.region < 0 ? -1 : int(p);
        o.ranged = q.ranged, o.injective = q.injective, o.monotone = q.monotone, o.zeroed = q.zeroed;
        if (o.stride < 1)
            o.stride = 1;
        o.span = o.rows < 1 || o.cols < 1 ? W(0) : (o.rows - 1) * o.stride + o.cols;
        for (auto &g : given)
            if (size_t(g[0]) == p)
                o.given[g[1]] = g[2];
        objects.push_back(&o);
        if (o.rows > 1 && o.cols > o.stride)
            fault("TC1005", q.name);
    }
    for (size_t p = 0; alias && p < all.size(); p++)
        if (now->params[p].inplace >= 0) {
            all[p].ranged = all[size_t(now->params[p].inplace)].ranged;
            objects[size_t(now->params[p].inplace)] = objects[p];
        }
    W blocks = grid[0] * grid[1] * grid[2];
    sampled = blocks * block[0] * block[1] * block[2] > 2048;
    std::vector<W> chosen = blocks_wanted;
    for (W i = 0; !sampled && i < blocks; i++) {
        W b = fill % 2 ? blocks - 1 - i : i;
        if (std::find(blocks_wanted.begin(), blocks_wanted.end(), b) == blocks_wanted.end())
            chosen.push_back(b);
    }
    for (int i = 0; sampled && i < 6; i++) {
        W b = i < 3 ? W(i) : i < 5 ? blocks - W(i) + 2 : W(mixed(uint64_t(fill) + spent) % 0x7fffffff) % blocks;
        if (b >= 0 && b < blocks && std::find(chosen.begin(), chosen.end(), b) == chosen.end())
            chosen.push_back(b);
    }
    if (!sampled && fill == 0)
        check_owners(blocks);
    for (size_t i = 0; i < chosen.size() && (i < blocks_wanted.size() || spent <= work); i++) {
        W b = chosen[i];
        set_block(b % grid[0], b / grid[0] % grid[1], b / grid[0] / grid[1]);
        run_block();
    }
}
static W pick(const Scalar &s, uint64_t &r, const std::vector<long long> &hints) {
    r = mixed(r);
    W v;
    switch (r % 8) {
    case 0:
        v = s.lo + W(r >> 8) % 6;
        break;
    case 1:
        v = s.hi - W(r >> 8) % 6;
        break;
    case 2:
    case 3:
        v = hints.empty() ? 0 : hints[(r >> 8) % hints.size()] + W(r >> 40) % 5 - 2;
        break;
    case 4:
        v = (W(1) << ((r >> 8) % 63)) + W(r >> 20) % 5 - 2;
        break;
    case 5:
        v = W(r >> 8) % 200;
        break;
    case 6:
        v = W(r >> 8) % 0x10000;
        break;
    default:
        v = W(r >> 8) % 24;
        break;
    }
    return v < s.lo ? s.lo : v > s.hi ? s.hi : v;
}
static void sweep(uint64_t seed, long long limit) {
    std::vector<Scalar> vary;
    W *rare = nullptr; // the parameter behind which everything is hidden
    for (auto &s : now->scalars)
        if (std::string(s.name) == "rare")
            rare = s.place;
        else
            vary.push_back(s);
    static W gx, gy, gz, bx, by, bz;
    size_t scalars = vary.size();
    if (now->grid_free)
        vary.push_back({"", 1, 2147483647, &gx}), vary.push_back({"", 1, 65535, &gy}),
            vary.push_back({"", 1, 65535, &gz});
    if (now->block_free)
        vary.push_back({"", 1, 1024, &bx}), vary.push_back({"", 1, 1024, &by}), vary.push_back({"", 1, 64, &bz});
    bool alias = false;
    for (auto &p : now->params)
        alias = alias || p.inplace >= 0;
    work = limit, spent = 0, replay = false;
    span_low = W(1) << 100, span_high = -span_low;
    long long runs = 0;
    uint64_t r = seed;
    for (long long n = 0; spent < work && n < 40000; n++) {
        // First small sizes: every tuple below a side that grows; then anything.
        bool small = n % 2 == 0;
        long long rest = n / 2;
        gx = gy = gz = bx = by = bz = 1;
        if (rare)
            *rare = n % 16 == 15 ? 3 : 1000002;
        for (size_t i = 0; i < vary.size(); i++) {
            long long side = i >= scalars ? 4 : scalars < 2 ? 300 : scalars == 2 ? 36 : 14;
            W low = i >= scalars ? W(1) : vary[i].lo < -2 ? W(-2) : vary[i].lo;
            if (small)
                *vary[i].place = std::min<W>(low + rest % side, vary[i].hi), rest /= side;
            else
                *vary[i].place = i >= scalars && (r = mixed(r)) % 4 ? W(1 + (r >> 9) % ((r >> 5) % 8 ? 5 : 40))
                                                                    : pick(vary[i], r, now->hints);
        }
        if (now->grid_free && n % 8 < 5)
            gz = 1, gy = n % 3 ? W(1) : gy;
        W grid[3] = {gx, gy, gz}, block[3] = {bx, by, bz};
        spent++;
        at.gridDim_x = gx, at.gridDim_y = gy, at.gridDim_z = gz, at.blockDim_x = bx, at.blockDim_y = by,
        at.blockDim_z = bz;
        try {
            now->dims(grid, block);
        } catch (NoValue &) {
            continue;
        }
        if (!prepare(grid, block))
            continue;
        runs++;
        launch(grid, block, int(n % 7), alias && n % 3 == 0, {}, {});
        if (runs < 40)
            launch(grid, block, int((n + 3) % 7), alias && n % 3 != 0, {}, {}), runs++;
    }
    if (span_low <= span_high)
        std::cout << "span " << now->name << " " << text(span_low) << " " << text(span_high) << "\n";
    std::cout << "runs " << now->name << " " << runs << "\n";
}
int main() {
    std::string line, word, name;
    std::vector<Kernel> all = kernels();
    while (std::getline(std::cin, line)) {
        std::istringstream in(line);
        in >> word >> name >> work;
        now = nullptr;
        for (auto &k : all)
            now = name == k.name ? &k : now;
        seen.clear();
        if (!now)
            std::cout << "no kernel " << name << "\n";
        else if (word == "sweep") {
            uint64_t seed = 0;
            in >> seed;
            sweep(seed, work);
        } else {
            long long v[6], count, x;
            for (auto &d : v)
                in >> d;
            W grid[3] = {v[0], v[1], v[2]}, block[3] = {v[3], v[4], v[5]};
            in >> count;
            for (long long i = 0; i < count; i++)
                in >> x, *now->scalars[size_t(i)].place = x;
            std::vector<std::vector<long long>> given;
            in >> count;
            for (long long i = 0; i < count; i++) {
                std::vector<long long> g(3);
                in >> g[0] >> g[1] >> g[2];
                given.push_back(g);
            }
            std::vector<W> wanted;
            in >> count;
            for (long long i = 0; i < count; i++) {
                in >> v[0] >> v[1] >> v[2];
                wanted.push_back(v[0] + grid[0] * (v[1] + grid[1] * v[2]));
            }
            replay = true;
            if (!prepare(grid, block))
                std::cout << "refused " << now->name << "\n";
            else
                for (int i = 0; i < 14; i++)
                    spent = 0, launch(grid, block, i % 7, i >= 7, wanted, given);
        }
        std::cout << "end " << name << std::endl;
    }
}
