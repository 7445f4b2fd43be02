/** Removes ever shorter parts of a list while `accept` returns true for the rest; returns the rest. */
export async function shrinkList(list, accept) {
  let rest = list;
  for (let size = Math.ceil(rest.length / 2); size >= 1; size = size === 1 ? 0 : (size + 1) >> 1) {
    for (let end = rest.length; end > 0; end -= size) {
      const tried = [...rest.slice(0, Math.max(0, end - size)), ...rest.slice(end)];
      if (tried.length < rest.length && (await accept(tried))) rest = tried;
    }
  }
  return rest;
}
