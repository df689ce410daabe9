import { Button, type Column, Moment } from "@butler/ui";

/** What is known of every way in which one is signed in, by browser or command line. */
interface SignIn {
  readonly id: string;
  readonly sourceAddress: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

interface Ways<T> {
  readonly usedAt: (row: T) => string | undefined;
  /** What the button that ends it is called for those who do not see; undefined for one that cannot be ended here. */
  readonly endLabel: (row: T) => string | undefined;
  readonly onEnd: (id: string) => void;
}

/** From where and how long one is signed in, and the way to end it. */
export function signInColumns<T extends SignIn>({ usedAt, endLabel, onEnd }: Ways<T>): readonly Column<T>[] {
  return [
    {
      id: "address",
      header: "From",
      cell: ({ sourceAddress }) => <span className="b-mono">{sourceAddress}</span>,
    },
    { id: "begun", header: "Since", width: "84px", align: "end", cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      id: "used",
      header: "Last used",
      width: "84px",
      align: "end",
      isNarrow: true,
      cell: (row) => <Moment at={usedAt(row)} />,
    },
    {
      id: "ends",
      header: "Ends",
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
