"""A small service with the documented core of the interface, in Python's standard library alone.

It shares no code with Twinbase: the conformance kit checks both. Start it with `python3 service.py 4000`
(Python 3.11 or later).
"""

import dataclasses
import datetime
import fnmatch
import functools
import hashlib
import hmac
import json
import operator
import re
import secrets
import sys
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DEFAULT_SIZE, MAX_SIZE, MAX_OFFSET = 20, 200, 800
CURSOR_KEYS = ("after", "before", "start", "end")
NAME = re.compile(r"[A-Za-z0-9_~-]{1,255}")
LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
EMAIL = re.compile(rf"[a-zA-Z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{LABEL}(?:\.{LABEL})*")
CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d"
TIME = re.compile(rf"\d{{4}}-\d\d-\d\d[Tt]{CLOCK}:\d\d(?:\.\d+)?(?:[Zz]|[+-]{CLOCK})", re.ASCII)
EPOCH, MICROSECOND = datetime.datetime.fromtimestamp(0, datetime.UTC), datetime.timedelta(microseconds=1)
SECRET = secrets.token_bytes(16)
ID = {"name": "id", "type": "string"}
TIMES = [{"name": name, "type": "datetime"} for name in ("createdAt", "updatedAt")]
SERVICE = {"name": "service", "type": "object", "columns": [{"name": "version", "type": "int"}, *TIMES]}
RANGE_TESTS = {"$gt": operator.gt, "$ge": operator.ge, "$lt": operator.lt, "$le": operator.le}
TEXT_TESTS = {
    "$contains": operator.contains,
    "$startsWith": str.startswith,
    "$endsWith": str.endswith,
    "$pattern": lambda text, pattern: pattern.fullmatch(text),
}
ITEM_TESTS = {
    "$includes": any,
    "$includesAny": any,
    "$includesAll": all,
    "$includesNone": lambda fits: not any(fits),
}


class Refused(Exception):
    """A request that is answered with an error."""

    def __init__(self, message, status=400):
        super().__init__(message)
        self.status = status


# Values: as in JSON, but datetimes are microseconds since 1970, and links are ids


def read_time(text):
    """Reads an RFC 3339 date-time."""
    if not isinstance(text, str) or not TIME.fullmatch(text):
        raise Refused(f"expected an RFC 3339 date-time with an offset, found {text!r}")
    try:
        moment = datetime.datetime.fromisoformat(text.upper()).astimezone(datetime.UTC)
    except (ValueError, OverflowError) as error:
        raise Refused(f"{text!r}: {error}") from error
    return (moment - EPOCH) // MICROSECOND


def write_time(micros):
    text = (EPOCH + micros * MICROSECOND).isoformat().removesuffix("+00:00")
    return (text.rstrip("0") if "." in text else text) + "Z"


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


CHECKS = {
    "string": lambda value: isinstance(value, str) and len(value) <= 2048,
    "email": lambda value: isinstance(value, str) and len(value) <= 254 and EMAIL.fullmatch(value),
    "int": lambda value: is_number(value) and value == int(value) and abs(value) < 2**53,
    "multiple": lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
    "link": lambda value: isinstance(value, str),
    "object": lambda value: False,
}


def read_value(column, value):
    """Reads a value for a column; None is null."""
    kind = column["type"]
    if value is None:
        return None
    if kind == "datetime":
        return read_time(value)
    if kind == "object" and isinstance(value, dict):
        return read_values(column["columns"], value) or None
    if kind == "link" and isinstance(value, dict):
        value = value.get("id")
    if not CHECKS[kind](value):
        raise Refused(f"column {column['name']}: expected {kind}, found {json.dumps(value)[:80]}")
    return value


def read_values(columns, given):
    """Reads the values of columns, nested or dotted; leaves out null."""
    known = {column["name"]: column for column in columns}
    nested = {}
    for key, value in given.items():
        name, dot, rest = key.partition(".")
        if name not in known:
            raise Refused(f"unknown column {key}")
        if dot:
            nested.setdefault(name, {})[rest] = value
        else:
            nested[name] = value
    read = {name: read_value(known[name], value) for name, value in nested.items()}
    return {name: value for name, value in read.items() if value is not None}


# Paths


class Field:
    """A column at the end of a path; `get` reads its value from a record. A record is the field at no path."""

    def __init__(self, branch, column, get):
        self.branch, self.column, self.get = branch, column, get
        self.name, self.type = column["name"], column["type"]

    def enter(self):
        """Returns the columns of an object, or of the record behind a link, and a function that reads it."""
        if self.type == "object":
            return self.column["columns"], self.get
        target = self.branch.get(self.column["link"]["table"]) if self.type == "link" else None
        if target is None:
            raise Refused(f"column [{self.name}] has no columns")
        return target.as_column()["columns"], lambda record: target.records.get(self.get(record))

    def step(self, name):
        columns, get = self.enter()
        for column in columns:
            if column["name"] == name:
                return Field(self.branch, column, lambda record: (get(record) or {}).get(name))
        raise Refused(f"column [{name}] not found")

    def follow(self, path):
        return functools.reduce(Field.step, path.split("."), self)


# Filters: each function returns a predicate of a record


def every(parts):
    return lambda record: all(part(record) for part in parts)


def some(parts):
    return lambda record: any(part(record) for part in parts)


def negate(part):
    return lambda record: not part(record)


CONNECTIVES = {
    "$all": every,
    "$any": some,
    "$not": lambda parts: negate(every(parts)),
    "$none": lambda parts: negate(some(parts)),
}


def compile_filter(field, given):
    """Compiles a filter whose paths begin at a field."""
    if not isinstance(given, dict):
        raise Refused("a filter is an object")
    parts = []
    for key, operand in given.items():
        if key.startswith("$"):
            parts.append(compile_logic(field, key, operand, compile_filter))
        else:
            parts.append(compile_condition(field.follow(key), operand))
    return every(parts)


def compile_logic(field, key, operand, compile_part):
    """Compiles an operator that filters and conditions have."""
    operands = operand if isinstance(operand, list) else [operand]
    if key in ("$exists", "$notExists"):
        gets = [field.follow(path).get for path in operands]
        return lambda record: all((get(record) is None) == (key == "$notExists") for get in gets)
    if key not in CONNECTIVES:
        raise Refused(f"operator {key} does not apply to [{field.name}] of type {field.type}")
    if {} in operands:
        raise Refused("an empty object is not a condition")
    if isinstance(operand, dict):
        operands = [{key: value} for key, value in operand.items()]
    return CONNECTIVES[key]([compile_part(field, part) for part in operands])


def compile_condition(field, condition):
    """Compiles what stands behind a path: a value, a list of them, operators, or a filter of columns below."""
    if isinstance(condition, list) and field.type != "multiple":
        return some([compile_condition(field, part) for part in condition])
    if not isinstance(condition, dict):
        return compile_equality(field, condition)
    operators = [key.startswith("$") for key in condition]
    if condition and all(operators):
        return every([compile_operator(field, *entry) for entry in condition.items()])
    if any(operators) or field.type not in ("object", "link") or not condition:
        raise Refused(f"[{field.name}] takes a value, operators, or columns below it")
    return compile_filter(field, condition)


def compile_equality(field, operand):
    if field.type == "multiple" and isinstance(operand, str):
        return lambda record: operand in (field.get(record) or [])
    if isinstance(operand, list) and field.type != "multiple":
        return some([compile_equality(field, each) for each in operand])
    wanted = read_value(field.column, operand)
    return lambda record: field.get(record) == wanted


def compile_operator(field, name, operand):
    if name in ("$is", "$isNot"):
        equality = compile_equality(field, operand)
        return equality if name == "$is" else negate(equality)
    if name in ITEM_TESTS and field.type == "multiple":
        item = Field(field.branch, {"name": "item", "type": "string"}, lambda text: text)
        fits, test = compile_condition(item, operand), ITEM_TESTS[name]
        return lambda record: test(fits(text) for text in field.get(record) or [])
    if name in RANGE_TESTS and field.type in ("int", "datetime"):
        test, wanted = RANGE_TESTS[name], read_time(operand) if field.type == "datetime" else operand
        if not is_number(wanted):  # of an int it may have a fraction
            raise Refused(f"{name} takes a number")
    elif name in TEXT_TESTS and field.type in ("string", "email") and isinstance(operand, str):
        test, wanted = TEXT_TESTS[name], read_pattern(operand) if name == "$pattern" else operand
    else:
        return compile_logic(field, name, operand, compile_condition)
    return lambda record: field.get(record) is not None and test(field.get(record), wanted)


def read_pattern(text):
    """Compiles a pattern by fnmatch, whose expressions match in time proportional to pattern and text."""
    if not re.fullmatch(r"(?:\\.|[^\\])*", text, re.DOTALL):
        raise Refused("a pattern ends with a lone backslash")
    # fnmatch has no backslash: [*] is a plain star.
    plain = re.sub(r"\\(.)|\[", lambda found: re.sub(r"[*?[]", r"[\g<0>]", found[1] or "["), text, flags=re.DOTALL)
    return re.compile(fnmatch.translate(plain))


# Selections: a tree has the names of selected columns, of each the tree of those below


def select(field, tree, path):
    """Adds a path to a tree."""
    name, dot, rest = path.partition(".")
    if path == "*":
        columns, _ = field.enter()
        for column in columns:
            select(field, tree, column["name"])
        return
    inner, branch = field.step(name), tree.setdefault(name, {})
    if inner.type == "object":
        select(inner, branch, rest if dot else "*")
    elif dot:
        for below in ("id", "service", rest):
            select(inner, branch, below)


def show(field, tree, record):
    """Returns a field's value as JSON: of objects and linked records what the tree selects, without null."""
    value = field.get(record)
    if value is None:
        return None
    if field.type == "datetime":
        return write_time(value)
    if not tree:
        return {"id": value} if field.type == "link" else value
    columns, get = field.enter()
    if get(record) is None:
        return {"id": value}  # the linked record does not exist
    names = [column["name"] for column in columns if column["name"] in tree]
    shown = {name: show(field.step(name), tree[name], record) for name in names}
    return {name: part for name, part in shown.items() if part is not None} or None


# Orders and pages: a point is a position in an order, or just behind one; None is the start


@dataclasses.dataclass
class Descending:
    """A value that sorts in the opposite order."""

    value: tuple

    def __lt__(self, other):
        return other.value < self.value


class Order:
    """An order of records; ties are broken by id, and null is greater than every value."""

    def __init__(self, record, sort, seed):
        self.keys = []
        for part in sort if isinstance(sort, list) else [sort or {}]:
            entries = {part: "asc"} if isinstance(part, str) else part
            self.keys += [self.read_key(record, *entry, seed) for entry in entries.items()]
        if any(direction == "random" for _, direction in self.keys[:-1]):
            raise Refused("nothing follows a random order")

    def read_key(self, record, path, direction, seed):
        if (path == "*") != (direction == "random") or direction not in ("asc", "desc", "random"):
            raise Refused(f"sort [{path}] takes asc or desc, found {direction!r}")
        if path == "*":
            return lambda record: hashlib.sha256((seed + record["id"]).encode()).hexdigest(), direction
        field = record.follow(path)
        if field.type in ("multiple", "object"):
            raise Refused(f"column [{path}] does not sort")
        return field.get, direction

    def point(self, record, is_behind=False):
        return [[get(record) for get, _ in self.keys], record["id"], is_behind]

    def key(self, point):
        """Returns what a point sorts by."""
        if point is None:
            return ()  # less than every other tuple
        values, identity, is_behind = point
        parts = []
        for value, (_, direction) in zip(values, self.keys):
            part = (value is None, value)
            parts.append(Descending(part) if direction == "desc" else part)
        return (*parts, identity, is_behind)


def write_cursor(content):
    data = json.dumps(content).encode()
    return (hmac.digest(SECRET, data, "sha256")[:12] + data).hex()


def read_cursor(text, table):
    try:
        content = json.loads(bytes.fromhex(text)[12:])
        is_ours = hmac.compare_digest(text, write_cursor(content))
    except (TypeError, ValueError):
        is_ours = False
    if not is_ours:
        raise Refused("invalid cursor")
    if content["table"] != table.identity:
        raise Refused("the cursor is of another table")
    return content


def read_count(page, key, default, least, most):
    value = page.get(key, default)
    if not is_number(value) or value != int(value) or not least <= value <= most:
        raise Refused(f"page {key} is a whole number from {least} to {most}")
    return int(value)


def expect_keys(given, known):
    if not isinstance(given, dict):
        raise Refused("expected an object")
    for key in given:
        if key not in known:
            raise Refused(f"unknown key {key}")


def query(branch, table, body):
    """Answers a query; a cursor holds an earlier one."""
    expect_keys(body, ("columns", "filter", "sort", "page", "consistency"))
    page = body.get("page", {})
    expect_keys(page, (*CURSOR_KEYS, "size", "offset"))
    marks = {key: page[key] for key in CURSOR_KEYS if key in page}
    if len(marks) > 1 and ("start" in marks or "end" in marks or marks.get("after") == "end"):
        raise Refused("start and end exclude other cursors")
    real = [key for key, mark in marks.items() if mark != "end" or key in ("start", "end")]
    cursors = {key: read_cursor(marks[key], table) for key in real}
    if cursors and ("filter" in body or "sort" in body):
        raise Refused("a cursor excludes filter and sort")
    seed = secrets.token_hex(8) if "random" in json.dumps(body.get("sort")) else ""
    fresh = {"filter": {}, "sort": {}, "seed": seed, "columns": ["*"], "size": DEFAULT_SIZE, "table": table.identity}
    asked = {**next(iter(cursors.values()), fresh)}
    asked.update({key: body[key] for key in ("filter", "sort", "columns") if key in body})
    asked["size"] = read_count(page, "size", asked["size"], 1, MAX_SIZE)
    offset = read_count(page, "offset", 0, 0, MAX_OFFSET)
    if not isinstance(asked["columns"], list):
        raise Refused("columns is an array")
    record, tree = Field(branch, table.as_column(), lambda record: record), {}
    for path in ("id", "service", *asked["columns"]):
        select(record, tree, path)
    order = Order(record, asked["sort"], asked["seed"])
    found = filter(compile_filter(record, asked["filter"]), list(table.records.values()))
    taken, more, asked["first"], asked["last"] = turn(order, found, marks, cursors, asked["size"], offset)
    meta = {"cursor": write_cursor(asked), "more": more, "size": asked["size"]}
    return {"records": [show(record, tree, each) for each in taken], "meta": {"page": meta}}


def turn(order, records, marks, cursors, size, offset):
    """Returns the records of a page, whether there are more, and its first and last point."""
    after, before = cursors.get("after"), cursors.get("before")
    low, high = order.key(after and after["last"]), order.key(before and before["first"])
    if after and before:
        if any(after[key] != before[key] for key in ("filter", "sort", "seed")) or not low < high:
            raise Refused("the page of before does not follow the page of after")
    keyed = sorted(((order.key(order.point(each)), each) for each in records), key=operator.itemgetter(0))
    found = [record for key, record in keyed if low < key and (before is None or key < high)]
    backward = "end" in marks or ("before" in marks and "after" not in marks)
    gap = before and before["first"] if backward else after and after["last"]
    if marks.get("after") == "end":
        offset = len(found)
    if offset and backward:
        gap = None
    elif offset and found:
        gap = order.point(found[-1], is_behind=True)
    if backward:
        found.reverse()
    taken, more = found[offset : offset + size], len(found) > offset + size
    if backward:
        taken.reverse()
    first, last = (order.point(taken[0]), order.point(taken[-1])) if taken else (gap, gap)
    return taken, more, first, last


# Databases


def find(known, name, kind):
    if name not in known:
        raise Refused(f"{kind} {name} not found", 404)
    return known[name]


def expect_free(known, name, kind):
    if not NAME.fullmatch(name):
        raise Refused(f"invalid name {name}")
    if name in known:
        raise Refused(f"{kind} {name} exists", 422)


class Table:
    def __init__(self):
        self.identity, self.columns, self.records, self.count = secrets.token_hex(8), [], {}, 0

    def as_column(self):
        """Returns its records as an object column."""
        return {"name": "record", "type": "object", "columns": [ID, *self.columns, SERVICE]}

    def insert(self, records):
        made = {}
        for record in records:
            self.count += 1
            key = record.get("id", f"rec_{self.count:020}")
            if not isinstance(key, str):
                raise Refused("an id is a string")
            if key in self.records or key in made:
                raise Refused(f"record {key} exists", 422)
            given = {name: value for name, value in record.items() if name not in ("id", "service")}
            now = time.time_ns() // 1000
            service = {"version": 0, "createdAt": now, "updatedAt": now}
            made[key] = {"id": key, **read_values(self.columns, given), "service": service}
        self.records.update(made)
        return list(made)


class Service:
    def __init__(self):
        self.databases = {}

    def handle(self, method, path, search, body):
        """Returns a status and a body."""
        match method, *(urllib.parse.unquote(part) for part in path.strip("/").split("/")):
            case "GET", "user":
                return 200, {"id": "usr_1", "email": "user@example.com", "fullname": "User", "image": ""}
            case "PUT", "workspaces", _, "dbs", name:
                expect_free(self.databases, name, "database")
                self.databases[name] = {"branches": {"main": {}}, "mapping": {}}
                return 201, {"databaseName": name, "branchName": "main", "status": "completed"}
            case "GET", "workspaces", _, "dbs", name:
                find(self.databases, name, "database")
                return 200, {"name": name}
            case "DELETE", "workspaces", _, "dbs", name:
                find(self.databases, name, "database")
                del self.databases[name]
                return 200, {"status": "completed"}
            case _, "dbs", name, "gitBranches":
                return self.git_branches(method, find(self.databases, name, "database"), search, body)
            case _, "db", address, "tables", name, *rest:
                database, colon, branch = address.partition(":")
                if not colon or ":" in branch:
                    raise Refused("expected database:branch")
                tables = find(find(self.databases, database, "database")["branches"], branch, "branch")
                return self.table(method, tables, name, rest, body)
        raise Refused(f"no such route {path}", 404)

    def git_branches(self, method, database, search, body):
        mapping, branches = database["mapping"], database["branches"]
        if method == "GET":
            return 200, {"mappings": [{"gitBranch": git, "serviceBranch": to} for git, to in mapping.items()]}
        if method == "POST":
            git, branch = body.get("gitBranch"), body.get("serviceBranch")
            if not isinstance(git, str) or branch not in branches:
                raise Refused("gitBranch and an existing serviceBranch are required")
            known, mapping[git] = git in mapping, branch
            return (201, {"warning": f"the mapping of {git} was overwritten"}) if known else (204, None)
        git = search.get("gitBranch")
        if git is None:
            raise Refused("gitBranch is required")
        if mapping.pop(git, None) is None:
            raise Refused(f"{git} is not mapped", 404)
        return 204, None

    def table(self, method, tables, name, rest, body):
        if method == "PUT" and not rest:
            expect_free(tables, name, "table")
            tables[name] = Table()
            return 201, {"tableName": name, "status": "completed"}
        table = find(tables, name, "table")
        match method, rest:
            case "DELETE", []:
                del tables[name]
                return 200, {"status": "completed"}
            case "PATCH", []:
                return self.rename(tables, name, body.get("name"))
            case "POST", ["query"]:
                return 200, query(tables, table, body)
            case "PUT", ["schema"]:
                check_columns(body.get("columns", []))
                table.columns = body["columns"]
                return 200, {"status": "completed"}
            case "POST", ["bulk"]:
                return 200, {"recordIDs": table.insert(body.get("records", []))}
            case "POST", ["data"]:
                return 201, {"id": table.insert([body])[0]}
        raise Refused("no such route", 404)

    def rename(self, tables, old, new):
        expect_free(tables, new, "table")
        tables[new] = tables.pop(old)
        for table in tables.values():
            for column in table.columns:
                if column["type"] == "link" and column["link"]["table"] == old:
                    column["link"]["table"] = new
        return 200, {"status": "completed"}


def check_columns(columns):
    for column in columns:
        if column.get("type") not in ("datetime", *CHECKS):
            raise Refused(f"unknown column type {column.get('type')}")
        if column["name"].startswith("$"):
            raise Refused("a column name starts with no $")
        if column["type"] == "link" and not isinstance(column["link"]["table"], str):
            raise Refused("a link has a table")
        check_columns(column["columns"] if column["type"] == "object" else [])


# HTTP


class Handler(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm, wbufsize = "HTTP/1.1", True, -1
    service = Service()

    def respond(self):
        length = int(self.headers.get("content-length") or 0)
        text = self.rfile.read(length)
        path, _, search = self.path.partition("?")
        try:
            body = json.loads(text) if text else {}
            if not isinstance(body, dict):
                raise Refused("the body is an object")
            parameters = dict(urllib.parse.parse_qsl(search))
            status, answer = self.service.handle(self.command, path, parameters, body)
        except Refused as refused:
            status, answer = refused.status, {"message": str(refused)}
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
            status, answer = 400, {"message": "the body is not JSON of the expected shape"}
        data = b"" if answer is None else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = respond

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
