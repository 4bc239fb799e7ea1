#!/usr/bin/python3
"""A plan on a real Slurm: slurmctld and four nodes on this machine, one of which is lost in the middle. The table is that of `whet batch --jobs 2`.

Everything runs in a process and network namespace of its own: no port is seen outside, and when its first process is gone, however that ends, the kernel kills all others.
"""
import fcntl
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import MODELS, WHET, Skip, case, equal, main, whet, write  # noqa: E402
from plan import records, rows_of, table_of  # noqa: E402
from problems import COUNTER, problem_list  # noqa: E402

UNSHARE = ["unshare", "--net", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"]
NODES, CORES, CONTROLLER = 4, 6, 17001
PROBLEMS = 43

CONFIGURATION = """ClusterName=whet
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller}
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=100000
SlurmdParameters=config_overrides
SlurmdTimeout=5
KillWait=2
ReturnToService=2
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/%n.pid
SlurmdSpoolDir={folder}/spool-%n
StateSaveLocation={folder}/state
SlurmctldLogFile={folder}/controller.log
SlurmdLogFile={folder}/%n.log
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


# ---- inside of the namespaces ----

def raise_loopback():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        request = struct.pack("16sh", b"lo", 0x1 | 0x40)  # up and running
        fcntl.ioctl(s, 0x8914, request)  # SIOCSIFFLAGS
        # Names are resolved only if there is an address beside 127.0.0.1.
        request = struct.pack("16sHH4s8x", b"lo:1", socket.AF_INET, 0, socket.inet_aton("10.255.255.1"))
        fcntl.ioctl(s, 0x8916, request)  # SIOCSIFADDR


def until(what, condition, seconds=120):
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < end, f"waited {seconds} s for {what}"
        time.sleep(0.1)


def output(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=60).stdout.split()


def processes_of(folder, node):
    """The daemon of the node, its steps and all they started."""
    found, parents = set(), {}
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                variables = f.read().split(b"\0")
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
                parents[pid] = int(f.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if f"NODE_OF_TEST={node}".encode() in variables or f"SLURMD_NODENAME={node}".encode() in variables:
            found.add(pid)
    while True:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        if not more:
            return found
        found |= more


def lose(folder, node):
    """As if its power had failed. Killed until none is left."""
    while True:
        there = processes_of(folder, node)
        if not there:
            return
        for pid in there:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.05)
        while True:  # those that have become children of this process
            try:
                if not os.waitpid(-1, os.WNOHANG)[0]:
                    break
            except ChildProcessError:
                break


def start_slurm(folder):
    nodes = "\n".join(f"NodeName=node{i} NodeHostname=localhost NodeAddr=127.0.0.1 Port={CONTROLLER + i} CPUs={CORES} RealMemory=7000 State=UNKNOWN" for i in range(1, NODES + 1))
    os.mkdir(os.path.join(folder, "state"))
    path = write(folder, "slurm.conf", CONFIGURATION.format(controller=CONTROLLER, folder=folder, nodes=nodes))
    os.environ["SLURM_CONF"] = path
    with open(os.path.join(folder, "daemons.log"), "w", encoding="utf-8") as log:
        subprocess.Popen(["slurmctld", "-D", "-c", "-f", path], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for i in range(1, NODES + 1):
            subprocess.Popen(["slurmd", "-D", "-N", f"node{i}", "-f", path], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, "NODE_OF_TEST": f"node{i}"}, start_new_session=True)
    until("nodes", lambda: output("sinfo", "--noheader", "--format=%T") == ["idle"], 60)


def problems(folder):
    rows = [(os.path.join(MODELS, "ticket2.whet"), "mutex", "", "true"), (os.path.join(MODELS, "ticket2-err.whet"), "", "", "false")]
    for i in range(PROBLEMS - len(rows)):
        write(folder, f"m{i}.whet", COUNTER.replace("9", str(10 + i)))
        rows.append((f"m{i}.whet", "small" if i % 3 else "tiny", "", "true" if i % 3 else "false"))
    return problem_list(folder, *rows)


def inside(folder):
    raise_loopback()
    socket.sethostname("localhost")  # a name that can be resolved
    start_slurm(folder)
    given, out = problems(folder), os.path.join(folder, "out")
    # Nodes are asked of Slurm.
    r = whet("plan", given, "--out", out, "-t", "100", "--submit")
    equal(r.status, 0, r)
    jobs = len(os.listdir(os.path.join(out, "jobs")))
    assert f"{PROBLEMS} problems" in r.out and f"{jobs} jobs of " in r.out and jobs > PROBLEMS + 30, r
    until("results and a job on the node", lambda: len(records(out)) >= 5 and output("squeue", "--noheader", "--states=RUNNING", "--nodelist=node2", "--format=%i"))
    lose(folder, "node2")
    at_loss = len(records(out))
    assert at_loss < PROBLEMS, at_loss
    until("the end of the queue", lambda: not output("squeue", "--noheader", "--format=%i"))
    assert "node2" in output("sinfo", "--noheader", "--states=DOWN", "--Node", "--format=%N"), output("sinfo")
    r = whet("batch", out, "--collect")
    equal(r.status, 0, r)
    equal(rows_of(out), table_of(given, os.path.join(folder, "whole")))
    began = len(os.listdir(os.path.join(out, "logs")))
    assert began < jobs, (began, jobs)  # others were cancelled while they waited
    # What is missing is submitted again, and nothing else is repeated.
    before = records(out)
    lost = sorted(before)[0]
    os.remove(os.path.join(out, "results", lost))
    r = whet("plan", given, "--out", out, "-t", "100", "--submit")
    assert r.status == 0 and " 0 to be run" not in r.out, r
    until("the end of the queue", lambda: not output("squeue", "--noheader", "--format=%i"))
    equal(whet("batch", out, "--collect").status, 0)
    equal(rows_of(out), rows_of(os.path.join(folder, "whole")))
    after = records(out)
    assert all(after[name] == before[name] for name in before if name != lost), "a result was written again"
    print(f"lost with {at_loss} results; {began} of {jobs} jobs began")


# ---- outside ----

@case
def an_array_loses_a_node(folder):
    if not (shutil.which("slurmctld") and shutil.which("slurmd")):
        raise Skip("slurm-wlm is not installed")
    if subprocess.run([*UNSHARE, "true"], capture_output=True).returncode:
        raise Skip("namespaces for processes and networks, and Slurm's daemons, want root")
    done = subprocess.run([*UNSHARE, sys.executable, os.path.abspath(__file__), "--inside", folder], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    words = done.stdout + done.stderr
    for name in ("controller.log", "node1.log", "daemons.log") if done.returncode else ():
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as f:
                words += f"--- {name}\n" + "".join(f.readlines()[-15:])
    equal(done.returncode, 0, words)
    print("# " + done.stdout.strip())
    left = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                left += [pid] if folder.encode() in f.read() else []
        except OSError:
            pass
    equal(left, [])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2])
    else:
        main()
