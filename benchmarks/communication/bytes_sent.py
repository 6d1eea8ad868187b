"""What one device sends: the usual ring counts."""


def bytes_sent(kind, participants, size, times=1):
    """Bytes that one device sends for a collective of `participants` devices.

    size  bytes of the whole tensor that the collective reduces, gathers, scatters or exchanges: for `all_gather` the result,
          for the others the operand.
    """
    n = participants
    share = {
        "all_reduce": 2 * (n - 1) / n,
        "all_gather": (n - 1) / n,
        "reduce_scatter": (n - 1) / n,
        "all_to_all": (n - 1) / n,
        "permute": 1,
        "broadcast": 1,
    }[kind]
    return round(share * size) * times
