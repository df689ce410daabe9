import type { ContainerShape, PodSpec } from "../kinds.ts";
import { hasAuthenticationConfiguration } from "../render/authentication-configuration.ts";
import { buildDeployment } from "../render/workload.ts";
import { aControlPlane, type ControlPlaneTraits } from "./objects.ts";

/** The Deployment of a control plane, and the parts that tests check. */
export function deploymentOf(traits: ControlPlaneTraits = {}) {
  const tcp = aControlPlane(traits);
  const store = { endpoints: ["10.0.0.9:2379", "10.0.0.10:2379"], prefix: "/butler/1/" };
  const hasAuthentication = hasAuthenticationConfiguration(tcp);
  const input = { tcp, advertiseAddress: "203.0.113.9", store, hasAuthentication, checksums: { ca: "1" } };
  const deployment = buildDeployment(input);
  const spec = deployment["spec"] as {
    replicas: number;
    selector: { matchLabels: Record<string, string> };
    strategy: object;
    template: { metadata: { labels: Record<string, string>; annotations: Record<string, string> }; spec: PodSpec };
  };
  const { template } = spec;
  const all = [...(template.spec.initContainers ?? []), ...template.spec.containers];
  const container = (name: string): ContainerShape => {
    const found = all.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`there is no container ${name}`);
    return found;
  };
  return { tcp, deployment, spec, template, all, container };
}
