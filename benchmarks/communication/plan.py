"""A plan of communication made by hand: what an expert would have each device send."""

import math

from bytes_sent import bytes_sent


class Plan:
    """The collectives of a plan, in bytes by the ring counts. Dimensions are those of the whole tensor that a collective
    reduces, gathers (the result), scatters or exchanges on the devices that take part, 4 bytes an element."""

    def __init__(self):
        self.rows = []

    def _add(self, kind, what, n, dims, times, width=4):
        if n > 1:
            size = math.prod(dims) * width
            row = {"kind": kind, "participants": n, "type": "x".join(map(str, dims)) or "scalar", "times": times}
            self.rows.append({**row, "bytes": bytes_sent(kind, n, size, times), "location": what})

    def all_reduce(self, what, n, *dims, times=1):
        self._add("all_reduce", what, n, dims, times)

    def all_gather(self, what, n, *dims, times=1):
        self._add("all_gather", what, n, dims, times)

    def reduce_scatter(self, what, n, *dims, times=1):
        self._add("reduce_scatter", what, n, dims, times)

    def all_to_all(self, what, n, *dims, times=1):
        self._add("all_to_all", what, n, dims, times)

    def permute(self, what, *dims, times=1):
        self._add("permute", what, 2, dims, times)

    @property
    def bytes(self):
        return sum(row["bytes"] for row in self.rows)
