"""BenchExec tool-info module for whet (https://github.com/sosy-lab/benchexec, doc/tool-integration.md)."""
import re

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """whet on Horn clauses (.smt2), VMT-LIB (.vmt) and its own language (.whet)."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("whet", subdir="build")

    def name(self):
        return "whet"

    def project_url(self):
        return ""

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="whet")

    def cmdline(self, executable, options, task, rlimits):
        words = [executable, "verify"]
        seconds = rlimits.cputime or rlimits.walltime
        if seconds and "--timeout" not in options:
            words += ["--timeout", str(max(1, round(seconds * 0.95)))]
        if rlimits.memory and "--memory" not in options:
            words += ["--memory", str(max(64, int(rlimits.memory * 0.9) >> 20))]
        return words + list(options) + list(task.input_files_or_identifier)

    def determine_result(self, run):
        """sat and SAFE are true, unsat and UNSAFE are false; the worst property of a model is its result."""
        found = []
        for line in run.output:
            word = line.strip()
            if word in ("sat", "unsat", "unknown"):
                found.append({"sat": "SAFE", "unsat": "UNSAFE", "unknown": "UNKNOWN"}[word])
            elif line.startswith("unknown: "):
                found.append("UNKNOWN (" + word[len("unknown: "):] + ")")
            else:
                match = re.match(r"\S.*: (SAFE|UNSAFE|HOLDS|FAILS|UNKNOWN)\b(.*)", line)
                if match:
                    found.append(match.group(1) + (match.group(2) if match.group(1) == "UNKNOWN" else ""))
        if any(f in ("UNSAFE", "FAILS") for f in found):
            return result.RESULT_FALSE_PROP
        undecided = [f for f in found if f.startswith("UNKNOWN")]
        if run.was_timeout or any("time limit" in f for f in undecided):
            return "TIMEOUT"
        if any("memory" in f for f in undecided):
            return "OUT OF MEMORY"
        status = run.exit_code.value
        if status == 2:
            return "ERROR (input)"
        if status == 1 or run.exit_code.signal:
            return result.RESULT_ERROR
        if undecided or not found:
            return result.RESULT_UNKNOWN
        return result.RESULT_TRUE_PROP
