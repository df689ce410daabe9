import { parseKubernetesVersion, type TenantControlPlane } from "@butler/api";
import type { DynamicObject } from "@butler/resource";
import { partMetadata } from "../names.ts";
import { authenticationConfigName, authenticationFile } from "./files.ts";
import { flagName } from "./flags.ts";

/** Since this minor version anonymous access can be limited to paths by default (KEP-4633). */
const firstMinorWithPaths = 32;
/** Since this minor version the configuration API is v1. */
const firstMinorWithFinalVersion = 34;

/**
 * What anonymous clients may request: the health of the API server, as kubelet probes and load balancers do, and what a
 * node needs to know before it can join. What they may see still depends on the roles in the tenant.
 */
const pathsForStrangers = [
  "/healthz",
  "/livez",
  "/readyz",
  "/api/v1/namespaces/kube-public/configmaps/cluster-info",
] as const;

/**
 * Whether Steward configures anonymous authentication. Older API servers do not support it, and one whose user sets
 * authentication flags rejects a second configuration.
 */
export function hasAuthenticationConfiguration({ spec }: TenantControlPlane): boolean {
  const { minor = 0 } = parseKubernetesVersion(spec.kubernetes.version) ?? {};
  const given = (spec.controlPlane.deployment.extraArgs?.apiServer ?? []).map(flagName);
  const isTaken = given.some((name) => name === "authentication-config" || name?.startsWith("oidc-") === true);
  return minor >= firstMinorWithPaths && !isTaken;
}

/** The ConfigMap with the API server's AuthenticationConfiguration. */
export function buildAuthenticationConfiguration({ metadata, spec }: TenantControlPlane): DynamicObject {
  const { minor = 0 } = parseKubernetesVersion(spec.kubernetes.version) ?? {};
  const version = minor >= firstMinorWithFinalVersion ? "v1" : "v1beta1";
  const configuration = {
    apiVersion: `apiserver.config.k8s.io/${version}`,
    kind: "AuthenticationConfiguration",
    anonymous: { enabled: true, conditions: pathsForStrangers.map((path) => ({ path })) },
  };
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      ...partMetadata(metadata, { component: "authentication-configuration" }),
      name: authenticationConfigName(metadata.name),
    },
    // JSON is YAML too.
    data: { [authenticationFile]: `${JSON.stringify(configuration, null, 2)}\n` },
  };
}
