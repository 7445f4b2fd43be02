"""A small service with the documented core of the interface, in Python's standard library alone.

It shares no code with Twinbase: the conformance kit checks both. Start it with `python3 service.py 4000`.
"""

import base64
import datetime
import functools
import hashlib
import hmac
import json
import operator
import re
import secrets
import sys
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DEFAULT_SIZE, MAX_SIZE, MAX_OFFSET = 20, 200, 800
NAME = re.compile(r"[A-Za-z0-9_~-]{1,255}")
LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
EMAIL = re.compile(rf"[a-zA-Z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{LABEL}(?:\.{LABEL})*")
TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))"
)
SECRET = secrets.token_bytes(16)
TEXTS = ("id", "string", "email")
RANGES = ("int", "datetime")
TYPES = (*TEXTS, *RANGES, "multiple", "link", "object")
RANGE_TESTS = {"$gt": operator.gt, "$ge": operator.ge, "$lt": operator.lt, "$le": operator.le}
TEXT_TESTS = {"$contains": operator.contains, "$startsWith": str.startswith, "$endsWith": str.endswith}


class Refused(Exception):
    """A request that is answered with an error."""

    def __init__(self, message, status=400):
        super().__init__(message)
        self.status = status


# Values


def read_time(text):
    """Reads an RFC 3339 date-time, to the microsecond."""
    match = TIME.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise Refused(f"expected an RFC 3339 date-time with an offset, found {text!r}")
    *parts, fraction, sign, hours, minutes = match.groups()
    micros = int(((fraction or "") + "000000")[:6])
    try:
        time = datetime.datetime(*map(int, parts), micros)
        shift = datetime.timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
        return time + shift if sign == "-" else time - shift
    except (ValueError, OverflowError) as error:
        raise Refused(f"{text!r}: {error}") from error


def write_time(time):
    fraction = f".{time.microsecond:06}".rstrip("0") if time.microsecond else ""
    return f"{time.year:04}-{time:%m-%dT%H:%M:%S}{fraction}Z"


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


CHECKS = {
    "id": lambda value: isinstance(value, str),
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
        return write_time(read_time(value))
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


def comparable(kind, value):
    return read_time(value) if kind == "datetime" else value


# Paths


class Place:
    """Where the names of a path begin: a record, or an object in it."""

    def __init__(self, branch, columns, get, is_record):
        self.branch, self.columns, self.get, self.is_record = branch, columns, get, is_record

    def step(self, name):
        """Returns the column of a name, and a function that reads it from a record."""
        found = next((each for each in self.columns if each["name"] == name), None)
        if self.is_record and name == "id":
            found = {"name": "id", "type": "id"}
        if self.is_record and name == "service":
            times = ({"name": key, "type": "datetime"} for key in ("createdAt", "updatedAt"))
            found = {"name": name, "type": "object", "columns": [{"name": "version", "type": "int"}, *times]}
        if found is None:
            raise Refused(f"column [{name}] not found")
        return found, lambda record: (self.get(record) or {}).get(name)

    def enter(self, column, get):
        """Returns the place behind an object or a link."""
        if column["type"] == "object":
            return Place(self.branch, column["columns"], get, False)
        target = self.branch.get(column["link"]["table"]) if column["type"] == "link" else None
        if target is None:
            raise Refused(f"column [{column['name']}] has no columns")
        return Place(self.branch, target.columns, lambda record: target.records.get(get(record)), True)

    def follow(self, path):
        place, (first, *rest) = self, path.split(".")
        column, get = place.step(first)
        for name in rest:
            place = place.enter(column, get)
            column, get = place.step(name)
        return column, get, place


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


def split(operand):
    """Lists the parts of a connective: members of an array, or keys of an object."""
    parts = operand if isinstance(operand, list) else [operand]
    if any(part == {} for part in parts):
        raise Refused("an empty object is not a condition")
    if isinstance(operand, dict):
        return [{key: value} for key, value in operand.items()]
    return parts


def compile_filter(place, given):
    if not isinstance(given, dict):
        raise Refused("a filter is an object")
    return every([compile_key(place, key, operand) for key, operand in given.items()])


def compile_key(place, key, operand):
    if key in CONNECTIVES:
        return CONNECTIVES[key]([compile_filter(place, part) for part in split(operand)])
    if key in ("$exists", "$notExists"):
        return compile_existence(place, key, operand)
    if key.startswith("$"):
        raise Refused(f"unknown operator {key}")
    column, get, parent = place.follow(key)
    return compile_condition(parent, column, get, operand)


def compile_existence(place, key, operand):
    paths = operand if isinstance(operand, list) else [operand]
    if not all(isinstance(path, str) for path in paths):
        raise Refused(f"{key} takes the path of a column")
    gets = [place.follow(path)[1] for path in paths]
    return every([lambda record, get=get: (get(record) is None) == (key == "$notExists") for get in gets])


def compile_condition(place, column, get, condition):
    nests = column["type"] in ("object", "link")
    if isinstance(condition, list) and column["type"] != "multiple":
        return some([compile_condition(place, column, get, part) for part in condition])
    if not isinstance(condition, dict):
        return compile_equality(column, get, condition)
    operators = [key for key in condition if key.startswith("$")]
    if operators and len(operators) < len(condition):
        raise Refused("operators and columns are mixed")
    if operators:
        return every([compile_operator(place, column, get, *entry) for entry in condition.items()])
    if not nests or not condition:
        raise Refused(f"column [{column['name']}] takes no nested filter")
    return compile_filter(place.enter(column, get), condition)


def compile_equality(column, get, operand):
    if isinstance(operand, list) and column["type"] != "multiple":
        return some([compile_equality(column, get, each) for each in operand])
    if column["type"] == "multiple" and isinstance(operand, str):
        return lambda record: operand in (get(record) or [])
    wanted = read_value(column, operand)
    return lambda record: get(record) == wanted


def compile_operator(place, column, get, operator, operand):
    kind = column["type"]
    if operator in CONNECTIVES:
        return CONNECTIVES[operator]([compile_condition(place, column, get, part) for part in split(operand)])
    if operator in ("$exists", "$notExists"):
        return compile_existence(place.enter(column, get), operator, operand)
    if operator in ("$is", "$isNot"):
        equality = compile_equality(column, get, operand)
        return equality if operator == "$is" else negate(equality)
    if operator.startswith("$includes") and kind == "multiple":
        return compile_items(place, get, operator, operand)
    if operator in RANGE_TESTS and kind in RANGES and operand is not None:
        # A bound of an int may have a fraction.
        if kind == "int" and not is_number(operand):
            raise Refused(f"{operator} takes a number")
        bound, test = comparable(kind, operand), RANGE_TESTS[operator]
        return lambda record: get(record) is not None and test(comparable(kind, get(record)), bound)
    if operator in (*TEXT_TESTS, "$pattern") and kind in TEXTS and isinstance(operand, str):
        test = TEXT_TESTS.get(operator, matches)
        wanted = read_pattern(operand) if operator == "$pattern" else operand
        return lambda record: get(record) is not None and test(get(record), wanted)
    raise Refused(f"operator {operator} does not apply to column [{column['name']}] of type {kind}")


def read_pattern(text):
    """Splits a pattern into characters; True is any one, None any number of them."""
    tokens, characters = [], iter(text)
    for character in characters:
        if character == "\\":
            character = next(characters, None)
            if character is None:
                raise Refused("a pattern ends with a lone backslash")
            tokens.append(character)
        else:
            tokens.append({"*": None, "?": True}.get(character, character))
    return tokens


def matches(text, tokens):
    """Matches in time proportional to pattern and text."""
    reached = {0}
    for token in tokens:
        if token is None:
            reached = set(range(min(reached), len(text) + 1)) if reached else reached
        else:
            reached = {at + 1 for at in reached if at < len(text) and (token is True or text[at] == token)}
    return len(text) in reached


def compile_items(place, get, operator, operand):
    if operator not in ("$includes", "$includesAny", "$includesAll", "$includesNone"):
        raise Refused(f"unknown operator {operator}")
    item = {"name": "item", "type": "string"}
    conditions = operand if isinstance(operand, list) else [operand]
    fits = some([compile_condition(place, item, lambda text: text, each) for each in conditions])
    if operator == "$includesAll":
        return lambda record: all(fits(text) for text in get(record) or [])
    wanted = operator != "$includesNone"
    return lambda record: any(fits(text) for text in get(record) or []) == wanted


# Orders and pages


class Order:
    """An order of records; ties are broken by id, and null is greater than every value."""

    def __init__(self, place, sort, seed):
        self.keys = []
        for part in sort if isinstance(sort, list) else [sort or {}]:
            entries = {part: "asc"} if isinstance(part, str) else part
            if not isinstance(entries, dict):
                raise Refused("sort is an object or an array of objects")
            self.keys += [self.read_key(place, *entry, seed) for entry in entries.items()]
        if any(key[2] == "random" for key in self.keys[:-1]):
            raise Refused("nothing follows a random order")

    def read_key(self, place, path, direction, seed):
        if (path == "*") != (direction == "random") or direction not in ("asc", "desc", "random"):
            raise Refused(f"sort [{path}] takes asc or desc, found {direction!r}")
        if path == "*":
            return "string", lambda record: hashlib.sha256((seed + record["id"]).encode()).hexdigest(), direction
        column, get, _ = place.follow(path)
        if column["type"] in ("multiple", "object"):
            raise Refused(f"column [{path}] does not sort")
        return column["type"], get, direction

    def position(self, record):
        return [[get(record) for _, get, _ in self.keys], record["id"]]

    def compare(self, one, other):
        for (kind, _, direction), a, b in zip(self.keys, one[0], other[0]):
            if a == b:
                continue
            if a is None or b is None:
                result = 1 if a is None else -1
            else:
                result = 1 if comparable(kind, a) > comparable(kind, b) else -1
            return -result if direction == "desc" else result
        return (one[1] > other[1]) - (one[1] < other[1])


def compare_points(order, one, other):
    """Compares points: None is the start, else a position and a side of it."""
    if one is None or other is None:
        return (other is None) - (one is None) if one is not other else 0
    result = order.compare(one[0], other[0])
    return result or (one[1] > other[1]) - (one[1] < other[1])


def write_cursor(content):
    data = json.dumps(content).encode()
    signature = hmac.new(SECRET, data, hashlib.sha256).digest()[:12]
    return base64.urlsafe_b64encode(signature + data).decode().rstrip("=")


def read_cursor(text, table):
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (TypeError, ValueError):
        data = b""
    signature, content = data[:12], data[12:]
    valid = hmac.compare_digest(signature, hmac.new(SECRET, content, hashlib.sha256).digest()[:12])
    # The last character of a text may have unused bits.
    if not valid or base64.urlsafe_b64encode(data).decode().rstrip("=") != text:
        raise Refused("invalid cursor")
    read = json.loads(content)
    if read["table"] != table.identity:
        raise Refused("the cursor is of another table")
    return read


def read_count(page, key, default, least, most):
    value = page.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
        raise Refused(f"page {key} is a whole number")
    if not least <= value <= most:
        raise Refused(f"page {key} is from {least} to {most}")
    return int(value)


def query(branch, table, body):
    for key in body:
        if key not in ("columns", "filter", "sort", "page", "consistency"):
            raise Refused(f"unknown key {key}")
    page = body.get("page") or {}
    if not isinstance(page, dict):
        raise Refused("page is an object")
    marks = {key: page[key] for key in ("after", "before", "start", "end") if page.get(key) is not None}
    if len(page) > len(marks) + ("size" in page) + ("offset" in page):
        raise Refused("unknown key of page")
    is_end = {key: mark == "end" for key, mark in marks.items()}
    if len(marks) > 1 and ("start" in marks or "end" in marks or is_end.get("after")):
        raise Refused("start and end exclude other cursors")
    cursors = {
        key: read_cursor(mark, table) for key, mark in marks.items() if not is_end[key] or key in ("start", "end")
    }
    held = next(iter(cursors.values()), None)
    if held is not None and ("filter" in body or "sort" in body):
        raise Refused("a cursor excludes filter and sort")
    sort = body.get("sort")
    seed = secrets.token_hex(8) if "random" in json.dumps(sort) else ""
    source = held or {"filter": body.get("filter"), "sort": sort, "seed": seed}
    size = read_count(page, "size", held["size"] if held else DEFAULT_SIZE, 1, MAX_SIZE)
    offset = read_count(page, "offset", 0, 0, MAX_OFFSET)
    columns = body.get("columns", held["columns"] if held else None)
    place = Place(branch, table.columns, lambda record: record, True)
    selection = read_selection(place, columns)
    order = Order(place, source["sort"], source["seed"])
    holds = compile_filter(place, source["filter"] if source["filter"] is not None else {})
    return turn(table, order, holds, selection, marks, cursors, {**source, "columns": columns, "size": size}, offset)


def turn(table, order, holds, selection, marks, cursors, source, offset):
    """Takes a page of the records between the cursors."""
    after, before = cursors.get("after"), cursors.get("before")
    low, high = after and after["last"], before and before["first"]
    if after and before:
        same = all(after[key] == before[key] for key in ("filter", "sort", "seed"))
        if not same or compare_points(order, low, high) >= 0:
            raise Refused("the page of before does not follow the page of after")
    found = sorted(
        (record for record in table.records.values() if holds(record)),
        key=functools.cmp_to_key(lambda a, b: order.compare(order.position(a), order.position(b))),
    )
    points = [[order.position(record), 0] for record in found]
    inside = [
        (point, record)
        for point, record in zip(points, found)
        if (after is None or compare_points(order, low, point) < 0)
        and (before is None or compare_points(order, point, high) < 0)
    ]
    backward = ("before" in marks and "after" not in marks) or "end" in marks
    size = source["size"]
    if marks.get("after") == "end":
        taken, more = [], False
        gap = [points[-1][0], 1] if points else None
    elif backward:
        end = max(0, len(inside) - offset)
        start = max(0, end - size)
        taken, more = inside[start:end], start > 0
        gap = None if before is None or offset else high
    else:
        taken, more = inside[offset : offset + size], len(inside) > offset + size
        gap = low if after else None
        if offset and inside:
            gap = [inside[-1][0][0], 1]
    first, last = (taken[0][0], taken[-1][0]) if taken else (gap, gap)
    cursor = write_cursor({**source, "table": table.identity, "first": first, "last": last})
    records = [selection(record) for _, record in taken]
    return {"records": records, "meta": {"page": {"cursor": cursor, "more": more, "size": size}}}


# Selections


def read_selection(place, columns):
    """Returns a function that selects columns of a record; without columns all of them."""
    tree = {}
    if columns is None:
        columns = ["*"]
    if not isinstance(columns, list):
        raise Refused("columns is an array")
    for path in columns:
        if not isinstance(path, str):
            raise Refused("a column is a string")
        select(place, tree, path.split("."))
    return lambda record: project(place, tree, record, True)


def select(place, tree, names):
    name, *rest = names
    if name == "*" and not rest:
        for column in place.columns:
            select(place, tree, [column["name"]])
        return
    column, get = place.step(name)
    if name in ("id", "service") and place.is_record:
        return
    branch = tree.setdefault(name, {})
    if rest:
        branch.setdefault("", True)  # a record, not only its id
        select(place.enter(column, get), branch, rest)
    elif column["type"] == "object":
        select(place.enter(column, get), branch, ["*"])


def project(place, tree, values, is_whole):
    if place.is_record and not is_whole:
        return {"id": values["id"]}
    shown = {"id": values["id"]} if place.is_record else {}
    for column in place.columns:
        name = column["name"]
        value, branch = values.get(name), tree.get(name)
        if branch is None or value is None:
            continue
        if column["type"] == "link":
            target = place.branch.get(column["link"]["table"])
            linked = target and target.records.get(value)
            if linked is None or "" not in branch:
                value = {"id": value}
            else:
                inner = Place(place.branch, target.columns, None, True)
                value = project(inner, branch, linked, True)
        elif column["type"] == "object":
            value = project(Place(place.branch, column["columns"], None, False), branch, value, True)
            if not value:
                continue
        shown[name] = value
    if place.is_record:
        shown["service"] = values["service"]
    return shown


# Databases


class Table:
    def __init__(self):
        self.identity, self.columns, self.records, self.count = secrets.token_hex(8), [], {}, 0

    def insert(self, records):
        made = {}
        for record in records:
            self.count += 1
            key = record.get("id", f"rec_{self.count:020}")
            if not CHECKS["id"](key):
                raise Refused("an id is a string")
            if key in self.records or key in made:
                raise Refused(f"record {key} exists", 422)
            given = {name: value for name, value in record.items() if name not in ("id", "service")}
            now = write_time(datetime.datetime.now(datetime.timezone.utc))
            service = {"version": 0, "createdAt": now, "updatedAt": now}
            made[key] = {"id": key, **read_values(self.columns, given), "service": service}
        self.records.update(made)
        return list(made)


class Service:
    def __init__(self):
        self.databases = {}

    def handle(self, method, path, search, body):
        """Returns a status and a body."""
        parts = [urllib.parse.unquote(part) for part in path.strip("/").split("/")]
        match parts:
            case ["user"] if method == "GET":
                return 200, {"id": "usr_1", "email": "user@example.com", "fullname": "User", "image": ""}
            case ["workspaces", _, "dbs", name]:
                return self.database(method, name, body)
            case ["dbs", name, "gitBranches"]:
                return self.git_branches(method, self.find(name), search, body)
            case ["db", address, "tables", name, *rest]:
                database, colon, branch = address.partition(":")
                if not colon or ":" in branch:
                    raise Refused("expected database:branch")
                tables = self.find(database)["branches"].get(branch)
                if tables is None:
                    raise Refused(f"branch {branch} not found", 404)
                return self.table(method, tables, name, rest, body)
        raise Refused(f"no such route {path}", 404)

    def find(self, name):
        if name not in self.databases:
            raise Refused(f"database {name} not found", 404)
        return self.databases[name]

    def database(self, method, name, body):
        if method == "PUT":
            if name in self.databases:
                raise Refused(f"database {name} exists", 422)
            self.databases[name] = {"branches": {"main": {}}, "mapping": {}}
            return 201, {"databaseName": name, "branchName": "main", "status": "completed"}
        self.find(name)
        if method == "GET":
            return 200, {"name": name}
        if method == "DELETE":
            del self.databases[name]
            return 200, {"status": "completed"}
        raise Refused("method not allowed", 405)

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
            if not NAME.fullmatch(name):
                raise Refused("invalid name")
            if name in tables:
                raise Refused(f"table {name} exists", 422)
            tables[name] = Table()
            return 201, {"tableName": name, "status": "completed"}
        if name not in tables:
            raise Refused(f"table {name} not found", 404)
        table = tables[name]
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
        if not isinstance(new, str) or not NAME.fullmatch(new):
            raise Refused("name is required")
        if new in tables:
            raise Refused(f"table {new} exists", 422)
        tables[new] = tables.pop(old)
        for table in tables.values():
            for column in table.columns:
                if column["type"] == "link" and column["link"]["table"] == old:
                    column["link"]["table"] = new
        return 200, {"status": "completed"}


def check_columns(columns):
    for column in columns:
        if column.get("type") not in TYPES:
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
