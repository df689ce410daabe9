import { recencyColumn } from "../../../parts/columns.tsx";

interface Aged {
  readonly metadata: { readonly creationTimestamp?: string | undefined };
}

/** Age of a Kubernetes object. */
export const ageColumn = recencyColumn<Aged>(
  { id: "age", header: "Age", width: "84px" },
  ({ metadata }) => metadata.creationTimestamp,
);
