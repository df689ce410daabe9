import { type Column, Moment } from "@butler/ui";

/** Age of a Kubernetes object. */
export const ageColumn: Column<{ readonly metadata: { readonly creationTimestamp?: string | undefined } }> = {
  id: "age",
  header: "Age",
  width: "84px",
  align: "end",
  sortBy: ({ metadata }) => -Date.parse(metadata.creationTimestamp ?? ""),
  cell: ({ metadata }) => <Moment at={metadata.creationTimestamp} />,
};
