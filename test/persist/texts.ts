import { Engine } from "../../src/engine.js";
import { exportEngine } from "../../src/export.js";
import type { AnyEngine } from "../../src/index.js";
import { openReplayed } from "../../src/persist/contexts.js";
import { LineReader } from "../../src/persist/lines.js";
import { Replay } from "../../src/persist/replay.js";

export function textOf(engine: AnyEngine): string {
  return [...exportEngine(engine)].join("");
}

/** Replays an export and the logs after it. */
export function replayTexts(...texts: readonly string[]): {
  readonly replay: Replay;
  readonly replayed: ReturnType<Replay["end"]>;
} {
  const replay = new Replay();
  for (const text of texts) {
    const reader = new LineReader(replay.take);
    reader.write(text);
    reader.end(() => {});
  }
  return { replay, replayed: replay.end() };
}

export function openTexts(...texts: readonly string[]): AnyEngine {
  return new Engine(openReplayed(replayTexts(...texts).replayed));
}
