import type { TenantControlPlane } from "@butler/api";

type Probes = NonNullable<TenantControlPlane["spec"]["controlPlane"]["deployment"]["probes"]>;

export interface ProbeTarget {
  readonly path: string;
  readonly port: number;
}

/**
 * A starting program is probed every second, so that its readiness is noticed at once, and for three minutes, because
 * ten concurrent starts on a small machine need that long and a restart would only start over. A running one is
 * restarted late: a restart would add load to a busy machine.
 */
const timing = {
  startup: { periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 180 },
  readiness: { periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 3 },
  liveness: { periodSeconds: 10, timeoutSeconds: 15, failureThreshold: 8 },
} as const;

/** A probe over TLS, with the user's timing. */
export function buildProbe(
  which: keyof typeof timing,
  { path, port }: ProbeTarget,
  probes: Probes | undefined,
): Record<string, unknown> {
  return { httpGet: { scheme: "HTTPS", path, port }, ...timing[which], ...probes?.[which] };
}
