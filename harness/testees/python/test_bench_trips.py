"""The bare loop of bench_trips makes the round trips that it is asked for."""

import json

import pytest

import bench_trips


@pytest.mark.parametrize("encode, decode", [("memory", "memory"), ("file", "file"), ("file", "mmap:r")])
def test_the_bare_loop_does_every_trip_of_plain_arrays(encode, decode, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    batch = bench_trips.made_batch(64, encode, decode)
    trips = bench_trips.Trips([batch], str(tmp_path), lambda name: None)
    assert len(trips.trips) == len(json.loads(batch[0])["cases"])
    assert trips.rate() > 0
