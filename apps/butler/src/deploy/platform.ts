import { tenantNamespaceRules } from "@butler/access";
import { addonControllers, catalogPermissions } from "@butler/addon-controllers";
import { rbacRules } from "@butler/controller";
import { networkControllers, optionalNetworkKinds, tenantLoadBalancerController } from "@butler/network";
import { localProviderClusterApiAccess, localProviderControllers } from "@butler/provider-local";
import type { KubeObject } from "@butler/resource";
import {
  clusterApiAccess,
  dataStoreController,
  defaultDataStorePermissions,
  optionalExposureKinds,
  sniGatewayManifests,
  stewardControlPlaneController,
  tenantControlPlaneController,
} from "@butler/steward";
import {
  platformControllers,
  providerKinds,
  tenancyAdmissionPermissions,
  tenantClusterController,
} from "@butler/tenancy";
import { admissionPermissions, admissionServiceObject, emptyConfigurations } from "../admission/manifests.ts";
import { type RoleDeployment, roleManifests, type RoleResources, selectorOf } from "./manifests.ts";
import { serverObjects } from "./server-objects.ts";

/** What is installed, and where. */
export interface PlatformInput {
  /** Butler's own image, with its tag. */
  readonly image: string;
  readonly namespace?: string;
  /** How many processes of each role there are; one of them works, the others wait. */
  readonly replicas?: number;
  /** Whether machines may be pods: for laptops, tests and trusted tenants. */
  readonly hasLocalProvider?: boolean;
  /** Whether Butler may do on the management cluster whatever the charts of ManagementAddons want. */
  readonly hasManagementAddons?: boolean;
}

/** Where Butler's own processes are when nobody says otherwise. */
export const platformNamespace = "butler-system";

/**
 * Every object of an installation but CRDs, in the order in which they are applied. The default DataStore is made by
 * Steward, as its keys are in no manifest.
 */
export function platformManifests(input: PlatformInput): KubeObject[] {
  const { image, namespace = platformNamespace, replicas = 1 } = input;
  const { hasLocalProvider = false, hasManagementAddons = false } = input;
  return [
    namespaceObject(namespace),
    ...clusterApiAccess,
    ...stewardObjects({ image, namespace, replicas }),
    ...sniGatewayManifests({ image, namespace, replicas }),
    ...(hasLocalProvider ? localProviderObjects({ image, namespace, replicas }) : []),
    ...controllerObjects({ image, namespace, replicas }, hasManagementAddons),
    ...serverObjects({ image, namespace, replicas }),
    ...(hasManagementAddons ? [managementAddonsBinding(namespace)] : []),
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

function stewardObjects(place: Place): KubeObject[] {
  const controller = tenantControlPlaneController({ servedKinds: optionalExposureKinds });
  const rules = [
    ...rbacRules([controller, dataStoreController, stewardControlPlaneController]),
    // The keys of control planes, which are made and never applied piece by piece.
    { apiGroups: [""], resources: ["secrets"], verbs: ["create", "update"] },
    ...defaultDataStorePermissions,
  ];
  const args = [`--provide-data-store=${place.namespace}`];
  return judgingRole({ ...place, role: "steward", rules, args, resources: stewardResources });
}

/**
 * Beside the process itself several helm programs run, each of which may take a good deal for a large chart; they share
 * what the pod has of the processor.
 */
const controllerResources: RoleResources = {
  requests: { cpu: "500m", memory: "192Mi" },
  limits: { memory: "1Gi" },
};

/** Charts that were fetched are kept there. */
const controllerScratch = "1Gi";

/** A chart may hold anything at all, and nobody can hand out rights that they do not have. */
function managementAddonsBinding(namespace: string): KubeObject & { roleRef: object; subjects: object[] } {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "butler-management-addons", labels: { "app.kubernetes.io/managed-by": "butler" } },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", name: "butler-controller", namespace }],
  };
}

function controllerObjects(place: Place, hasManagementAddons: boolean): KubeObject[] {
  const access = { grants: () => [], rules: () => [] };
  const tenantClusters = tenantClusterController({ servedKinds: providerKinds, access });
  const addresses = networkControllers({ servedKinds: optionalNetworkKinds });
  const rules = [
    ...rbacRules([
      tenantClusters,
      ...platformControllers,
      ...addresses,
      tenantLoadBalancerController,
      ...addonControllers,
    ]),
    ...tenancyAdmissionPermissions,
    ...catalogPermissions,
    // Kubernetes lets nobody hand out what they do not have.
    ...tenantNamespaceRules("viewer"),
  ];
  const args = ["--catalog", ...(hasManagementAddons ? ["--management-addons"] : [])];
  const [resources, scratch] = [controllerResources, controllerScratch];
  return judgingRole({ ...place, role: "controller", rules, args, resources, scratch });
}

/** A role that the API server asks before it stores something; every one of its processes answers. */
function judgingRole(deployment: RoleDeployment): KubeObject[] {
  const { role, namespace, rules, args = [] } = deployment;
  const service = { name: `butler-${role}`, namespace };
  return [
    admissionServiceObject(service, selectorOf(role)),
    ...roleManifests({
      ...deployment,
      args: [`--admission-service=${namespace}/${service.name}`, ...args],
      rules: [...rules, ...admissionPermissions(service.name)],
    }),
    ...emptyConfigurations(service.name),
  ];
}

function localProviderObjects({ image, namespace, replicas }: Place): KubeObject[] {
  const rules = rbacRules(localProviderControllers);
  return [
    ...localProviderClusterApiAccess,
    ...roleManifests({ role: "local-provider", image, namespace, rules, replicas }),
  ];
}
