import type { TenantControlPlane } from "@butler/api";

/** Warnings about fields that are accepted but have no effect in this release. */
export function warningsOf({ spec }: TenantControlPlane): string[] {
  const { konnectivity, tcpProxy, workerBootstrap } = spec.addons ?? {};
  const isLimited = Object.values(spec.writePermissions ?? {}).includes(true);
  const ineffective = [
    ["spec.addons.konnectivity", konnectivity !== undefined],
    ["spec.addons.tcpProxy", tcpProxy !== undefined],
    ["spec.addons.workerBootstrap.talos", workerBootstrap?.talos !== undefined],
    ["spec.writePermissions", isLimited],
    ["spec.dataStoreOverrides", (spec.dataStoreOverrides ?? []).length > 0],
  ] as const;
  return ineffective.filter(([, isSet]) => isSet).map(([path]) => `${path} has no effect yet`);
}
