"""Runs batches: every case in a child process, whose death is reported when it sends no result."""

import json
import os
import signal

from numpy_testee.channel import BEGIN, END, Channel, frame

from .dicts import ITEMS, KEYS, Pair

# A schedule takes milliseconds; one that exceeds this limit hangs.
_PATIENCE_SECONDS = 4.0


def _refusal(word, error):
    text = str(error)[:180].encode("ascii", "backslashreplace").decode("ascii").replace("\0", " ")
    return {word: {"reason": "other", "type": type(error).__name__[:60], "message": text}}


def _answer(pair, spec):
    """The JSON text and the binary parts of the END frame."""
    try:
        rounds = [pair.run(spec) for _ in range(spec.get("rounds", 1))]
    except Exception as error:
        return json.dumps({"slots": {"result": _refusal("refused", error)}}), []
    places, at = [], 0
    for numbers, _ in rounds:
        places.append([at, len(numbers)])
        at += len(numbers)
    seen = {"rounds": places, "error": next((text for _, text in rounds if text), "")}
    return json.dumps({"slots": {"result": {"observation": {"dict": seen}}}}), [numbers for numbers, _ in rounds]


def _child(write_end, index, sequence, pair, spec):
    """Runs one case and writes its frame. Never returns."""
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, _PATIENCE_SECONDS)
        text, chunks = _answer(pair, spec)
        with os.fdopen(write_end, "wb") as sink:
            sink.write(b"".join(frame(END, index, sequence, text, chunks)))
        os._exit(0)
    except BaseException:
        os._exit(70)


def _died(status):
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        return {"timeout": True}
    if os.WIFSIGNALED(status):
        return {"signal": os.WTERMSIG(status)}
    return {"exit": os.WEXITSTATUS(status)}


def _run(index, sequence, pair, spec):
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        _child(write_end, index, sequence, pair, spec)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as source:
        data = source.read()
    _, status = os.waitpid(child, 0)
    if status == 0 and data:
        return [data]
    return frame(END, index, sequence, json.dumps({"slots": {}, "died": _died(status)}))


def compile_pairs():
    """The compiled functions by types. No case includes the time for them."""
    pairs = {(key, "int64"): Pair(key, "int64") for key in KEYS}
    pairs.update({("int64", item): Pair("int64", item) for item in ITEMS if item != "int64"})
    return pairs


def serve(read_descriptor, write_descriptor, pairs):
    """Runs batches until ndproof closes its end."""
    channel = Channel(read_descriptor, write_descriptor)
    while True:
        message = channel.read()
        if message is None:
            return
        sequence, text, _ = message
        for index, case in enumerate(json.loads(text)["cases"]):
            channel.write(frame(BEGIN, index, sequence))
            spec = case["value"]["dict"]
            pair = pairs.get((spec["key"], spec["item"]))
            if pair is None:
                error = NotImplementedError("not compiled for these types")
                text = json.dumps({"slots": {"result": _refusal("unsupported", error)}})
                channel.write(frame(END, index, sequence, text))
            else:
                channel.write(_run(index, sequence, pair, spec))
