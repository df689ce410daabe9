import "./record-search.css";
import { Button } from "@butler/ui";
import type { FormEvent, ReactNode } from "react";

/** Props of the record search form. */
export interface RecordSearchProps {
  readonly label: string;
  /** The keyword field, always visible. */
  readonly words: ReactNode;
  /** Number of other fields that are set, shown while the form is collapsed. */
  readonly narrowed: number;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly onClear: () => void;
  /** The other fields. */
  readonly children: ReactNode;
}

/** Keyword field and button. The other filters are collapsed until one is set. */
export function RecordSearch({ label, words, narrowed, onSubmit, onClear, children }: RecordSearchProps) {
  return (
    <form className="c-records" role="search" aria-label={label} onSubmit={onSubmit}>
      <div className="c-records-first">
        {words}
        <Button type="submit" kind="primary">
          Search
        </Button>
        {narrowed > 0 && (
          <Button kind="quiet" onClick={onClear}>
            Clear filters
          </Button>
        )}
      </div>
      <details open={narrowed > 0}>
        <summary>Filters{narrowed > 0 && ` (${narrowed})`}</summary>
        <div className="c-records-fields">{children}</div>
      </details>
    </form>
  );
}
