import { annotations, labels } from "@butler/api";

/** The merge patch that moves a cluster; null removes a field. */
export type EnvironmentMove = {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string | null>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
};

/** The patch that moves a cluster to another environment of its team, or out of all when there is none. */
export function environmentMove(environment: string | undefined): EnvironmentMove {
  return {
    metadata: {
      labels: { [labels.environment]: environment ?? null },
      annotations: { [annotations.migrationOperation]: "true" },
    },
  };
}
