import { Button, type Column } from "@butler/ui";
import { momentColumn } from "../../parts/columns.tsx";

/** Fields shared by browser and CLI sessions. */
interface SignIn {
  readonly id: string;
  readonly sourceAddress: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

interface Ways<T> {
  readonly usedAt: (row: T) => string | undefined;
  /** Accessible name of the button that ends the session; undefined if it cannot be ended here. */
  readonly endLabel: (row: T) => string | undefined;
  readonly onEnd: (id: string) => void;
}

/** Columns for the source, the age and the end of a session. */
export function signInColumns<T extends SignIn>({ usedAt, endLabel, onEnd }: Ways<T>): readonly Column<T>[] {
  return [
    {
      id: "address",
      header: "IP address",
      cell: ({ sourceAddress }) => <span className="b-mono">{sourceAddress}</span>,
    },
    momentColumn({ id: "begun", header: "Age", width: "84px" }, ({ createdAt }) => createdAt),
    momentColumn({ id: "used", header: "Last used", width: "84px", isNarrow: true }, usedAt),
    {
      id: "ends",
      header: "Expires",
      width: "112px",
      align: "end",
      cell: ({ expiresAt }) => <time dateTime={expiresAt}>{new Date(expiresAt).toLocaleDateString()}</time>,
    },
    {
      id: "end",
      header: "",
      width: "72px",
      align: "end",
      isButton: true,
      isNarrow: true,
      cell: (row) => {
        const label = endLabel(row);
        return (
          label !== undefined && (
            <Button aria-label={label} onClick={() => onEnd(row.id)}>
              End
            </Button>
          )
        );
      },
    },
  ];
}
