import { Dialog } from "radix-ui";
import { type KeyboardEvent, useId, useState } from "react";
import { matchEntries, type PaletteEntry } from "./match.ts";

/** Props of the command palette. */
export interface CommandPaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly entries: readonly PaletteEntry[];
}

/** Searchable list of places, objects and actions. */
export function CommandPalette({ isOpen, onClose, entries }: CommandPaletteProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(isWanted) => !isWanted && onClose()}>
      <Dialog.Portal>
        <div className="b-backdrop" aria-hidden="true" />
        <Dialog.Content className="b-palette" aria-describedby={undefined}>
          <Dialog.Title className="b-unseen">Command palette</Dialog.Title>
          <Finder entries={entries} onClose={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Finder({ entries, onClose }: Pick<CommandPaletteProps, "entries" | "onClose">) {
  const id = useId();
  const [written, setWritten] = useState("");
  const [active, setActive] = useState(0);
  const found = matchEntries(entries, written);
  const choose = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    entry.onSelect();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setActive((active + step + found.length) % found.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(found[active]);
    }
  };
  return (
    <>
      <input
        className="b-palette-input"
        role="combobox"
        aria-label="Command palette"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${active}`}
        placeholder="Go to a page or run an action…"
        autoFocus
        value={written}
        onChange={(event) => {
          setWritten(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="b-palette-list" id={`${id}-list`} role="listbox" aria-label="Results">
        {found.map((entry, index) => (
          <div
            key={entry.id}
            id={`${id}-${index}`}
            className="b-palette-option"
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            onClick={() => choose(entry)}
            onPointerMove={() => setActive(index)}
            ref={(element) => (index === active ? element?.scrollIntoView?.({ block: "nearest" }) : undefined)}
          >
            <span className="b-soft">{entry.group}</span>
            <span>{entry.label}</span>
            {entry.keys !== undefined && <kbd className="b-key">{entry.keys}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="b-state b-soft">No matches.</p>}
    </>
  );
}
