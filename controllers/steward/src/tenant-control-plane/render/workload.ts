import type { TenantControlPlane } from "@butler/api";
import { apiVersionOf, type DynamicObject } from "@butler/resource";
import { Deployment, NetworkPolicy, PodDisruptionBudget } from "../kinds.ts";
import { nameLabel, partMetadata } from "../names.ts";
import { buildPodTemplate, type PodTemplateInput } from "./pod-template.ts";

/** The label selector of a control plane's pods as text, for autoscalers. */
export function podSelectorText(controlPlane: string): string {
  return `${nameLabel}=${controlPlane}`;
}

/** The Deployment of a control plane. */
export function buildDeployment(input: PodTemplateInput): DynamicObject {
  const { metadata, spec } = input.tcp;
  const { replicas, strategy, additionalMetadata } = spec.controlPlane.deployment;
  const own = partMetadata(metadata, { component: "deployment" });
  const annotations = additionalMetadata?.annotations;
  return {
    apiVersion: apiVersionOf(Deployment),
    kind: Deployment.kind,
    metadata: {
      ...own,
      labels: { ...additionalMetadata?.labels, ...own.labels },
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: {
      replicas,
      revisionHistoryLimit: 2,
      selector: { matchLabels: { [nameLabel]: metadata.name } },
      strategy,
      template: buildPodTemplate(input),
    },
  };
}

/** Keeps a node drain from evicting all replicas at once. An unready one may always be evicted. */
export function buildDisruptionBudget({ metadata }: TenantControlPlane): DynamicObject {
  return {
    apiVersion: apiVersionOf(PodDisruptionBudget),
    kind: PodDisruptionBudget.kind,
    metadata: partMetadata(metadata, { component: "pod-disruption-budget" }),
    spec: {
      maxUnavailable: 1,
      selector: { matchLabels: { [nameLabel]: metadata.name } },
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    },
  };
}

/**
 * Ingress to the pods: all clients to the API server and to ports that the user added, nothing else. Egress is
 * unrestricted: webhooks, kubelets and token issuers may be anywhere.
 */
export function buildNetworkPolicy({ metadata, spec }: TenantControlPlane): DynamicObject {
  const own = { protocol: "TCP", port: spec.networkProfile.port };
  const added = (spec.controlPlane.service.additionalPorts ?? []).map(({ protocol, targetPort }) => ({
    protocol,
    port: targetPort,
  }));
  return {
    apiVersion: apiVersionOf(NetworkPolicy),
    kind: NetworkPolicy.kind,
    metadata: partMetadata(metadata, { component: "network-policy" }),
    spec: {
      podSelector: { matchLabels: { [nameLabel]: metadata.name } },
      policyTypes: ["Ingress"],
      ingress: [{ ports: [own, ...added] }],
    },
  };
}
