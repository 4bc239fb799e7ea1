"""TAP for test scripts that call `check` as they go. The last line of such a script is sys.exit(tap.end())."""
count = failed = 0


def check(name, good, detail=""):
    global count, failed
    count += 1
    if not good:
        failed += 1
        print("# " + str(detail)[:1500].replace("\n", "\n# "))
    print(f"{'ok' if good else 'not ok'} {count} - {name}")


def skip(name, why):
    global count
    count += 1
    print(f"ok {count} - {name} # SKIP {why}")


def end():
    """The plan; the exit status."""
    print(f"1..{count}")
    return 1 if failed else 0
