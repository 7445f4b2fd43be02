/** Says who may change something in place: whoever has it, or the one that adopted it. */
export class Mark {
  heir: Mark | undefined = undefined;
}

export function isSameMark(a: Mark | undefined, b: Mark | undefined): boolean {
  return a !== undefined && b !== undefined && (a.heir ?? a) === (b.heir ?? b);
}
