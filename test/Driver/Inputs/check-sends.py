"""Whether what stages send is never of the type of a parameter or of an optimizer's state: neither these cross, nor what is made for them.

    check-sends.py REPORT.json…
"""

import json
import sys

failed = False
for path in sys.argv[1:]:
    report = json.load(open(path))
    state = {argument["type"] for argument in report["arguments"] if argument["donated"]} - {"tensor<f32>", "tensor<i32>"}
    sends = [c for c in report["communication"]["collectives"] if c["kind"] == "send"]
    assert state and sends, f"{path}: expected state, and stages that send something"
    for send in sends:
        if send["type"] in state:
            print(f"{path}: expected scalars from which it is made, got {send['type']}: {send['why']}")
            failed = True
sys.exit(failed)
