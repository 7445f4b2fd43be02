import type { VNode } from "preact";
import type { ServiceError } from "../state/api.js";
import {
  type BoosterDraft,
  type BoosterKind,
  columnsFor,
  draftBooster,
  KIND_LABELS,
  SETTINGS,
} from "../state/boosters.js";
import type { Leaf } from "../state/columns.js";
import { describeError } from "../state/load.js";
import { CloseButton } from "./close-button.jsx";
import { Choice, TextField } from "./field.jsx";

const KINDS = Object.keys(KIND_LABELS) as BoosterKind[];

/** The boosters of a search, one per row. */
export function BoosterRows({
  drafts,
  leaves,
  error,
  onChange,
}: {
  drafts: readonly BoosterDraft[];
  leaves: readonly Leaf[];
  error: ServiceError | undefined;
  onChange: (drafts: readonly BoosterDraft[]) => void;
}): VNode {
  const kinds = KINDS.filter((kind) => columnsFor(kind, leaves).length > 0);
  const [, wrong, , setting] =
    /^\/boosters\/(\d+)(\/[^/]+\/([^/]+))?/.exec(error?.path ?? "") ?? [];
  return (
    <fieldset class="boosters">
      <legend>Boosters</legend>
      {drafts.map((draft, index) => (
        <Row
          key={index}
          draft={draft}
          leaves={leaves}
          kinds={kinds}
          fault={wrong === String(index) ? describeError(error) : undefined}
          wrongSetting={wrong === String(index) ? setting : undefined}
          onChange={(next) => onChange(drafts.with(index, next))}
          onRemove={() => onChange(drafts.toSpliced(index, 1))}
        />
      ))}
      <div class="buttons">
        <button
          type="button"
          class="small"
          onClick={() => onChange([...drafts, draftBooster(kinds[0]!, leaves)])}
        >
          + Booster
        </button>
      </div>
    </fieldset>
  );
}

function Row({
  draft,
  leaves,
  kinds,
  fault,
  wrongSetting,
  onChange,
  onRemove,
}: {
  draft: BoosterDraft;
  leaves: readonly Leaf[];
  kinds: readonly BoosterKind[];
  fault: string | undefined;
  /** Name of the invalid setting. */
  wrongSetting: string | undefined;
  onChange: (draft: BoosterDraft) => void;
  onRemove: () => void;
}): VNode {
  const { kind, texts } = draft;
  const { column = "" } = texts;
  const offered = columnsFor(kind, leaves);
  const put = (name: string) => (text: string) =>
    onChange({ kind, texts: { ...texts, [name]: text } });
  return (
    <div class="booster">
      <Choice
        label="Boost by"
        value={kind}
        options={kinds.map((of) => [of, KIND_LABELS[of]] as const)}
        onChange={(to) => onChange(draftBooster(to as BoosterKind, leaves))}
      />
      <Choice
        label="Column"
        value={column}
        options={offered.includes(column) ? offered : [column, ...offered]}
        isWrong={wrongSetting === "column"}
        onChange={put("column")}
      />
      {Object.entries(SETTINGS[kind]).map(([name, { label, options, placeholder, type }]) => {
        const given = { label, value: texts[name] ?? "", isWrong: wrongSetting === name };
        return options === undefined ? (
          <TextField
            key={name}
            {...given}
            isWide={type === "json"}
            placeholder={placeholder}
            onInput={put(name)}
          />
        ) : (
          <Choice
            key={name}
            {...given}
            options={options.map((option) => [option, option || "none"] as const)}
            onChange={put(name)}
          />
        );
      })}
      <CloseButton
        label="Remove booster"
        onClick={(button) => {
          const rows = button.closest("fieldset");
          rows?.querySelector<HTMLElement>(":scope > .buttons > button")?.focus();
          onRemove();
        }}
      />
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
