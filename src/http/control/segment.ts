const CONTROL_SEGMENT = "_twinbase";

export function isControl(segments: readonly string[]): boolean {
  return segments[0] === CONTROL_SEGMENT;
}
