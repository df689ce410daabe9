import "./record-search.css";
import { Button } from "@butler/ui";
import type { FormEvent, ReactNode } from "react";

/** The form that records are searched with. */
export interface RecordSearchProps {
  readonly label: string;
  /** The field for words, which is always in sight. */
  readonly words: ReactNode;
  /** How many of the other fields are set: a closed form hides none of them. */
  readonly narrowed: number;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly onClear: () => void;
  /** The other fields. */
  readonly children: ReactNode;
}

/** Words and a button; everything else that records can be searched by is one click away, and open once it is used. */
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
            Show everything
          </Button>
        )}
      </div>
      <details open={narrowed > 0}>
        <summary>Who, what, when{narrowed > 0 && ` (${narrowed})`}</summary>
        <div className="c-records-fields">{children}</div>
      </details>
    </form>
  );
}
