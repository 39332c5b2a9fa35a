"""A schedule of threads on a typed dict. The defect shows by chance: the script forks a bounded number of processes
until one shows it, and reports if none does."""

_ATTEMPTS, _SECONDS = 40, 20
_WRITERS = 64  # an item is key * 64 + its writer
_SET, _READ, _DELETE, _ITERATE = range(4)
_OPS = {"set": _SET, "read": _READ, "delete": _DELETE, "iterate": _ITERATE}
# Type of a key: numba's name, the key of number k, the number of a key.
_KEYS = {
    "int64": ("numba.int64", "k", "key"),
    "float64": ("numba.float64", "k * 0.5", "int(key * 2)"),
    "unicode": ("numba.types.unicode_type", "str(k)", "int(key)"),
    "tuple": ("numba.types.UniTuple(numba.int64, 2)", "(k, -k)", "key[0]"),
}
# Type of an item: numba's name, the item of key k by a writer, the number in an item.
_ITEMS = {
    "int64": ("numba.int64", "k * 64 + writer", "item"),
    "float64": ("numba.float64", "float(k * 64 + writer)", "int(item)"),
    "array": ("numba.int64[::1]", "np.full(2, k * 64 + writer)", "item[0]"),
}
_ROUND = """\
def done(plans, op): return {{k for plan in plans for o, f, n, w in plan if o == op for k in range(f, f + n)}}
def is_wrong(plans):
    d, errors = numba.typed.Dict.empty({key_type}, {item_type}), []
    bad, gate = np.zeros(len(plans), int), threading.Barrier(len(plans))
    threading.excepthook = errors.append; work(d, 0, np.array([({set}, 0, {initial}, 0)]), bad)
    go = lambda t: (gate.wait(), work(d, t, np.array(plans[t], int).reshape(-1, 4), bad))
    jobs = [threading.Thread(target=go, args=(t,)) for t in range(len(plans))]
    [job.start() for job in jobs], [job.join() for job in jobs]
    keys, there = [{number} for key in d], done(plans, {set}) | set(range({initial}))
    is_kept = bool(errors) or there - done(plans, {delete}) <= set(keys)
    return bad.any() or not len(d) == len(keys) == len(set(keys)) or not set(keys) <= there or not is_kept
def attempt():
    if (pid := os.fork()): return os.waitpid(pid, 0)[1]
    signal.alarm({seconds}); os._exit(any(is_wrong({plans}) for _ in range({rounds})))"""
_ASK = """\
is_wrong([[({read}, 0, 1, 0)]])  # compiled before anything is forked
got = next(filter(None, (attempt() for _ in range({attempts}))), 0)
print("expected: wait status 0, of a process whose dict is intact\\ngot:      wait status", got, "" if got else \
"in {attempts} attempts: fixed, or not seen by chance")
sys.exit(int(got != 0))"""


def _plans(value):
    """For each thread the operation, first key, count and writer of its blocks."""
    plans = []
    for thread, blocks in enumerate(value["threads"]):
        plans.append(
            [(_OPS[op], first, count, 4 * thread + b + 1) for b, (op, first, count) in enumerate(blocks)]
        )
    return plans


def _define_work(script, value, plans):
    """The function that every thread runs without the interpreter's lock."""
    key, (_, item, number) = _KEYS[value["key"]][1], _ITEMS[value["item"]]
    ops = {block[0] for plan in plans for block in plan}
    lines = [
        "@numba.njit(nogil=True)",
        "def work(d, me, plan, bad):",
        "    for op, first, count, writer in zip(plan[:, 0], plan[:, 1], plan[:, 2], plan[:, 3]):",
        "        for k in range(first, first + count):",
        "            if op == %d: d[%s] = %s" % (_SET, key, item),
    ]
    if _READ in ops:
        words = (_READ, key, key, number, _WRITERS)
        lines.append("            if op == %d and %s in d: item = d[%s]; bad[me] += %s // %d != k" % words)
    if _DELETE in ops:
        lines.append("            if op == %d and %s in d: del d[%s]" % (_DELETE, key, key))
    if _ITERATE in ops:
        lines.append("        if op == %d:" % _ITERATE)
        lines.append("            for item in d.values(): bad[me] += %s < 0" % number)
    script.define("\n".join(lines))


def ask(script, value):
    """Writes the script. A round is wrong if an item is broken, if the length differs from the number of keys, or if a
    key was lost or invented; a refused thread may leave its work undone."""
    plans = _plans(value)
    _define_work(script, value, plans)
    words = {"set": _SET, "read": _READ, "delete": _DELETE, "seconds": _SECONDS, "attempts": _ATTEMPTS, "plans": plans}
    words.update(key_type=_KEYS[value["key"]][0], number=_KEYS[value["key"]][2], item_type=_ITEMS[value["item"]][0])
    words.update(initial=value.get("initial", 0), rounds=value.get("rounds", 1))
    script.define(_ROUND.format_map(words))
    script.do(_ASK.format_map(words))
