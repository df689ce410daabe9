import type { SupervisorClient } from "../supervisor/supervisor-client.ts";
import { type EngineKeysInput, type ReplacedCertificate, writeKeys } from "./engine-keys.ts";

/**
 * Which program presents which certificate as a client. Kubernetes' clients reload the file at every connection, and
 * every five minutes they close connections that were opened with another one. Servers reload their certificates on
 * their own (etcd at every connection, the others when the file changes), so those are not listed.
 */
const presentedBy: Readonly<Record<string, string>> = {
  "apiserver-kubelet-client": "kube-apiserver",
  "kube-controller-manager": "kube-controller-manager",
  "kube-scheduler": "kube-scheduler",
  kubelet: "kubelet",
  "kube-proxy": "kube-proxy",
};

/** Butler's own program reads its kubeconfig only once. */
const unnoticedBy: Readonly<Record<string, string>> = { admin: "butler-local-node" };

const noticedWithinMs = 6 * 60_000;
const longestIntervalMs = 10 * 60_000;
const shortestIntervalMs = 1_000;

/** The services that would present an expired certificate, and therefore need a restart. */
export function planRestarts(replaced: readonly ReplacedCertificate[], now: Date): string[] {
  const tooLate = replaced.filter(({ formerEnd }) => formerEnd.getTime() - now.getTime() < noticedWithinMs);
  return [...tooLate.map(({ name }) => presentedBy[name]), ...replaced.map(({ name }) => unnoticedBy[name])].filter(
    (service) => service !== undefined,
  );
}

/** The interval of checks: at least a dozen in the third of the lifetime in which a certificate is due. */
export function renewalIntervalMs(lifetimeMs = Infinity): number {
  return Math.round(Math.min(longestIntervalMs, Math.max(shortestIntervalMs, lifetimeMs / 36)));
}

/** Renews the certificates of a running engine that are due, and restarts services only if required. */
export async function renewCertificates(input: EngineKeysInput, supervisor: SupervisorClient): Promise<void> {
  const restarts = planRestarts(await writeKeys(input), new Date());
  if (restarts.length === 0) return;
  const { services } = await supervisor.status();
  for (const { name } of services) if (restarts.includes(name)) await supervisor.restart(name);
}
