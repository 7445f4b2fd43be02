/** An owner of data that may be changed in place; an heir takes over. */
export class Mark {
  heir: Mark | undefined = undefined;
}

export function isSameMark(a: Mark | undefined, b: Mark | undefined): boolean {
  return a !== undefined && b !== undefined && (a.heir ?? a) === (b.heir ?? b);
}
