"""Starts the demo on a fresh data folder and lets Schemathesis ask every operation of openapi.json as nobody, as a driver and as a
partner. Anything that the contract does not say fails: a status, a kind of content, a shape; and so does every 5xx but a 503 that
says when to come back."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CONTRACT = os.path.join(ROOT, "openapi.json")
SEED = "20261"
CASES = 16 + 4 * int(os.environ.get("SALDO_SOAK") or 1)  # of each operation, besides those that try the bounds of its fields
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance," \
    "says_when_to_come_back"

# What ends the driver's own part in the fleet is asked last, or nothing else of a driver would be seen.
LAST = ["leave-partner", "close-driver-account"]

CONFIG = """
hooks = "%s"
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", "503"]
"""


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start(folder: str, database: str):
    base = f"http://127.0.0.1:{free_port()}"
    env = {"PATH": os.environ["PATH"], "HOME": folder, "SALDO_ADDR": base.removeprefix("http://"), "SALDO_PUBLIC_URL": base,
           "SALDO_DATA": folder + "/data", "SALDO_DATABASE_URL": database, "SALDO_MAILS_PER_DAY": "10000000",
           "SALDO_MAILS_PER_ADDRESS": "10000000"}
    with open(folder + "/log", "wb") as log:
        program = subprocess.Popen([os.path.join(ROOT, "bin", "saldo"), "demo"], env=env, stdout=subprocess.PIPE, stderr=log, text=True)
    people = {}
    for line in program.stdout:
        if found := re.match(r"\s+(\w+)@(\S+) +(\S+) ", line):
            people[found[1]] = (f"{found[1]}@{found[2]}", found[3])
        if line.startswith("Stop with"):
            return program, base, people
    with open(folder + "/log", encoding="utf-8", errors="replace") as said:
        raise SystemExit("the demo did not start:\n" + said.read()[-4000:])


def ask(folder: str, base: str, way, choice: list[str]) -> tuple[int, str, dict]:
    """One run of Schemathesis: how it ended, what it said, and how often each operation answered with which status."""
    with open(folder + "/schemathesis.toml", "w", encoding="utf-8") as file:
        file.write(CONFIG % os.path.join(HERE, "hooks.py"))
    env = {**os.environ, "CONTRACT_BASE": base, "CONTRACT_FILE": CONTRACT, "CONTRACT_SEED": SEED,
           "CONTRACT_ANSWERS": folder + "/answers.json", "PYTHONDONTWRITEBYTECODE": "1"}
    if way:
        env |= {"CONTRACT_EMAIL": way[0], "CONTRACT_PASSWORD": way[1]}
    done = subprocess.run(
        [os.path.join(os.path.dirname(sys.executable), "st"), "--config-file", folder + "/schemathesis.toml", "run", CONTRACT,
         "--url", base, "--checks", CHECKS, "--phases", "coverage,fuzzing", "--max-examples", str(CASES), "--seed", SEED,
         "--generation-database", "none", "--request-timeout", "60", "--continue-on-failure",
         "--suppress-health-check", "all", "--warnings", "off", "--no-color", *choice],
        env=env, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    with open(folder + "/answers.json", encoding="utf-8") as file:
        return done.returncode, done.stdout, json.load(file)


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the program is stopped too
    engine, database = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    bad = 0
    with tempfile.TemporaryDirectory(prefix="saldo-contract-") as folder:
        program, base, people = start(folder, database)
        try:
            rest = [word for name in LAST for word in ("--exclude-operation-id", name)]
            # who, their way in, what they ask, and how many operations must do what they are for at least, or little was tried
            for who, way, choice, least in [("nobody", None, [], 1), ("a driver", people["oleh"], rest, 12),
                                            ("a partner", people["anna"], [], 90),
                                            *((f"a driver, {name}", people["oleh"], ["--include-operation-id", name], 1) for name in LAST)]:
                status, said, answers = ask(folder, base, way, choice)
                cases = sum(n for by_status in answers.values() for n in by_status.values())
                done = sum(any(status.startswith("2") for status in by_status) for by_status in answers.values())
                if status != 0 or done < least:
                    bad += 1
                    print(said)
                print(f"{engine}, {who}: {len(answers)} operations, {cases} requests, {done} operations did what they are for", flush=True)
                if program.poll() is not None:
                    raise SystemExit("the program ended")
        finally:
            program.send_signal(signal.SIGTERM)
            program.wait(60)
            with open(folder + "/log", encoding="utf-8", errors="replace") as log:
                for line in log:
                    if "level=ERROR" in line:
                        bad += 1
                        print(line.rstrip()[:1000])
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
