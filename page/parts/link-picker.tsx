import type { RefObject, VNode } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isChecked } from "../state/catalog.js";
import { findMatches, type LinkMatch, MAX_MATCHES } from "../state/link-matches.js";
import { titleOf, titleVersion } from "../state/titles.js";
import { Shown } from "./value.jsx";

const WAIT_MS = 100;
const NONE = -1;

/** A combobox for a linked record, searched by name or id. */
export function LinkPicker({
  id,
  label,
  target,
  value,
  isWrong,
  describedBy,
  input,
  placeholder,
  isOffering = false,
  onChange,
  onEnter,
}: {
  id?: string | undefined;
  /** The accessible name, if there is no `label` element. */
  label?: string | undefined;
  /** The linked table. */
  target: string;
  /** The id of a record. */
  value: string;
  isWrong: boolean;
  describedBy?: string | undefined;
  input?: RefObject<(HTMLInputElement & HTMLSelectElement) | null>;
  placeholder?: string | undefined;
  /** The list is open from the start. */
  isOffering?: boolean;
  onChange: (id: string) => void;
  /** Called on Enter with the id of the chosen record, but not with a text that finds none. */
  onEnter?: (id: string) => void;
}): VNode {
  /** The typed text; empty lists all records, undefined closes the list. */
  const [query, setQuery] = useState(isOffering ? "" : undefined);
  const [matches, setMatches] = useState<readonly LinkMatch[] | undefined>(undefined);
  /** Index of the highlighted option; −1 for none. */
  const [active, setActive] = useState(NONE);
  const list = useId();
  const isOpen = query !== undefined && matches !== undefined && matches.length > 0;
  const asked = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (query === undefined) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      findMatches(target, query.trim(), controller.signal)
        .then((found) => {
          asked.current = query;
          setMatches(found);
          setActive(query === "" ? found.findIndex(({ id: known }) => known === value) : 0);
        })
        .catch(() => {});
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query, target]);
  const box = useRef<HTMLDivElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  // In the top layer no panel, dialog or grid cuts the list.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const put = (): void => {
      const element = popup.current!;
      element.togglePopover(true);
      const { left, top, bottom, width } = box.current!.getBoundingClientRect();
      const { offsetHeight, offsetWidth } = element;
      const isBelow = bottom + offsetHeight + 8 < innerHeight || top < offsetHeight + 8;
      element.style.minWidth = `${width}px`;
      element.style.left = `${Math.max(4, Math.min(left, innerWidth - offsetWidth - 4))}px`;
      element.style.top = `${isBelow ? bottom + 4 : top - offsetHeight - 4}px`;
    };
    put();
    addEventListener("scroll", put, true);
    return () => removeEventListener("scroll", put, true);
  }, [isOpen, matches]);
  void titleVersion.value;
  const title = value === "" ? "" : titleOf(target, value);
  const close = (): void => {
    setQuery(undefined);
    setMatches(undefined);
    setActive(NONE);
    asked.current = undefined;
  };
  const choose = ({ id: chosen }: LinkMatch): void => {
    onChange(chosen);
    close();
  };
  const current = async (): Promise<LinkMatch | undefined> => {
    if (asked.current === query) return matches?.[active];
    const text = query?.trim() ?? "";
    return text === "" ? undefined : (await findMatches(target, text))[0];
  };
  const enter = async (): Promise<void> => {
    const match = query === undefined ? undefined : await current();
    if (match === undefined && query?.trim()) return;
    if (match !== undefined) choose(match);
    else close();
    onEnter?.(match?.id ?? value);
  };
  return (
    <div ref={box} class="picker">
      <input
        {...(input && { ref: input })}
        id={id}
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active >= 0 ? `${list}-${active}` : undefined}
        aria-invalid={isWrong}
        aria-describedby={describedBy}
        autocomplete="off"
        placeholder={placeholder ?? `Name or id in ${target}`}
        value={query || title || value}
        onClick={() => setQuery(query ?? "")}
        onMouseDown={(event) => {
          // Select the whole name: an edited title matches no record.
          const field = event.currentTarget;
          if (document.activeElement === field) return;
          event.preventDefault();
          field.focus();
          field.select();
        }}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          onChange(event.currentTarget.value.trim());
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            if (!isOpen) setQuery("");
            else {
              const isDown = event.key === "ArrowDown";
              const next = isDown ? active + 1 : Math.max(active, 0) - 1;
              setActive((next + matches.length) % matches.length);
            }
          } else if (event.key === "Escape" && isOpen) {
            event.stopPropagation();
            event.preventDefault();
            close();
          } else if (event.key === "Enter" && (query !== undefined || onEnter)) {
            event.preventDefault();
            event.stopPropagation();
            void enter();
          }
        }}
        onBlur={() => {
          // A typed name stands for the highlighted record.
          const match = isOpen && query.trim() !== "" ? matches[active] : undefined;
          if (match !== undefined) choose(match);
          else close();
        }}
      />
      {!query && title ? (
        <span class="picker-id faint">
          <Shown text={value} />
        </span>
      ) : null}
      {isOpen && (
        <div ref={popup} popover="manual" class="options">
          <div id={list} role="listbox" aria-label={`Records of ${target}`}>
            {matches.map((match, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
              <div
                key={match.id}
                id={`${list}-${index}`}
                role="option"
                aria-selected={index === active}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(match)}
              >
                <Shown text={match.title || match.id} />
                {match.title !== "" && <span class="type">{match.id}</span>}
              </div>
            ))}
          </div>
          {matches.length >= MAX_MATCHES && <p class="hint">There may be more: type to search</p>}
        </div>
      )}
    </div>
  );
}

/** A warning about a link to a missing record. */
export function DeadLink({
  target,
  id,
  onSave,
}: {
  target: string;
  id: string;
  onSave?: () => void;
}): VNode | null {
  void titleVersion.value;
  if (id === "" || titleOf(target, id) !== null) return null;
  return (
    <p class="warning" role="status">
      No record “<Shown text={id} />” in {target}:{" "}
      {isChecked.value ? "a link must name one. " : "this link would lead nowhere. "}
      {onSave && !isChecked.value && (
        <button type="button" class="small" onClick={onSave}>
          Save anyway
        </button>
      )}
    </p>
  );
}
