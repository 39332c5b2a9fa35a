"""Plays ndproof: starts a testee, sends batches and parses the results, for tests and benchmarks."""

import json
import os
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "ndproof_testee.py")
_HEADER = struct.Struct("<4sBBHIIQ")
HELLO, BATCH, BEGIN, END = 1, 2, 3, 4


class Answer:
    """The slots of an END frame. `[offset, length]` is resolved on demand."""

    def __init__(self, slots, binary):
        self.slots = slots
        self._binary = binary

    def part(self, place):
        return self._binary[place[0] : place[0] + place[1]]

    def observation(self, slot):
        return self.slots[slot]["observation"]

    def elements(self, slot):
        return self.part(self.observation(slot)["elements"])

    def bytes(self, slot):
        return self.part(self.slots[slot]["bytes"])

    def buffers(self, slot):
        return [self.part(place) for place in self.slots[slot].get("buffers", ())]

    def reason(self, slot):
        return self.slots[slot]["refused"]["reason"]


class Testee:
    """A running testee: a context manager that ends it and removes its folder."""

    __test__ = False  # not a test class for pytest

    def __init__(self, python=sys.executable, script=SCRIPT):
        self._folder = tempfile.TemporaryDirectory(prefix="ndproof-testee-")
        down_read, self._write = os.pipe()
        self._read, up_write = os.pipe()
        # The shell connects descriptors 3 and 4, whatever numbers the pipes have here.
        launcher = "exec 3<&%d 4>&%d; exec %s %s" % (down_read, up_write, python, script)
        self.process = subprocess.Popen(
            ["bash", "-c", launcher],
            stdin=subprocess.DEVNULL,
            cwd=self._folder.name,
            env=dict(os.environ, TMPDIR=self._folder.name),
            pass_fds=(down_read, up_write),
        )
        os.close(down_read)
        os.close(up_write)
        self._source = os.fdopen(self._read, "rb", 1 << 18)
        self._sequence = 0
        kind, _, _, text, _ = self.frame()
        assert kind == HELLO
        self.hello = json.loads(text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        os.close(self._write)
        self._source.close()
        self.code = self.process.wait(timeout=20)
        self._folder.cleanup()

    def frame(self):
        header = self._source.read(_HEADER.size)
        if len(header) != _HEADER.size:
            raise EOFError("the testee is gone")
        magic, kind, zero, index, sequence, json_size, binary_size = _HEADER.unpack(header)
        assert magic == b"NDP1" and zero == 0
        text = self._source.read(json_size)
        return kind, index, sequence, text, self._source.read(binary_size)

    def send(self, programs, cases, binary=b""):
        """Sends one batch; returns its sequence number."""
        self._sequence += 1
        text = json.dumps({"programs": programs, "cases": cases}).encode()
        self.send_frame(self._sequence, text, binary)
        return self._sequence

    def send_frame(self, sequence, text, binary):
        view = memoryview(_HEADER.pack(b"NDP1", BATCH, 0, 0, sequence, len(text), len(binary)) + text + binary)
        while view:
            view = view[os.write(self._write, view) :]

    def collect(self, sequence, count):
        """The results of one batch, in order."""
        answers = []
        for expected in range(count):
            kind, index, got, text, _ = self.frame()
            assert (kind, index, got, text) == (BEGIN, expected, sequence, b"")
            kind, index, got, text, binary = self.frame()
            assert (kind, index, got) == (END, expected, sequence)
            answers.append(Answer(json.loads(text)["slots"], binary))
        return answers

    def run(self, steps, value=None, data=b"", **case):
        """A batch of one case."""
        binary = bytes(data)
        spec = dict(case, id="1", program=0)
        if value is not None:
            spec.update(value=value, data=[0, len(binary)])
        supplied = case.get("supplied")
        if supplied is not None:
            spec["supplied"] = [len(binary), len(supplied)]
            binary += supplied
        places = []
        for buffer in case.get("supplied_buffers", ()):
            places.append([len(binary), len(buffer)])
            binary += buffer
        if places:
            spec["supplied_buffers"] = places
        return self.collect(self.send([steps], [spec], binary), 1)[0]
