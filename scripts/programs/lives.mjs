// Live queries and counts beside the answers that they should equal. `api` has those of `twinbase/live`.

/** Opens a live query; its `check` returns a difference. */
export function watchQuery({ applyChanges, liveQuery }, table, request) {
  let [calls, empty, errors, isEnded] = [0, 0, 0, false];
  let applied = [];
  const listener = (changes) => {
    calls++;
    if (changes.length === 0) empty++;
    applied = applyChanges(applied, changes);
  };
  const live = liveQuery(table, request, listener, () => errors++);
  applied = [...live.records];
  let shown = render(live.records);
  const check = (isPaced) => {
    const show = `${table.name} ${JSON.stringify(request)}`;
    const { refused, answer } = attempt(() => table.query(request));
    if (live.isClosed) {
      if (isEnded) return undefined; // as it stays, even if the query would fit again
      isEnded = true;
      if (errors !== 1 || live.error === undefined) return `${show}: closed without an error`;
      const code = refused?.code ?? "none";
      return code === live.error.code ? undefined : `${show}: ${live.error.code}, not ${code}`;
    }
    if (refused !== undefined) return `${show}: open, but ${refused.message}`;
    const expected = render(answer.records);
    if (render(live.records) !== expected) return `${show}:\n${render(live.records)}\n${expected}`;
    if (live.more !== answer.meta.page.more) return `${show}: more is ${live.more}`;
    if (render(applied) !== expected)
      return `${show}: changes lead to\n${render(applied)}\n${expected}`;
    if (isPaced) return undefined; // it was called when it became stale, too
    const isSame = shown === expected;
    shown = expected;
    const wasCalled = calls;
    calls = 0;
    if (empty > 0) return `${show}: called without changes`;
    // Signed addresses change with the clock.
    const mayDiffer = JSON.stringify(request).includes("Url");
    if (wasCalled !== (isSame ? 0 : 1) && !mayDiffer) {
      return `${show}: called ${wasCalled} times, ${isSame ? "un" : ""}changed`;
    }
    return undefined;
  };
  return { check, live };
}

export function watchCount({ liveCount }, table, filter) {
  let count;
  const live = liveCount(table, filter, (now) => {
    count = now;
  });
  count = live.count;
  const check = () => {
    const show = `count of ${table.name} ${JSON.stringify(filter)}`;
    const { refused, answer } = attempt(() => table.count(filter));
    if (live.isClosed)
      return live.error === undefined ? `${show}: closed without an error` : undefined;
    if (refused !== undefined) return `${show}: open, but ${refused.message}`;
    return live.count === answer && count === answer
      ? undefined
      : `${show}: ${live.count}, ${count}, expected ${answer}`;
  };
  return { check, live };
}

function attempt(ask) {
  try {
    return { answer: ask() };
  } catch (refused) {
    if (refused?.name !== "TwinbaseError") throw refused;
    return { refused };
  }
}

/** Addresses of files change with the clock, the order of members with the schema. */
function render(value) {
  return JSON.stringify(value, (key, inner) => {
    if (/Url$/.test(key)) return undefined;
    const isObject = typeof inner === "object" && inner !== null && !Array.isArray(inner);
    return isObject ? Object.fromEntries(Object.entries(inner).sort()) : inner;
  });
}
