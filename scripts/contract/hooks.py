"""What Schemathesis is told of Saldo: who asks, which ids exist, and that whoever is told to come back is told when.

Made-up ids find nothing, so most of them are exchanged for ids of the running program: those that its lists name at the start,
and those that any later answer names.
"""

import atexit
import base64
import datetime
import hashlib
import html
import json
import os
import random
import re
import secrets
import time
import uuid

import requests
import schemathesis

BASE = os.environ["CONTRACT_BASE"]
EMAIL, PASSWORD = os.environ.get("CONTRACT_EMAIL", ""), os.environ.get("CONTRACT_PASSWORD", "")
CONTRACT = os.environ["CONTRACT_FILE"]
REALM = BASE + "/auth/realms/saldo/protocol/openid-connect/"
RENEW = 200  # seconds; a token lives 300

chance = random.Random(int(os.environ["CONTRACT_SEED"]))
with open(CONTRACT, encoding="utf-8") as file:
    contract = json.load(file)
known: dict[str, list] = {}
objects: list[dict] = []


def sign_in() -> dict:
    """Goes the way of the web application: the form, the password, the code, the tokens."""
    browser, verifier = requests.Session(), secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    form = browser.get(REALM + "auth", timeout=30, params={
        "client_id": "spa", "redirect_uri": BASE + "/app/", "response_type": "code", "scope": "openid", "state": "s", "nonce": "n",
        "code_challenge_method": "S256", "code_challenge": challenge})
    form_text = re.search(r'<form[^>]*id="kc-form-login".*?</form>', form.text, re.S).group(0)
    action = html.unescape(re.search(r'action="([^"]*)"', form_text).group(1))
    fields = {}
    for tag in re.findall(r"<input[^>]*>", form_text):
        name = re.search(r'name="([^"]*)"', tag)
        value = re.search(r'value="([^"]*)"', tag)
        if name and 'type="checkbox"' not in tag:
            fields[name.group(1)] = html.unescape(value.group(1)) if value else ""
    fields.update(username=EMAIL, password=PASSWORD)
    back = browser.post(requests.compat.urljoin(form.url, action), data=fields, headers={"Origin": BASE}, allow_redirects=False, timeout=30)
    while not back.headers.get("Location", "").startswith(BASE + "/app/"):
        if not back.is_redirect:
            raise SystemExit(f"{EMAIL} could not sign in: {back.status_code} {back.text[:500]}")
        back = browser.get(requests.compat.urljoin(back.url, back.headers["Location"]), allow_redirects=False, timeout=30)
    code = re.search(r"[?&]code=([^&]+)", back.headers["Location"]).group(1)
    return trade(grant_type="authorization_code", code=requests.compat.unquote(code), redirect_uri=BASE + "/app/", code_verifier=verifier)


def trade(**form) -> dict:
    answer = requests.post(REALM + "token", data={"client_id": "spa", **form}, timeout=30)
    answer.raise_for_status()
    return answer.json()


class Session:
    tokens: dict = {}
    until = 0.0

    def token(self) -> str:
        if time.monotonic() > self.until:
            if self.tokens:
                self.tokens = trade(grant_type="refresh_token", refresh_token=self.tokens["refresh_token"])
            else:
                self.tokens = sign_in()
            self.until = time.monotonic() + RENEW
        return self.tokens["access_token"]


session = Session()


def learn(path: str, said) -> None:
    """Notes every value of an answer below its name, ids also below the first word of the address, and whole objects."""
    area = path.removeprefix("/api/").split("/")[0]
    if isinstance(said, list):
        for one in said[:50]:
            learn(path, one)
    if not isinstance(said, dict):
        return
    if len(objects) < 2000:
        objects.append(said)
    for name, value in said.items():
        for place in (f"{area}.{name}", name):
            values = known.setdefault(place, [])
            if value not in (None, "", [], {}) and value not in values and len(values) < 200:
                values.append(value)
        learn(path, value)


def look_at(path: str, address: str) -> None:
    answer = requests.get(BASE + address, headers={"Authorization": "Bearer " + session.token()}, timeout=60)
    if answer.ok and answer.headers.get("Content-Type", "").startswith("application/json"):
        learn(path, answer.json())


def look_around() -> None:
    for path, operations in contract["paths"].items():
        if "get" in operations and "{" not in path:
            look_at(path, path)
    for path, operations in contract["paths"].items():  # now one of each that the lists named
        if "get" in operations and path.count("{") == 1 and path.endswith("}"):
            area = path.removeprefix("/api/").split("/")[0]
            for one in [*known.get(f"{area}.id", []), *known.get(f"{area}.number", [])][:3]:
                look_at(path, re.sub(r"{.*}", str(one), path))


def one_of(*places):
    found = next((known[place] for place in places if known.get(place)), None)
    return chance.choice(found) if found else None


AREAS = {"driver": "drivers", "settlement": "settlements", "transaction": "transactions", "tag": "tags", "schema": "settlement-schemas",
         "import": "imports", "profile": "driver-profiles", "run": "settlement-runs", "identit": "import-identities", "with": "drivers"}


def known_for(path: str, name: str):
    for word, area in AREAS.items():
        if word in name.lower():
            return one_of(f"{area}.id", f"{area}.number")
    area = path.removeprefix("/api/").split("/")[0]
    return one_of(f"{area}.{name}", f"{area}.id", f"{area}.number", name)


def written(name: str):
    """What a person would write into a field that no answer shows."""
    today = datetime.date.today()
    return {
        "email": f"somebody{chance.randrange(10**6)}@people.example", "paidOn": str(today), "payOn": str(today),
        "occurredOn": str(today - datetime.timedelta(9)),
        "firstName": "Ewa", "lastName": "Nowak", "reason": "entered twice", "name": f"Name {chance.randrange(10**6)}", "language": "pl",
        "share": True,
        "one": one_of("drivers.id"), "two": one_of("drivers.id"), "driverIds": [one_of("drivers.id")], "drivers": [one_of("drivers.id")],
        "ids": [one_of("settlements.id", "driver-accounts.id")], "settlements": [one_of("settlements.id")], "add": [one_of("tags.id")],
        "kind": "cost",
        "with": one_of("drivers.id"), "withVersion": 1, "profile": "elixir", "amount": chance.choice([-1250, 100, 99999]), "approve": True,
    }.get(name)


def shape(schema: dict) -> dict:
    while "$ref" in schema:
        schema = contract["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
    return schema


def settle(path: str, value, name: str = ""):
    """The same value with ids that exist, and with what the program itself says under that name."""
    if isinstance(value, dict):
        return {key: settle(path, inner, key) for key, inner in value.items()}
    if isinstance(value, list) and value:
        return [settle(path, inner, name.removesuffix("s") if name != "ids" else "id") for inner in value]
    if chance.random() < 0.6:
        found = written(name) if chance.random() < 0.5 else None
        if found is None:
            found = known_for(path, name)
        if found is not None and type(found) is type(value):
            return found
    return value


def sensible(path: str, schema: dict, made: dict) -> dict:
    """A body that the program may accept: an object that it showed, or fields that it showed, with at most two that were made up."""
    form = shape(schema)
    fields, needed = form.get("properties", {}), form.get("required") or []
    alike = [o for o in objects if needed and all(n in o for n in needed)]
    body = {n: v for n, v in chance.choice(alike).items() if n in fields} if alike else {}
    for name in fields:
        if name not in body and (name in needed or chance.random() < 0.2):
            for found in (written(name), known_for(path, name), made.get(name)):
                if found is not None:
                    body[name] = found
                    break
    for name in chance.sample(sorted(made), min(len(made), chance.choice([0, 0, 1, 2]))):
        body[name] = made[name]
    return body


@schemathesis.hook
def before_call(context, case, kwargs):
    path = case.operation.path
    for name in list(case.path_parameters or {}):
        found = known_for(path, "id" if name == "id" else name)
        if name == "id" and "/settlements/{id}" in path:
            found = one_of("settlements.id", "driver-accounts.id")
        if found is not None and chance.random() < 0.8:
            case.path_parameters[name] = found
    if isinstance(case.body, (dict, list)) and case.media_type == "application/json":
        schema = case.operation.definition.raw["requestBody"]["content"]["application/json"]["schema"]
        if isinstance(case.body, dict) and chance.random() < 0.4:
            case.body = sensible(path, schema, case.body)
        else:
            case.body = settle(path, case.body)
    if isinstance(case.query, dict):
        for name, value in list(case.query.items()):
            case.query[name] = settle(path, value, name)
    if case.operation.method.upper() != "GET" and chance.random() < 0.9:
        case.headers = case.headers if case.headers is not None else {}
        case.headers["Idempotency-Key"] = str(uuid.UUID(int=chance.getrandbits(128), version=4))
    if EMAIL and case.operation.definition.raw.get("security"):
        case.headers = case.headers if case.headers is not None else {}
        case.headers["Authorization"] = "Bearer " + session.token()


answers: dict[str, dict[str, int]] = {}


@atexit.register
def write_down() -> None:
    with open(os.environ["CONTRACT_ANSWERS"], "w", encoding="utf-8") as file:
        json.dump(answers, file)


@schemathesis.hook
def after_call(context, case, response):
    by_status = answers.setdefault(case.operation.definition.raw["operationId"], {})
    by_status[str(response.status_code)] = by_status.get(str(response.status_code), 0) + 1
    if 200 <= response.status_code < 300 and "json" in "".join(response.headers.get("content-type", [])):
        learn(case.operation.path, response.json())


@schemathesis.check
def says_when_to_come_back(ctx, response, case):
    if response.status_code in (429, 503):
        assert "retry-after" in response.headers, f"{response.status_code} without Retry-After"


if EMAIL:
    look_around()
