"""Changes a syntax tree in JSON as a tree, for AFL++ (AFL_PYTHON_MODULE=tree_mutator): parts are left out, doubled, exchanged and moved between
trees; kinds, types, operators, numbers and references are taken from elsewhere in them. One in ten times, anything at all is put in."""
import copy
import json
import random

STRAY = [None, "", 0, -1, [], {}, "0x0", 1e300, "int", "int *", "int[3]", "void", "struct s", "VarDecl", 18446744073709551615, [None], "(*"]


def init(seed):
    random.seed(seed)


def deinit():
    pass


def nodes(tree, found):
    if isinstance(tree, dict):
        found.append(tree)
        for value in tree.values():
            nodes(value, found)
    elif isinstance(tree, list):
        for value in tree:
            nodes(value, found)
    return found


def put_value(ours, theirs):
    """A value of one node becomes that of another for the same key."""
    node = random.choice(ours)
    if not node:
        return
    key = random.choice(list(node))
    others = [other[key] for other in theirs if key in other]
    if random.randrange(10) == 0:
        node[key] = random.choice(STRAY)
    elif others:
        node[key] = copy.deepcopy(random.choice(others))


def put_part(ours, theirs):
    """A node becomes another one with the same parts, or without them."""
    node, other = random.choice(ours), copy.deepcopy(random.choice(theirs))
    if random.randrange(2):
        other.pop("inner", None)
        inner = node.get("inner")
        if inner is not None:
            other["inner"] = inner
    node.clear()
    node.update(other)


def change_list(ours, theirs):
    lists = [value for node in ours for value in node.values() if isinstance(value, list) and value]
    if not lists:
        return
    parts = random.choice(lists)
    at = random.randrange(len(parts))
    what = random.randrange(4)
    if what == 0:
        del parts[at]
    elif what == 1:
        parts.insert(at, copy.deepcopy(random.choice(theirs)))
    elif what == 2:
        parts.insert(at, copy.deepcopy(parts[random.randrange(len(parts))]))
    else:
        other = random.randrange(len(parts))
        parts[at], parts[other] = parts[other], parts[at]


def drop_value(ours, _):
    node = random.choice(ours)
    if node:
        del node[random.choice(list(node))]


def fuzz(buf, add_buf, max_size):
    try:
        tree = json.loads(bytes(buf))
        other = json.loads(bytes(add_buf)) if add_buf else tree
    except (ValueError, RecursionError):
        return bytearray(b'{"kind":"TranslationUnitDecl"}')
    for _ in range(random.choice([1, 1, 1, 2, 3, 5])):
        ours = nodes(tree, [])
        theirs = nodes(other, []) or ours
        if ours:
            random.choice([put_value, put_value, put_part, change_list, change_list, drop_value])(ours, theirs)
    text = bytearray(json.dumps(tree, separators=(",", ":")).encode())
    return text if len(text) <= max_size else bytearray(buf)[:max_size]
