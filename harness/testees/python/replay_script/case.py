"""The input of the renderer: a divergence of a case, as `ndproof replay` writes it.

The input is one line of JSON, then four frames of the testee protocol (harness/testees/README.md). The line has the
descriptor, and for the property transcode a second one with the route to the second format. The frames are the HELLO of
the encoder and of the decoder; a BATCH of the case with the value, its data and, as `supplied`, the decoded bytes; an
END with the promised observation as `source` and the actual one as `result`."""

import collections
import json
import struct

CODEC = "codec"  # the entry of codecs by import path
_HEADER = struct.Struct("<4sBBHIIQ")
Difference = collections.namedtuple("Difference", "path expected got")
Route = collections.namedtuple(
    "Route", "form encode decode protocol buffers offset level max_nbytes mmap_mode is_transport history"
)


class Refused(Exception):
    """No script can reproduce this divergence; the text is the reason."""


def _read_frame(stream):
    """The JSON part and the binary part of the next frame."""
    header = stream.read(_HEADER.size)
    if len(header) != _HEADER.size or header[:4] != b"NDP1":
        raise ValueError("expected a frame of the testee protocol")
    text_size, binary_size = _HEADER.unpack(header)[5:]
    return json.loads(stream.read(text_size)), stream.read(binary_size)


def _route(spec):
    is_transport = "transport" in spec
    backend = spec.get("backend", "")
    return Route(
        form=spec["transport" if is_transport else "format"],
        encode=spec.get("encode", backend),
        decode=spec.get("decode", backend),
        protocol=spec.get("protocol", 0),
        buffers=spec.get("buffers", ""),
        offset=int(spec.get("offset", 0)),
        level=spec.get("level", 0) or 3,  # the default of the NumPy testee
        max_nbytes=int(spec.get("max_nbytes", 0)),
        mmap_mode=spec.get("mmap_mode", ""),
        is_transport=is_transport,
        history=spec.get("history", ""),
    )


def is_python(hello):
    """Returns whether a testee next to this package wraps the library, so that a script can call it."""
    is_language = "Python" in hello["language"] or "PyPy" in hello["language"]
    return is_language and hello["implementation"] in ("numpy", "numba")


class Case:
    """A divergence; unknown parts are None."""

    def __init__(self, stream):
        about = json.loads(stream.readline())
        self.encoder, self.decoder = _read_frame(stream)[0], _read_frame(stream)[0]
        batch, self.binary = _read_frame(stream)
        end, self._seen = _read_frame(stream)
        descriptor, spec = about["descriptor"], batch["cases"][0]
        self.signature, self.statement = about["signature"], about["statement"]
        self.operation = about.get("operation", "")  # that failed: build, encode or decode
        self.codecs = about.get("codecs", ())
        self.verdict, self.field, self.outlier = about["verdict"], about["field"], about["outlier"]
        self.differences = [Difference(*words) for words in about["differences"]]
        self.route = _route(descriptor["route"])
        # the route to the second format of the property transcode
        self.second = _route(about["second"]["route"]) if "second" in about else None
        self.is_round_trip = not {"bytes", "file", "fault", "expect"}.intersection(descriptor)
        self.value = spec.get("value", {})
        self.data = self.part(spec.get("data", (0, 0)))
        self.encoded = self.part(spec["supplied"]) if "supplied" in spec else None
        self.buffers = [self.part(place) for place in spec.get("supplied_buffers", ())]
        self.model = spec.get("as")  # the type, shape and order of the array that is sent
        self.promised = self._observation(end, "source")
        self.result = self._observation(end, "result")

    def part(self, place):
        start, size = place
        return self.binary[start : start + size]

    def _observation(self, end, slot):
        found = end["slots"].get(slot, {}).get("observation")
        if found is not None:
            start, size = found["elements"]
            found["elements"] = self._seen[start : start + size]
        return found

    @property
    def graph(self):
        return self.value.get("graph")

    @property
    def is_codec(self):
        """Whether the route is a codec by import path."""
        return self.route.encode == CODEC

    @property
    def builds(self):
        """Returns whether the script builds and encodes the value, instead of starting from bytes."""
        return self.is_round_trip and is_python(self.encoder)

    def entries(self, kind):
        """The entry points of the route's format that its encoder (`encode`) or decoder (`decode`) claims, without
        variants, to which ndproof compares no other."""
        route, found = self.route, []
        for entry in (self.encoder if kind == "encode" else self.decoder)["entries"]:
            is_same = entry["format"] == route.form and entry.get("protocol", 0) == route.protocol
            if is_same and entry.get("buffers", "") == route.buffers and not entry.get("variant"):
                found += entry.get(kind, ())
        return found
