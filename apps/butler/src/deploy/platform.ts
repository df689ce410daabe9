import { rbacRules } from "@butler/controller";
import { localProviderClusterApiAccess, localProviderControllers } from "@butler/provider-local";
import type { DynamicObject, KubeObject } from "@butler/resource";
import {
  clusterApiAccess,
  dataStoreController,
  optionalExposureKinds,
  sniGatewayManifests,
  stewardControlPlaneController,
  tenantControlPlaneController,
} from "@butler/steward";
import { admissionServiceObject } from "../admission/manifests.ts";
import { roleManifests, type RoleResources, selectorOf } from "./manifests.ts";

/** What is installed, and where. */
export interface PlatformInput {
  /** Butler's own image, with its tag. */
  readonly image: string;
  readonly namespace?: string;
  /** How many processes of each role there are; one of them works, the others wait. */
  readonly replicas?: number;
  /** Whether machines may be pods: for laptops, tests and trusted tenants. */
  readonly hasLocalProvider?: boolean;
}

/** Where Butler's own processes are when nobody says otherwise. */
export const platformNamespace = "butler-system";

/** Every object of an installation but CRDs and the default DataStore, in the order in which they are applied. */
export function platformManifests(input: PlatformInput): KubeObject[] {
  const { image, namespace = platformNamespace, replicas = 1, hasLocalProvider = false } = input;
  return [
    namespaceObject(namespace),
    ...clusterApiAccess,
    ...stewardObjects({ image, namespace, replicas }),
    ...sniGatewayManifests({ image, namespace, replicas }),
    ...(hasLocalProvider ? localProviderObjects({ image, namespace, replicas }) : []),
  ];
}

/**
 * Control planes that start take all of the processor that there is, in shares as they were asked for. With a smaller one
 * Steward does not get to answer the API server about the next of them in time, nor its own probes.
 */
const stewardResources: RoleResources = {
  requests: { cpu: "100m", memory: "128Mi" },
  limits: { memory: "512Mi" },
};

type Place = Required<Pick<PlatformInput, "image" | "namespace" | "replicas">>;

/** Nothing in it needs more than the strictest of Kubernetes' own rules for pods allow. */
function namespaceObject(name: string): KubeObject {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted", "app.kubernetes.io/managed-by": "butler" };
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } };
}

function stewardObjects({ image, namespace, replicas }: Place): DynamicObject[] {
  const role = "steward";
  const service = { name: `butler-${role}`, namespace };
  const controller = tenantControlPlaneController({ servedKinds: optionalExposureKinds });
  const webhooks = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"];
  const rules = [
    ...rbacRules([controller, dataStoreController, stewardControlPlaneController]),
    // Its own certificate, and the keys of control planes, which are made and never applied piece by piece.
    { apiGroups: [""], resources: ["secrets"], verbs: ["create", "update"] },
    { apiGroups: ["admissionregistration.k8s.io"], resources: webhooks, verbs: ["create", "get", "patch"] },
  ];
  const args = [`--admission-service=${namespace}/${service.name}`];
  return [
    admissionServiceObject(service, selectorOf(role)),
    ...roleManifests({ role, image, namespace, args, rules, replicas, resources: stewardResources }),
  ];
}

function localProviderObjects({ image, namespace, replicas }: Place): KubeObject[] {
  const rules = rbacRules(localProviderControllers);
  return [
    ...localProviderClusterApiAccess,
    ...roleManifests({ role: "local-provider", image, namespace, rules, replicas }),
  ];
}
