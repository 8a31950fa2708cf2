"""Scripts in the command language of corpus: parsed, checked by a dry run, and run. [McKenna 1990, appendices C, D]"""

from gambol.script.language.lines import ScriptError, ScriptWarning
from gambol.script.script import Script, read_script

__all__ = ["Script", "ScriptError", "ScriptWarning", "read_script"]
