"""Scripts in the command language of corpus, read, rehearsed and performed. [McKenna 1990, appendices C and D]"""

from gambol.script.language.lines import ScriptError, ScriptWarning
from gambol.script.script import Script, read_script

__all__ = ["Script", "ScriptError", "ScriptWarning", "read_script"]
