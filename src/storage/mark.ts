/** An owner of data that it may change in place; ownership can pass to an heir. */
export class Mark {
  heir: Mark | undefined = undefined;
}

export function isSameMark(a: Mark | undefined, b: Mark | undefined): boolean {
  return a !== undefined && b !== undefined && (a.heir ?? a) === (b.heir ?? b);
}
