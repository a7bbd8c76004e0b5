import sys
from pathlib import Path

# schemathesis loads one file; the modules beside it are found from here.
sys.path.insert(0, str(Path(__file__).parent))

import rest_hooks  # noqa: E402, F401

if Path("schema.graphql").exists():
    import graphql_hooks  # noqa: F401
