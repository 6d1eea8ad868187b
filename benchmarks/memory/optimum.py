#!/usr/bin/env python3
"""How near recomputation comes to the optimum: plans that the search has found, against an integer program (Checkmate: Jain et al., MLSys 2020) that HiGHS solves. Needs SciPy.

Usage: RecomputationProblems … | optimum.py [--integral=40] [--seconds=300] [--most=1.02]

Reads problems, a line of JSON each. Stage t of the program computes operation t for the first time, and before that, in their order, whatever it computes again; of each stage it says what runs and what is kept from the stage before.
Above `--integral` operations runs may be fractions: a bound from below, so that what is near to it is nearer to the optimum. A plan may take less than the optimum of these programs where it first runs an operation later than in their order.
Fails where the mean is 2% above the optimum or a plan `--most` times, or there is none where the solver has one.
"""
import argparse
import json
import sys
import time

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_matrix


class Program:
    """Variables and constraints, one after the other."""

    def __init__(self):
        self.costs, self.low, self.high, self.integral = [], [], [], []
        self.rows, self.columns, self.values, self.least, self.most = [], [], [], [], []

    def variable(self, cost=0, low=0, high=1, integral=True):
        self.costs.append(cost)
        self.low.append(low)
        self.high.append(high)
        self.integral.append(integral)
        return len(self.costs) - 1

    def constrain(self, terms, most, least=-np.inf):
        for variable, factor in terms:
            self.rows.append(len(self.most))
            self.columns.append(variable)
            self.values.append(factor)
        self.least.append(least)
        self.most.append(most)

    def solve(self, is_integral, seconds):
        matrix = coo_matrix((self.values, (self.rows, self.columns)), shape=(len(self.most), len(self.costs))).tocsr()
        return milp(
            np.array(self.costs),
            constraints=LinearConstraint(matrix, self.least, self.most),
            integrality=np.array(self.integral) * is_integral,
            bounds=Bounds(self.low, self.high),
            options={"time_limit": seconds, "mip_rel_gap": 1e-4},
        )


def checkmate(operations, limit):
    sizes, costs, operands = zip(*operations)
    count = len(operations)
    users = [[k for k in range(count) if i in operands[k]] for i in range(count)]
    program = Program()
    runs, kept = {}, {}
    for t in range(count):
        for k in range(t + 1):
            runs[t, k] = program.variable(costs[k], low=k == t)
        for i in range(t):
            kept[t, i] = program.variable()
    keeps = lambda t, i: [(kept[t, i], -1)] if i < t else []
    for t in range(count):
        for k in range(t + 1):
            for i in operands[k]:
                program.constrain([(runs[t, k], 1), (runs[t, i], -1)] + keeps(t, i), 0)
        for i in range(t):
            program.constrain([(kept[t, i], 1), (runs[t - 1, i], -1)] + keeps(t - 1, i), 0)
        hold(program, runs, kept, t, sizes, operands, users, limit)
    return program


def hold(program, runs, kept, t, sizes, operands, users, limit):
    """What is held while each operation of stage t runs is at most `limit`: what is no longer needed behind an operation is let go there."""
    before = [(kept[t, i], sizes[i]) for i in range(t)]
    for k in range(t + 1):
        held = program.variable(high=limit, integral=False)
        program.constrain([(held, -1), (runs[t, k], sizes[k])] + before, 0, 0)
        before = [(held, 1)]
        for i in {*operands[k], k}:
            freed = program.variable(integral=False)
            program.constrain([(freed, 1), (runs[t, k], -1)], 0)
            if (t + 1, i) in kept:
                program.constrain([(freed, 1), (kept[t + 1, i], 1)], 1)
            for j in users[i]:
                if k < j <= t:
                    program.constrain([(freed, 1), (runs[t, j], 1)], 1)
            before.append((freed, -sizes[i]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--integral", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--most", type=float, default=1.02)
    options = parser.parse_args()
    ratios = []
    for line in sys.stdin:
        problem = json.loads(line)
        operations = problem["operations"]
        is_integral = len(operations) <= options.integral
        for limit, peak, seconds in problem["plans"]:
            began = time.monotonic()
            program = checkmate(operations, limit)
            found = program.solve(is_integral, options.seconds)
            what = f"{len(operations)} operations, {limit} of {problem['peak']} bytes: "
            if found.status == 2:
                print(f"{what}nothing fits")
                continue
            best = found.mip_dual_bound if is_integral and found.status == 1 else found.fun
            assert best, f"{what}expected the solver to end, got {found.message}"
            assert peak <= limit, f"{what}expected a plan that fits, got {peak} bytes"
            ratios.append(seconds / best)
            kind = "optimum" if is_integral and found.status == 0 else "bound"
            print(f"{what}{seconds:g} s, {kind} {best:.6g} s, {ratios[-1]:.4f} of it; {time.monotonic() - began:.1f} s to solve", flush=True)
            assert ratios[-1] <= options.most, f"{what}expected at most {options.most} of the {kind}, got {ratios[-1]}"
    mean = sum(ratios) / len(ratios)
    assert mean <= 1.02, f"expected at most 1.02 of the optimum in the mean, got {mean}"
    print(f"{len(ratios)} limits, {mean:.4f} in the mean, {max(ratios):.4f} at most")


if __name__ == "__main__":
    main()
