import { someDefinition } from "@butler/addons/testing";
import { type AddonDefinition, TenantAddon } from "@butler/api";
import { parseObject } from "@butler/resource";

/** The catalog of these tests. */
export const catalog: readonly AddonDefinition[] = [
  someDefinition("cilium"),
  someDefinition("metallb", { dependsOn: ["cilium"] }),
  someDefinition("longhorn"),
  someDefinition("cert-manager"),
  someDefinition("traefik", { dependsOn: ["metallb"], conflictsWith: ["ingress-nginx"] }),
  someDefinition("ingress-nginx"),
  someDefinition("velero"),
];

/** An add-on of the cluster shop in a phase; an Installed one is also Ready. */
export function anAddon(name: string, phase?: string, more: { spec?: object; metadata?: object } = {}): TenantAddon {
  const isReady = phase === "Installed";
  const wasInstalled = isReady || phase === "Degraded" || phase === "Upgrading" || phase === "RollingBack";
  const said = { reason: phase ?? "Pending", message: "as it is", lastTransitionTime: "2026-03-01T12:00:00Z" };
  return parseObject(TenantAddon, {
    apiVersion: TenantAddon.apiVersion,
    kind: TenantAddon.kind,
    metadata: { name, namespace: "payments", generation: 1, ...more.metadata },
    spec: { clusterRef: { name: "shop" }, addon: name.replace(/^shop-/, ""), ...more.spec },
    ...(phase === undefined
      ? {}
      : {
          status: {
            phase,
            observedGeneration: 1,
            message: `${phase} it is`,
            conditions: [{ type: "Ready", status: isReady ? "True" : "False", ...said }],
            ...(wasInstalled ? { installedVersion: "1.0.0" } : {}),
          },
        }),
  });
}
