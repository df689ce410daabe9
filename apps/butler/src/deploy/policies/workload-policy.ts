import { terminalNamespace } from "@butler/server";
import { isComponent, isOfButler } from "./identities.ts";
import { listOf, type PolicyInput } from "./policy.ts";

/** No access to the node: as the Pod Security Standard `baseline`, in every namespace. */
const hostFields = ["hostNetwork", "hostPID", "hostIPC"];
const addedCapabilities = "c.?securityContext.?capabilities.?add.orValue([])";

/**
 * What the pods of tenants may be, whatever a compromised component asks for: they have no token of this cluster, and
 * except for the machines of the local provider no access to their node.
 */
export function workloadPolicy(namespace: string): PolicyInput {
  const isServer = isComponent(namespace, "server");
  const isLocalProvider = isComponent(namespace, "local-provider");
  const operations = ["CREATE", "UPDATE"] as const;
  return {
    name: "workloads",
    rules: [
      { groups: [""], resources: ["pods", "replicationcontrollers"], operations },
      { groups: ["apps"], resources: ["daemonsets", "deployments", "replicasets", "statefulsets"], operations },
      { groups: ["batch"], resources: ["cronjobs", "jobs"], operations },
    ],
    when: { "user-of-butler": isOfButler(namespace) },
    variables: {
      spec: "request.resource.resource == 'pods' ? object.spec : object.spec.template.spec",
      containers: "variables.spec.containers + variables.spec.?initContainers.orValue([])",
      volumes: "variables.spec.?volumes.orValue([])",
    },
    validations: [
      {
        expression: `${isServer} ? request.namespace == '${terminalNamespace}' : request.namespace != '${terminalNamespace}'`,
        message:
          "Butler's server may only create terminal pods, and only the server may create pods in their namespace.",
      },
      {
        expression: `!(${isLocalProvider}) || request.namespace != '${namespace}'`,
        message: "The local provider must not create pods in Butler's own namespace.",
      },
      {
        expression:
          "request.resource.resource in ['pods', 'deployments', 'statefulsets'] && " +
          "variables.spec.?automountServiceAccountToken.orValue(true) == false && " +
          "variables.volumes.all(v, !has(v.projected) || " +
          "v.projected.?sources.orValue([]).all(s, !has(s.serviceAccountToken)))",
        message: "Pods that Butler runs for tenants must not have a token of the management cluster.",
      },
      {
        expression:
          hostFields.map((field) => `!variables.spec.?${field}.orValue(false)`).join(" && ") +
          " && variables.volumes.all(v, !has(v.hostPath)) && variables.containers.all(c, " +
          "c.?ports.orValue([]).all(p, p.?hostPort.orValue(0) == 0))",
        message:
          "Pods that Butler runs for tenants must not use directories, processes, ports or networks of their node.",
      },
      {
        expression:
          `${isLocalProvider} || variables.containers.all(c, !c.?securityContext.?privileged.orValue(false) && ` +
          `${addedCapabilities}.all(a, a in ${listOf(["NET_BIND_SERVICE"])}) && ` +
          "c.?securityContext.?procMount.orValue('Default') == 'Default')",
        message:
          "Only the local provider may create pods that are privileged, add capabilities other than NET_BIND_SERVICE, or set procMount.",
      },
    ],
  };
}
