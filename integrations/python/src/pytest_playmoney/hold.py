"""Run by `playmoney exec`: prints where the server is, and ends with the tests, even if they are killed."""

import json
import os
import sys

NAMES = ("PLAYMONEY_URL", "PLAYMONEY_KEY", "PLAYMONEY_ADMIN_TOKEN", "NODE_EXTRA_CA_CERTS")

if __name__ == "__main__":
    print(json.dumps({name: os.environ[name] for name in NAMES if name in os.environ}), flush=True)
    # The other end of this pipe is closed when the tests end, however they end.
    sys.stdin.read()
