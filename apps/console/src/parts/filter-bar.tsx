import { type ReactNode, useEffect, useState } from "react";

/** A filter chip and the number of matching rows. */
export interface FilterChip {
  readonly value: string;
  readonly label: string;
  readonly count?: number;
}

/** Props of the filter bar. */
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

/** The bar above a list: a text filter (`/` focuses it), filter chips and the count. */
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

/** Count and actions at the end of the bar above a list. */
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
