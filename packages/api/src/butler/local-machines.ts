import type { ButlerConfig } from "./butler-config.ts";
import type { ProviderConfig } from "./provider-config.ts";
import { namespaces } from "./well-known.ts";

/**
 * Why an image may not be used for machines that are pods of the management cluster; undefined when it may, or when none
 * is set. Such a pod is close to root on its node, so only the platform chooses its image, by digest. The default image
 * of a Kubernetes version is part of Butler and is not set here.
 */
export function machineImageFault(image: string | undefined, config: ButlerConfig | undefined): string | undefined {
  if (image === undefined || image === "") return undefined;
  const allowed = config?.spec.localMachines?.allowedImages ?? [];
  if (allowed.includes(image)) return undefined;
  const remedy = "omit the image, or ask a platform administrator to add it there with its digest";
  return `image ${image} is not in spec.localMachines.allowedImages of the ButlerConfig; ${remedy}`;
}

/** The parts of a ProviderConfig, or of a form for one, that decide who can use it. */
interface ProviderScope {
  readonly metadata: { readonly namespace?: string | undefined };
  readonly spec: { readonly provider: string; readonly scope?: { readonly type?: string | undefined } | undefined };
}

/**
 * Why a ProviderConfig may not offer machines that are pods of the management cluster; undefined when it may. Only the
 * platform offers them, to all teams: a team could otherwise run its own choice of pods there.
 */
export function localScopeFault({ metadata, spec }: ProviderScope): string | undefined {
  if (spec.provider !== "local") return undefined;
  const isOfPlatform = metadata.namespace === namespaces.system && spec.scope?.type !== "team";
  if (isOfPlatform) return undefined;
  return (
    `provider local is available only to ProviderConfigs in ${namespaces.system} with scope type platform: its machines ` +
    "are pods of the management cluster; choose another provider, or ask a platform administrator to create the ProviderConfig"
  );
}

/** Why new clusters may not use a ProviderConfig: it must not offer local machines, or not with its image. */
export function localProviderFault(
  provider: ProviderConfig,
  config: ButlerConfig | undefined,
): { readonly reason: "LocalNotAllowed" | "ImageNotAllowed"; readonly message: string } | undefined {
  const scope = localScopeFault(provider);
  if (scope !== undefined) return { reason: "LocalNotAllowed", message: scope };
  if (provider.spec.provider !== "local") return undefined;
  const image = machineImageFault(provider.spec.local?.kindNodeImage, config);
  return image === undefined ? undefined : { reason: "ImageNotAllowed", message: image };
}
