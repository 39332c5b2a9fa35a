"""Finds the file at an address in the kernel's table of this process's mappings.

Attributes and base chains of arrays are under test, so they cannot answer this. Linux 6.11 and later support queries
for one address (PROCMAP_QUERY of linux/fs.h); earlier versions need parsing the whole table.
"""

import fcntl
import os
import re
import struct

_QUERY = struct.Struct("=9Q4I2Q")  # struct procmap_query
_QUERY_CODE = 0xC0006611 | _QUERY.size << 16
_LINE = re.compile(rb"^([0-9a-f]+)-([0-9a-f]+) \S+ ([0-9a-f]+) \S+ (\d+)", re.MULTILINE)


class MapTable:
    """The table, kept open."""

    def __init__(self):
        self._answers_queries = True
        self._open()
        # A descriptor that the parent opened shows the parent's table.
        os.register_at_fork(after_in_child=self._open)

    def _open(self):
        try:
            self._file = open("/proc/self/maps", "rb", 0)
        except OSError:
            self._file = None

    def find(self, address):
        """The (inode, offset in the file) at an address, or None when no file is mapped there."""
        if self._file is None:
            return None
        found = self._query(address) if self._answers_queries else self._search(address)
        return found if found is not None and found[0] != 0 else None

    def _query(self, address):
        query = bytearray(_QUERY.pack(_QUERY.size, 0, address, *(0,) * 12))
        try:
            fcntl.ioctl(self._file, _QUERY_CODE, query)
        except FileNotFoundError:
            return None
        except OSError:
            self._answers_queries = False
            return self._search(address)
        answer = _QUERY.unpack(query)
        start, position, inode = answer[3], answer[7], answer[8]
        return inode, address - start + position

    def _search(self, address):
        # Reopened each time, because under a user-mode emulator the table is a snapshot of when it was opened.
        with open("/proc/self/maps", "rb", 0) as file:
            text = b"".join(iter(lambda: file.read(1 << 16), b""))
        for low, high, position, inode in _LINE.findall(text):
            if int(low, 16) <= address < int(high, 16):
                return int(inode), address - int(low, 16) + int(position, 16)
        return None
