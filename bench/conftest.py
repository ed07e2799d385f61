"""The bench is run as a folder of programs, not as a package; its tests find the modules the same way."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
