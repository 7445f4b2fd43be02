import type { VNode } from "preact";
import { draftIds, draftKey, setDraft } from "../state/drafts.js";
import { titleOf, titleVersion } from "../state/titles.js";
import { Shown } from "./value.jsx";

/** Offers to continue unsaved edits. */
export function DraftsBar({
  address,
  edited,
  onOpen,
}: {
  /** Address of the table. */
  address: readonly string[];
  /** Ids of open records, whose drafts are not offered; empty for a new one. */
  edited: readonly (string | undefined)[];
  onOpen: (id: string) => void;
}): VNode | null {
  void titleVersion.value;
  const id = draftIds(address).find((other) => !edited.includes(other));
  if (id === undefined) return null;
  const name = id === "" ? "a new record" : titleOf(address[3] ?? "", id) || id;
  return (
    <div class="drafts" role="status">
      <span>
        Unsaved edits of <Shown text={name} />
      </span>
      <button type="button" class="small" onClick={() => onOpen(id)}>
        Continue editing
      </button>
      <button
        type="button"
        class="small quiet"
        onClick={() => setDraft(draftKey(address, id), undefined)}
      >
        Discard
      </button>
    </div>
  );
}
