"""Lists of problems, and the tables that come of them: for the tests of whet batch, whet plan and Slurm."""
import csv
import os

COUNTER = "var x : 0..9 = 0\naction up: x < 9 -> x := x + 1\nsafe small: x <= 9\nsafe tiny: x <= 3\n"


def problem_list(folder, *rows):
    """A table of problems in that folder: its path."""
    path = os.path.join(folder, "list.csv")
    with open(path, "w", newline="", encoding="utf-8") as f:
        csv.writer(f).writerows([("model", "property", "options", "expected"), *rows])
    return path


def table_rows(out):
    """The rows of a table of results, as dictionaries."""
    with open(os.path.join(out, "table.csv"), newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def columns(out, names):
    return [tuple(row[name] for name in names) for row in table_rows(out)]
