#!/usr/bin/env python3
"""Sends the vectors to a service and says which answers are wrong (README.md); needs Python 3.9 alone."""
import argparse, functools, http.client, json, pathlib, re, secrets, sys
from urllib.parse import urlencode, urlsplit

TIERS = ["core", "complete", "strict"]
NAMES = ("meta", "target", "mappings", "maxPageSize", "maxPageOffset", "null")
PROFILES = {"documented": dict(zip(NAMES, ("service", "serviceBranch", "mappings", 200, 800, "complement"))),
            "xata": dict(zip(NAMES, ("xata", "xataBranch", "mapping", 1000, 49000, "sql")))}
ABSENT = object()  # what a JSON pointer finds where there is nothing; null is something

@functools.cache
def connect(scheme, netloc):
    return (http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection)(netloc, timeout=30)

def send(options, request):
    url = urlsplit(options.control if request.get("address") == "control" else options.url)
    search = "?" + urlencode(request["query"]) if "query" in request else ""
    text = request.get("raw", json.dumps(request["body"]) if "body" in request else None)
    headers = {"content-type": None if text is None else "application/json",
               "authorization": f"Bearer {options.key}" if options.key else None, **request.get("headers", {})}
    connection = connect(url.scheme, url.netloc)
    given = {name: value for name, value in headers.items() if value is not None}
    connection.request(request["method"], url.path.rstrip("/") + request["path"] + search, text and text.encode(), given)
    response = connection.getresponse()
    text, found = response.read().decode(), {name.lower(): value for name, value in response.getheaders()}
    return {"status": response.status, "headers": found, "text": text, "body": read_json(text)}

def substitute(value, variables):
    """Puts variables into every string and key."""
    if isinstance(value, list):
        return [substitute(member, variables) for member in value]
    if not isinstance(value, dict):
        return substitute_text(value, variables) if isinstance(value, str) else value
    if value.keys() == {"${repeat}"}:
        return [substitute(value["${repeat}"][1], {**variables, "i": i}) for i in range(value["${repeat}"][0])]
    if value.keys() == {"${merge}"}:
        return dict(entry for each in substitute({"${repeat}": value["${merge}"]}, variables) for entry in each.items())
    if value.keys() == {"${nest}"}:
        depth, key, inner = value["${nest}"]
        return functools.reduce(lambda nested, _: {key: nested}, range(depth), substitute(inner, variables))
    return {str(substitute(key, variables)): substitute(member, variables) for key, member in value.items()}

def substitute_text(text, variables):
    def replace(match):
        form, first, second, name = match.groups()
        if form == "repeat":
            return second * (int(first) if first.isdigit() else variables[first])
        if form is None:
            return str(variables[name])
        if form == "after":
            return variables[second].split(first)[-1]
        captured, at = variables[second], int(first) % len(variables[second])
        return captured[:at] + ("B" if captured[at] == "A" else "A") + captured[at + 1:]

    if re.fullmatch(r"\$\{[^}:]+\}", text):
        return variables[text[2:-1]]
    return re.sub(r"\$\{(?:(repeat|damage|after):([^:}]+):([^}]*)|([^}:]+))\}", replace, text)

def read_json(text):
    try:
        return json.loads(text)
    except ValueError:
        return ABSENT

def read(value, pointer):
    """The value at a JSON pointer."""
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        members = {str(i): each for i, each in enumerate(value)} if isinstance(value, list) else value
        value = members.get(key, ABSENT) if isinstance(members, dict) else ABSENT
    return value

def has_type(name, value):
    if name == "datetime":
        return isinstance(value, str) and re.fullmatch(r"\d{4}(-\d\d){2}T\d\d(:\d\d){2}(\.\d{0,5}[1-9])?Z", value) is not None
    if name == "integer":
        return has_type("number", value) and value == int(value)
    kinds = {"string": str, "boolean": bool, "object": dict, "array": list, "number": (int, float)}
    return isinstance(value, kinds[name]) and (name == "boolean" or not isinstance(value, bool))

def matches(pattern, found, subset=False):
    """Whether a value is as a pattern wants it; with `subset` objects may have further keys."""
    if isinstance(pattern, list):
        return (isinstance(found, list) and len(found) == len(pattern)
                and all(matches(want, each, subset) for want, each in zip(pattern, found)))
    if not isinstance(pattern, dict):
        return isinstance(pattern, bool) == isinstance(found, bool) and pattern == found
    name, operand = next(iter(pattern.items())) if len(pattern) == 1 else (None, None)
    if name == "$match":
        return isinstance(found, str) and re.search(operand, found) is not None
    if name == "$type":
        return has_type(operand, found)
    if name == "$json":
        return isinstance(found, str) and matches(operand, read_json(found))
    if name == "$metadata":
        times = [found[key] for key in ("createdAt", "updatedAt") if key in found]
        return has_type("integer", read(found, "/version")) and all(has_type("datetime", at) for at in times)
    return (isinstance(found, dict) and (subset or found.keys() <= pattern.keys())
            and all(matches(want, found.get(key, ABSENT), subset) for key, want in pattern.items()))

def find_mismatch(expect, answer, strict):
    """The first part of an expectation that does not hold; None where all do."""
    body, status, wanted = answer["body"], answer["status"], expect.get("records", {})
    statuses, ids = expect.get("status", status), expect.get("ids", {})
    error, path = expect.get("error", {}) if strict else {}, str(read(body, "/path"))
    records = read(body, "/records") if isinstance(read(body, "/records"), list) else []
    found = [read(record, "/id") for record in records]
    said = read(body, "/message") if read(body, "/detail") is ABSENT else read(body, "/detail")
    checks = [
        ("status", status in (statuses if isinstance(statuses, list) else [statuses]) and ("fails" not in expect or 400 <= status < 500)),
        ("error.code", "code" not in error or read(body, "/code") == error["code"]),
        ("error.message", all(part in said for part in error.get("message", []))),
        ("error.path", "path" not in error or (path + "/").startswith(error["path"] + "/")),
        ("error.rule", read(body, "/rule") in (ABSENT, error.get("rule", read(body, "/rule")))),
        ("noBody", "noBody" not in expect or answer["text"] == ""),
        ("json", "json" not in expect or matches(expect["json"], body)),
        ("contains", "contains" not in expect or matches(expect["contains"], body, True)),
        ("count", expect.get("count", len(records)) == len(records)),
        ("ids", found == ids.get("exact", found)),
        ("ids", "unordered" not in ids or sorted(found) == sorted(ids["unordered"])),
        ("records.exact", "exact" not in wanted or matches(wanted["exact"], records)),
        ("page", matches(expect.get("page", {}), read(body, "/meta/page"), True) or "page" not in expect),
        ("at", all(matches(want, read(body, at)) for at, want in expect.get("at", {}).items())),
        ("not", not any(matches(want, read(body, at)) for at, want in expect.get("not", {}).items())),
        ("absent", all(read(body, at) is ABSENT for at in expect.get("absent", []))),
        ("keys", all(list(read(body, at)) == want for at, want in expect.get("keys", {}).items())),
        ("headers", all(re.search(want, answer["headers"].get(name, "")) for name, want in expect.get("headers", {}).items())),
    ]
    return next((name for name, holds in checks if not holds), None)

def has_files(columns):
    return any(column["type"] in ("file", "file[]") or has_files(column.get("columns", [])) for column in columns)

def run(options, profile, vector, fixture):
    """Runs a vector in a database of its own; what is wrong, or None."""
    database = f"vectors-{secrets.token_hex(6)}"
    variables = {**profile, "db": database, "workspace": options.workspace,
                 "otherKey": options.other_key, "bodyBytes": 20 * 2**20}
    variables |= {f"{name}+1": value + 1 for name, value in variables.items() if isinstance(value, int)}
    steps = [{"method": "PUT", "address": "control", "path": f"/workspaces/{options.workspace}/dbs/{database}", "body": {}}]
    for table in substitute(fixture, variables)["tables"]:
        path, columns, records = f"/db/{database}:main/tables/{table['name']}", table["columns"], table["records"]
        steps += [{"method": "PUT", "path": path, "body": {}}]
        steps += [{"method": "PUT", "path": f"{path}/schema", "body": {"columns": columns}}] if columns else []
        if has_files(columns):
            for step in steps[-2 if columns else -1:]:
                step["path"] = step["path"].replace(path, f"{path}~")
            steps += [{"method": "POST", "path": f"{path}~/data", "body": record} for record in records]
            steps += [{"method": "PATCH", "path": f"{path}~", "body": {"name": table["name"]}}]
        else:
            steps += [{"method": "POST", "path": f"{path}/bulk", "body": {"records": records[start:start + 1000]}}
                      for start in range(0, len(records), 1000)]
    steps = [{**step, "expect": {"status": [200, 201]}} for step in steps] + vector["steps"]
    made = []
    try:
        for step in steps:
            request = substitute({key: step[key] for key in step if key not in ("capture", "expect")}, variables)
            answer = send(options, request)
            made += [request["path"]] if step["method"] == "PUT" and "/dbs/" in step["path"] else []
            wrong = find_mismatch(substitute(step["expect"], variables), answer, options.tier == "strict")
            if wrong:
                return f"{request['method']} {request['path']}: {wrong}: {answer['status']} {answer['text'][:300]}"
            variables |= {name: read(answer["body"], substitute(pointer, variables))
                          for name, pointer in step.get("capture", {}).items()}
    finally:
        for path in made:
            send(options, {"method": "DELETE", "address": "control", "path": path})

def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="the workspace address")
    parser.add_argument("--workspace", default="local")
    parser.add_argument("--profile", choices=PROFILES, default="documented")
    parser.add_argument("--tier", choices=TIERS, default="strict")
    parser.add_argument("--without", default="user", help="what the service does not offer, or is not to be tried")
    for name, text in {"control": "the control address; default: the origin of the workspace address",
                       "key": "the API key", "auth": "open or closed: check who is let in",
                       "other-key": "the API key of another user, not a member of the workspace"}.items():
        parser.add_argument(f"--{name}", help=text)
    options = parser.parse_args()
    options.control = options.control or "{0.scheme}://{0.netloc}".format(urlsplit(options.url))
    about = {"base": options.profile, "nullComparison": PROFILES[options.profile]["null"], "auth": options.auth,
             "branchCopies": {"documented": "records", "xata": "schema"}[options.profile],
             "links": {"documented": "free", "xata": "checked"}[options.profile]}
    missing = set(options.without.split(",")) | (set() if options.other_key else {"otherUser"})
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    sys.setrecursionlimit(100_000)  # some bodies are nested deeply
    files = [json.loads(file.read_text("utf-8")) for file in sorted(pathlib.Path(__file__).parent.glob("*.json"))]
    for file, vector in ((file, vector) for file in files for vector in file.get("vectors", [])):
        skipped = (TIERS.index(vector["tier"]) > TIERS.index(options.tier)
                   or any(about[key] != value for key, value in vector.get("when", {}).items())
                   or set(vector.get("needs", [])) & missing)
        fixture = file.get("fixtures", {}).get(vector.get("data"), {"tables": []})
        wrong = None if skipped else run(options, PROFILES[options.profile], vector, fixture)
        counts["skipped" if skipped else "failed" if wrong else "passed"] += 1
        if wrong:
            print(f"FAILED {' '.join(vector['rules'])} {vector['name']}: {wrong}")
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    sys.exit(1 if counts["failed"] else 0)

main()
