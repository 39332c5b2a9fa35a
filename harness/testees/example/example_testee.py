"""A whole testee: an npy reader and writer for plain numbers, put under test by harness/testees/README.md.

Copy it, and replace Array, build, encode and decode by calls of your library. The rest is the protocol."""

import ast
import json
import math
import re
import struct
import sys

HEADER = struct.Struct("<4sBBHIIQ")
HELLO, BATCH, BEGIN, END, MAX_NDIM, MAX_BYTES, MAX_HEADER = 1, 2, 3, 4, 8, 1 << 20, 10000
WHO = {"protocol": 1, "implementation": "example", "version": "1.0", "language": "Python", "endian": sys.byteorder}
WHO.update(kinds="biuf", max_ndim=MAX_NDIM, max_value_bytes=MAX_BYTES, tells_peak=False, libraries={"example": "1.0"})
WHO["entries"] = [{"format": "npy", "library": "example", "encode": ["memory"], "decode": ["memory"]}]


class Unsupported(Exception):
    """The library does not claim this; nothing is learned about it."""


class Array:
    """The library's array: numbers of one type in C order."""

    def __init__(self, typestr, shape, data):
        if type(typestr) is not str or not re.fullmatch(r"[<>=|][biu]1|[<>=]([iuf][248]|[iu]4|f4)", typestr):
            raise Unsupported("elements of type %r" % (typestr,))
        self.typestr = "|" + typestr[1:] if typestr.endswith("1") else typestr.replace("=", "<>"[sys.byteorder == "big"])
        self.shape, self.itemsize = tuple(map(int, shape)), int(typestr[2:])
        self.size = self.itemsize * math.prod(self.shape)
        self.data = data[: self.size]
        if len(self.shape) > MAX_NDIM or max(self.shape, default=0) > MAX_BYTES:
            raise Unsupported("an array of shape %s" % (self.shape,))

    def observation(self, elements):
        strides = [self.itemsize * math.prod(max(n, 1) for n in self.shape[k + 1 :]) for k in range(len(self.shape))]
        is_line = self.size == 0 or sum(extent > 1 for extent in self.shape) < 2
        seen = {"dtype": self.typestr, "shape": self.shape, "strides": strides, "flags": "CFWA" if is_line else "CWA"}
        return {"class": "ndarray", **seen, "elements": elements}


def build(value, data):
    spec = value.get("array", {"class": {"name": "no array"}})
    base, kind = spec.get("base", {}), spec.get("class", {}).get("name", "ndarray")
    is_special = base.get("order") == "F" or base.get("misalign") or base.get("readonly") or base.get("memmap")
    if kind != "ndarray" or spec.get("views") or is_special or not spec.get("writeable", True):
        raise Unsupported("all but writeable arrays in C order")
    return Array(base["dtype"], base["shape"], data)


def encode(array):
    text = repr({"descr": array.typestr, "fortran_order": False, "shape": array.shape})
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text.encode() + array.data


def decode(data):
    start = 10 + struct.unpack("<H", data[8:10])[0]
    if data[:8] in (b"\x93NUMPY\2\0", b"\x93NUMPY\3\0"):
        raise Unsupported("another version of npy")
    if data[:8] != b"\x93NUMPY\1\0" or start - 10 > MAX_HEADER or start > len(data):
        raise ValueError("not npy")
    text = re.sub(r"(\d)L\b", r"\1", data[10:start].decode("latin-1"))  # Python 2 wrote integers so
    header = ast.literal_eval(text.strip())
    shape, is_fortran = header["shape"], header["fortran_order"]
    is_shape = type(shape) is tuple and all(type(extent) is int and extent >= 0 for extent in shape)
    if len(header) != 3 or type(is_fortran) is not bool or not is_shape:
        raise ValueError("not a header of npy: " + text)
    array = Array(header["descr"], shape, data[start:])
    if is_fortran or len(array.data) < array.size:
        raise Unsupported("F order") if is_fortran else ValueError("the data end early")
    return array


class Case:
    """One case: its slots, and the parts of the END frame that reports them."""

    def __init__(self, spec, binary):
        self.spec, self.binary, self.slots, self.records, self.out = spec, binary, {}, {}, b""

    def step(self, op, held, target):
        if op in ("build", "supply"):
            start, size = self.spec["data" if op == "build" else "supplied"]
            part = self.binary[start : start + size]
            self.slots[target] = build(self.spec["value"], part) if op == "build" else part
        elif op in ("encode", "decode"):
            self.slots[target] = encode(held) if op == "encode" else decode(held)
        elif op in ("fetch", "observe"):
            chunk = held if op == "fetch" else held.data
            place, self.out = [len(self.out), len(chunk)], self.out + chunk
            self.records[target] = {"bytes": place} if op == "fetch" else {"observation": held.observation(place)}
        else:
            raise Unsupported("the step " + op)

    def run(self, steps):
        for op, source, target, *_ in steps:
            try:
                if not source or source in self.slots:
                    self.step(op, self.slots.get(source), target)
            except Exception as error:
                kind, reason = ("unsupported",) * 2 if type(error) is Unsupported else ("refused", "value")
                self.records[target] = {kind: {"reason": reason, "type": type(error).__name__, "message": str(error)}}
        return {"slots": self.records}


def frame(kind, index, sequence, content=None, binary=b""):
    text = json.dumps(content).encode() if content else b""
    return HEADER.pack(b"NDP1", kind, 0, index, sequence, len(text), len(binary)) + text + binary


with open(3, "rb") as source, open(4, "wb", buffering=0) as sink:
    sink.write(frame(HELLO, 0, 0, WHO))
    while header := source.read(HEADER.size):
        _, _, _, _, sequence, text_size, binary_size = HEADER.unpack(header)
        batch, binary = json.loads(source.read(text_size)), source.read(binary_size)
        for index, spec in enumerate(batch["cases"]):
            sink.write(frame(BEGIN, index, sequence))
            case = Case(spec, binary)
            sink.write(frame(END, index, sequence, case.run(batch["programs"][spec["program"]]), case.out))
