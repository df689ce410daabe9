import type { TenantControlPlane } from "@butler/api";

type Probes = NonNullable<TenantControlPlane["spec"]["controlPlane"]["deployment"]["probes"]>;

export interface ProbeTarget {
  readonly path: string;
  readonly port: number;
}

/**
 * A program that starts is asked every second, so that no time is lost once it is up, and for three minutes, because ten
 * that start at once on a small machine need that long and a restart would only begin anew. One that runs is restarted
 * late: a busy machine is no reason to make it busier.
 */
const timing = {
  startup: { periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 180 },
  readiness: { periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 3 },
  liveness: { periodSeconds: 10, timeoutSeconds: 15, failureThreshold: 8 },
} as const;

/** A probe over TLS, as the user times it. */
export function buildProbe(
  which: keyof typeof timing,
  { path, port }: ProbeTarget,
  probes: Probes | undefined,
): Record<string, unknown> {
  return { httpGet: { scheme: "HTTPS", path, port }, ...timing[which], ...probes?.[which] };
}
