"""The operations of a schedule, compiled for one pair of types. They run without the GIL."""

import threading

import numpy
from numba import njit, types
from numba.extending import register_jitable
from numba.typed import Dict

_WRITERS = 64
_BLOCKS = 4
_yield = types.ExternalFunction("sched_yield", types.int32())


@register_jitable
def _digits(text):
    number = 0
    for letter in text:
        number = number * 10 + ord(letter) - 48
    return number


def _identity(number):
    return number


def _key_float(number):
    return number * 0.5


def _key_text(number):
    return str(number)


def _key_pair(number):
    return (number, -number)


def _number_float(key):
    return int(key * 2)


def _number_pair(key):
    return key[0]


def _item_float(number):
    return float(number)


def _number_int(item):
    return int(item)


def _item_array(number):
    return numpy.full(2, number, numpy.int64)


def _number_array(item):
    if item.size != 2 or item[0] != item[1]:
        return -1
    return item[0]


KEYS = {
    "int64": (types.int64, _identity, _identity),
    "float64": (types.float64, _key_float, _number_float),
    "unicode": (types.unicode_type, _key_text, _digits),
    "tuple": (types.UniTuple(types.int64, 2), _key_pair, _number_pair),
}
ITEMS = {
    "int64": (types.int64, _identity, _identity),
    "float64": (types.float64, _item_float, _number_int),
    "array": (types.int64[::1], _item_array, _number_array),
}
_OPS = ("set", "read", "delete", "iterate")


def _compile(key, item):
    """The functions for one pair of types."""
    key_type, to_key, from_key = KEYS[key]
    item_type, to_item, from_item = ITEMS[item]
    to_key, from_key = register_jitable(to_key), register_jitable(from_key)
    to_item, from_item = register_jitable(to_item), register_jitable(from_item)

    @njit(cache=True)
    def new():
        return Dict.empty(key_type, item_type)

    @register_jitable
    def put(shared, key, item, is_other_way):
        if is_other_way and key not in shared:
            shared.setdefault(key, item)
        else:
            shared[key] = item

    @register_jitable
    def look_up(shared, key, is_other_way):
        if not is_other_way:
            return from_item(shared[key])
        found = shared.get(key)
        if found is None:
            return -_WRITERS  # belongs to no key
        return from_item(shared[key] if found is None else found)

    @njit(nogil=True, cache=True)
    def work(shared, flags, me, blocks, counts):
        flags[me] = 1
        for other in range(flags.size):
            while flags[other] == 0:
                _yield()
        for b in range(blocks.shape[0]):
            op, first, count, writer = blocks[b, 0], blocks[b, 1], blocks[b, 2], blocks[b, 3]
            # Operations for which a dict has two methods use both alternately.
            is_other_way = b % 2 == 1
            if op == 0:
                for k in range(first, first + count):
                    put(shared, to_key(k), to_item(k * _WRITERS + writer), is_other_way)
            elif op == 1:
                for k in range(first, first + count):
                    key = to_key(k)
                    if key in shared:
                        counts[b, 0] += 1
                        if look_up(shared, key, is_other_way) // _WRITERS != k:
                            counts[b, 1] += 1
            elif op == 2:
                for k in range(first, first + count):
                    key = to_key(k)
                    if key not in shared:
                        continue
                    counts[b, 0] += 1
                    if not is_other_way:
                        del shared[key]
                    elif from_item(shared.pop(key)) // _WRITERS != k:
                        counts[b, 1] += 1
            else:
                walked = shared.copy() if is_other_way else shared
                for key, one in walked.items():
                    counts[b, 0] += 1
                    if from_item(one) // _WRITERS != from_key(key):
                        counts[b, 1] += 1

    @njit(cache=True)
    def dump(shared, limit):
        out = numpy.empty((limit, 2), numpy.int64)
        n = 0
        for key, one in shared.items():
            if n < limit:
                out[n, 0] = from_key(key)
                out[n, 1] = from_item(one)
            n += 1
        return out[: min(n, limit)]

    return new, work, dump


class Pair:
    """The functions for one pair of types, compiled immediately, before any fork."""

    def __init__(self, key, item):
        self.new, self.work, self.dump = _compile(key, item)
        self.run({"initial": 1, "threads": [[["read", 0, 1]]]})

    def run(self, spec):
        """Runs one round. Returns its numbers and the text of the first error."""
        shared = self.new()
        threads = spec["threads"]
        flags = numpy.zeros(len(threads), numpy.int64)
        errors = []
        self._fill(shared, spec.get("initial", 0))
        counts, jobs = [], []
        for t, plan in enumerate(threads):
            rows = [[_OPS.index(op), first, count, t * _BLOCKS + b + 1] for b, (op, first, count) in enumerate(plan)]
            blocks = numpy.array(rows, numpy.int64).reshape(len(rows), 4)
            counts.append(numpy.zeros((len(rows), 2), numpy.int64))
            jobs.append(threading.Thread(target=self._try, args=(errors, shared, flags, t, blocks, counts[-1])))
        for job in jobs:
            job.start()
        for job in jobs:
            job.join()
        head = numpy.array([len(shared), len(errors)], numpy.int64)
        pairs = self.dump(shared, 1 << 15)
        numbers = numpy.concatenate([head] + [c.ravel() for c in counts] + [pairs.ravel()])
        return numbers.astype("<i8").tobytes(), errors[0] if errors else ""

    def _fill(self, shared, count):
        blocks = numpy.array([[0, 0, count, 0]], numpy.int64)
        self.work(shared, numpy.zeros(1, numpy.int64), 0, blocks, numpy.zeros((1, 2), numpy.int64))

    def _try(self, errors, *arguments):
        try:
            self.work(*arguments)
        except Exception as error:
            errors.append("%s: %s" % (type(error).__name__, str(error)[:90]))
