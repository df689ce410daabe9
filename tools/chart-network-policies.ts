import { isRecord } from "@butler/std";
import type { KubeObject } from "@butler/resource";
import { type ChartPart, deploymentsByRole, markedObjects, type RoleDeploymentObject } from "./chart-objects.ts";
import { Choice, Filled, Nested } from "./chart-template.ts";
import { isOptional, valueNameOf } from "./chart-values.ts";

const isEnabled = ".Values.networkPolicies.enabled";
const egress = ".Values.networkPolicies.egress";

/**
 * One NetworkPolicy for each role's pods: ingress is allowed on the role's ports only. Sources are not restricted,
 * because the API server, the kubelet and load balancers are not pods. Other pods of the namespace, such as those of a
 * DataStore, have their own.
 */
export function networkPolicies(): ChartPart {
  const objects = markedObjects();
  return [...deploymentsByRole(objects)].map(([role, deployment]) => {
    const condition = isOptional(role) ? `and ${isEnabled} .Values.${valueNameOf(role)}.enabled` : isEnabled;
    const { name, labels } = deployment.metadata;
    return new Choice(condition, {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name, namespace: new Filled(".Release.Namespace | quote"), labels },
      spec: {
        podSelector: { matchLabels: deployment.spec.selector.matchLabels },
        policyTypes: ["Ingress", new Choice(egress, ["Egress"])],
        ingress: [{ ports: portsOf(deployment, objects).map((port) => ({ protocol: "TCP", port })) }],
        egress: new Choice(egress, new Nested(egress)),
      },
    });
  });
}

/** The ports of the container itself, and those that Services target by number. */
function portsOf({ metadata, spec }: RoleDeploymentObject, objects: readonly KubeObject[]): number[] {
  const own = spec.template.spec.containers[0].ports.map(({ containerPort }) => containerPort);
  const led = objects
    .filter(({ kind, metadata: { name } }) => kind === "Service" && name === metadata.name)
    .flatMap((service) => targetPorts(service));
  return [...new Set([...own, ...led])].sort((left, right) => left - right);
}

function targetPorts(service: KubeObject): number[] {
  const spec: unknown = Reflect.get(service, "spec");
  const ports: unknown = isRecord(spec) ? spec["ports"] : [];
  const targets = (Array.isArray(ports) ? ports : []).map((port: unknown) => (isRecord(port) ? port["targetPort"] : 0));
  return targets.filter((target) => typeof target === "number");
}
