/** The first segment of the paths that control is at. */
const CONTROL_SEGMENT = "_twinbase";

/** Whether a path, given by its segments, is one of control. */
export function isControl(segments: readonly string[]): boolean {
  return segments[0] === CONTROL_SEGMENT;
}
