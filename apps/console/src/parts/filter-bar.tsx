import { type ReactNode, useEffect, useState } from "react";

/** One word that a list can be narrowed by, and how many rows have it. */
export interface FilterChip {
  readonly value: string;
  readonly label: string;
  readonly count?: number;
}

/** What a list is narrowed by, how much of it is shown, and what can be done with it. */
export interface FilterBarProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly text: string | undefined;
  readonly onText: (text: string | undefined) => void;
  readonly chips?: readonly FilterChip[];
  readonly chosen?: string | undefined;
  readonly onChoose?: (value: string | undefined) => void;
  /** Such as `3 of 20`. */
  readonly count: string;
  readonly actions?: ReactNode;
}

/** The line above a list: a field that narrows it while somebody writes (`/` leads to it), words to choose, the count. */
export function FilterBar({ label, placeholder = label, text = "", onText, count, actions, ...rest }: FilterBarProps) {
  const { chips = [], chosen, onChoose } = rest;
  const [written, setWritten] = useState(text);
  useEffect(() => setWritten(text), [text]);
  return (
    <div className="b-toolbar" role="search">
      <input
        className="b-input c-filter"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        data-filter
        value={written}
        onChange={({ target: { value } }) => {
          setWritten(value);
          onText(value === "" ? undefined : value);
        }}
      />
      {chips.length > 0 && (
        <div className="b-toolbar-chips">
          {chips.map(({ value, label: word, count: times }) => (
            <button
              key={value}
              type="button"
              className="b-chip"
              aria-pressed={chosen === value}
              onClick={() => onChoose?.(chosen === value ? undefined : value)}
            >
              {word} {times !== undefined && <span className="b-numbers b-soft">{times}</span>}
            </button>
          ))}
        </div>
      )}
      <ToolbarEnd count={count} actions={actions} />
    </div>
  );
}

/** How many there are, and what can be done: the end of the line above a list. */
export function ToolbarEnd({ count, actions }: Pick<FilterBarProps, "count" | "actions">) {
  return (
    <div className="b-toolbar-end">
      <p className="b-soft b-numbers" role="status">
        {count}
      </p>
      {actions}
    </div>
  );
}
