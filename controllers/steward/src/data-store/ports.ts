import type { KubeClient } from "@butler/kube";
import { type Clock, systemClock } from "@butler/std";
import type { DataStorePorts } from "./controller.ts";
import { createCertificateRenewal } from "./renew-certificate.ts";
import { createStoreChecks } from "./store-check.ts";
import type { StoreConnections } from "./store-connection.ts";

/** The ports as they are in production. The connections are shared with all users of stores. */
export function createDataStorePorts(
  client: KubeClient,
  connections: StoreConnections,
  clock: Clock = systemClock,
): DataStorePorts {
  return {
    connections,
    checks: createStoreChecks({ connections, clock }),
    renewCertificate: createCertificateRenewal(client, () => clock.now()),
  };
}
