import { tenantNamespaceRules } from "@butler/access";
import { addonControllers, catalogPermissions } from "@butler/addon-controllers";
import { rbacRules } from "@butler/controller";
import { networkControllers, tenantLoadBalancerController } from "@butler/network";
import { infrastructureResources } from "@butler/provider";
import { localProviderClusterApiAccess, localProviderControllers } from "@butler/provider-local";
import { type AdmissionHandler, clusterNetworkRules, type KubeClient } from "@butler/kube";
import type { KubeObject } from "@butler/resource";
import {
  clusterApiAccess,
  controlPlaneAdmission,
  dataStoreAdmission,
  dataStoreController,
  defaultDataStorePermissions,
  optionalExposureKinds,
  sniGatewayManifests,
  stewardControlPlaneController,
  tenantControlPlaneAdmission,
  tenantControlPlaneController,
} from "@butler/steward";
import { platformControllers, tenantClusterController } from "@butler/tenancy";
import { admissionGuard } from "../admission/guard.ts";
import { admissionPermissions, admissionServiceObject, emptyConfigurations } from "../admission/manifests.ts";
import { platformAdmission, platformAdmissionPermissions } from "../admission/platform-admission.ts";
import { machineProviders } from "../machine-providers.ts";
import { type RoleDeployment, roleManifests, type RoleResources, selectorOf } from "./manifests.ts";
import { admissionPolicies } from "./policies/index.ts";
import { serverObjects } from "./server-objects.ts";

/** The inputs of an installation. */
export interface PlatformInput {
  /** Butler's own image, with its tag. */
  readonly image: string;
  readonly namespace?: string;
  /** Number of replicas of each role; one of them is active, the others stand by. */
  readonly replicas?: number;
  /** Whether to run the local provider, whose machines are pods: for laptops, tests and trusted tenants. */
  readonly hasLocalProvider?: boolean;
  /** Whether Butler may apply any object of a ManagementAddon's chart to the management cluster. */
  readonly hasManagementAddons?: boolean;
}

/** The default namespace of Butler's own processes. */
export const platformNamespace = "butler-system";

/**
 * Every object of an installation except CRDs, in the order in which they are applied. Steward creates the default
 * DataStore, because its keys are in no manifest.
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
    ...admissionPolicies(namespace),
  ];
}

/**
 * Starting control planes use all available CPU, in proportion to their requests. With a smaller request Steward could
 * not respond in time to the API server about further control planes, nor to its own probes.
 */
const stewardResources: RoleResources = {
  requests: { cpu: "100m", memory: "128Mi" },
  limits: { memory: "512Mi" },
};

type Place = Required<Pick<PlatformInput, "image" | "namespace" | "replicas">>;

/** It complies with the Pod Security Standard `restricted`. */
function namespaceObject(name: string): KubeObject {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted", "app.kubernetes.io/managed-by": "butler" };
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } };
}

function stewardObjects(place: Place): KubeObject[] {
  const controller = tenantControlPlaneController({ optionalKinds: optionalExposureKinds });
  const rules = [
    ...rbacRules([controller, dataStoreController, stewardControlPlaneController]),
    // The keys of control planes, which are created and never applied partially.
    { apiGroups: [""], resources: ["secrets"], verbs: ["create", "update"] },
    ...defaultDataStorePermissions,
  ];
  const args = [`--provide-data-store=${place.namespace}`];
  return judgingRole({ ...place, role: "steward", rules, args, resources: stewardResources }, stewardHandlers);
}

/**
 * Next to the process itself several helm programs run, each of which may need much CPU for a large chart; they share
 * the pod's CPU. The memory is enough for six of them with 320 MiB each, which is the most that one gets, for the process
 * that reads releases, and for the controllers themselves: no chart or release can take the process with it.
 */
const controllerResources: RoleResources = {
  requests: { cpu: "500m", memory: "192Mi" },
  limits: { memory: "3Gi" },
};

/** Directory of fetched charts. */
const controllerScratch = "1Gi";

/** A chart may contain any object, and RBAC does not allow granting rights that the grantor lacks. */
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
  const tenantClusters = tenantClusterController({ machineProviders });
  const rules = [
    ...rbacRules([
      tenantClusters,
      ...platformControllers,
      ...networkControllers,
      tenantLoadBalancerController,
      ...addonControllers,
    ]),
    ...platformAdmissionPermissions,
    ...catalogPermissions,
    ...clusterNetworkRules,
    // RBAC does not allow granting rights that the grantor lacks.
    ...tenantNamespaceRules("viewer", { infrastructure: infrastructureResources(machineProviders) }),
  ];
  const args = ["--catalog", ...(hasManagementAddons ? ["--management-addons"] : [])];
  const [resources, scratch] = [controllerResources, controllerScratch];
  return judgingRole(
    { ...place, role: "controller", rules, args, resources, scratch },
    platformAdmission({ client: unused }),
  );
}

/** Manifests need to know only which kinds are validated: no handler is called. */
const unused = {} as KubeClient;

const stewardHandlers = [
  ...tenantControlPlaneAdmission({ client: unused }),
  dataStoreAdmission(unused),
  ...controlPlaneAdmission,
] as readonly AdmissionHandler[];

/** A role with admission webhooks; every one of its replicas serves them. */
function judgingRole(deployment: RoleDeployment, handlers: readonly AdmissionHandler[]): KubeObject[] {
  const { role, namespace, rules, args = [] } = deployment;
  const service = { name: `butler-${role}`, namespace };
  return [
    ...admissionGuard(service.name, handlers),
    ...emptyConfigurations(service.name),
    admissionServiceObject(service, selectorOf(role)),
    ...roleManifests({
      ...deployment,
      args: [`--admission-service=${namespace}/${service.name}`, ...args],
      rules: [...rules, ...admissionPermissions(service.name)],
    }),
  ];
}

function localProviderObjects({ image, namespace, replicas }: Place): KubeObject[] {
  const rules = rbacRules(localProviderControllers);
  return [
    ...localProviderClusterApiAccess,
    ...roleManifests({ role: "local-provider", image, namespace, rules, replicas }),
  ];
}
