import { nameSome } from "@butler/std";
import semver from "semver";
import { counted } from "../common/words.ts";
import { type CheckResult, fine } from "../platform/check-result.ts";

/** The Helm release that owns an object. */
export interface ReleaseOwner {
  readonly release: string;
  readonly namespace: string;
}

/** Facts about a cluster before an installation. */
export interface PreflightFacts {
  /** As reported by the API server: v1.35.2. */
  readonly kubernetes: string;
  /** The version range that the chart requires. */
  readonly kubernetesRange: string | undefined;
  readonly namespace: NamespaceFacts;
  /** Butler's kinds that are already installed, with their owners. */
  readonly kinds: readonly { readonly name: string; readonly owner: ReleaseOwner | undefined }[];
  /** Missing permissions, as text. */
  readonly missingRights: readonly string[];
  /** Releases of Butler in other namespaces. */
  readonly otherReleases: readonly ReleaseOwner[];
  readonly image: string;
  /** Names of images that are already on nodes. */
  readonly nodeImages: readonly string[];
  readonly readyNodes: number;
  readonly hasDefaultStorageClass: boolean;
  readonly needsDefaultStorageClass: boolean;
  readonly hasClusterApi: boolean;
  /** Number of replicas in the values; with none, no node or image is needed. */
  readonly wantedProcesses: number;
}

export interface NamespaceFacts {
  readonly name: string;
  readonly state: "absent" | "there" | "terminating";
  /** The enforced Pod Security Standard. */
  readonly enforced: string | undefined;
}

/** Checks whether Butler can be installed into a cluster. */
export function preflight(facts: PreflightFacts): CheckResult[] {
  return [
    kubernetesVersion(facts),
    rights(facts),
    otherInstallation(facts),
    namespaceState(facts),
    kindOwners(facts),
    nodes(facts),
    image(facts),
    storage(facts),
    clusterApi(facts),
  ];
}

function kubernetesVersion({ kubernetes, kubernetesRange }: PreflightFacts): CheckResult {
  const check = "kubernetes";
  const version = semver.coerce(kubernetes);
  if (version === null || (kubernetesRange !== undefined && !semver.satisfies(version, kubernetesRange))) {
    const says = `the cluster runs Kubernetes ${kubernetes}; Butler requires ${kubernetesRange ?? "another version"}`;
    return {
      check,
      severity: "fault",
      says,
      remedy: "Upgrade the cluster, or use a compatible version of Butler.",
    };
  }
  return fine(check, `Kubernetes ${kubernetes}`);
}

function rights({ missingRights }: PreflightFacts): CheckResult {
  if (missingRights.length === 0) return fine("rights", "you have all permissions that the chart requires");
  return {
    check: "rights",
    severity: "fault",
    says: `missing permissions: ${nameSome(missingRights)}`,
    remedy: "Use a kubeconfig with cluster administrator permissions.",
  };
}

function otherInstallation({ otherReleases, namespace }: PreflightFacts): CheckResult {
  const [other] = otherReleases;
  if (other === undefined) return fine("installation", "no other Butler installation in the cluster");
  return {
    check: "installation",
    severity: "fault",
    says: `Butler is already installed in the namespace ${other.namespace}, and a cluster can have only one`,
    remedy: `Manage that installation with --namespace ${other.namespace}, or uninstall it before installing into ${namespace.name}.`,
  };
}

function namespaceState({ namespace: { name, state, enforced } }: PreflightFacts): CheckResult {
  const check = "namespace";
  if (state === "absent") return fine(check, `the namespace ${name} will be created`);
  if (state === "terminating") {
    const remedy = `Find out what is blocking it with: kubectl get namespace ${name} -o yaml`;
    return { check, severity: "fault", says: `the namespace ${name} is being deleted`, remedy };
  }
  if (enforced !== undefined && enforced !== "restricted") {
    const says = `the namespace ${name} enforces the Pod Security Standard ${enforced}; the chart sets it to restricted`;
    return {
      check,
      severity: "warning",
      says,
      remedy: `Move other workloads out of ${name} if they need those privileges.`,
    };
  }
  return fine(check, `the namespace ${name} exists`);
}

function kindOwners({ kinds, namespace }: PreflightFacts): CheckResult {
  const check = "kinds";
  const foreign = kinds.filter(({ owner }) => owner !== undefined && !isOurs(owner, namespace.name));
  const [first] = foreign;
  if (first?.owner !== undefined) {
    const { release, namespace: place } = first.owner;
    return {
      check,
      severity: "fault",
      says: `CRDs owned by Helm release ${release} in namespace ${place}: ${nameSome(foreign.map(({ name }) => name))}`,
      remedy: `Remove them from that release without deleting them, or let it keep them with --set crds.install=false.`,
    };
  }
  const unowned = kinds.filter(({ owner }) => owner === undefined);
  if (unowned.length === 0)
    return fine(
      check,
      kinds.length === 0 ? "none of Butler's CRDs are installed yet" : "Butler's CRDs belong to this release",
    );
  const says = `${unowned.length} of Butler's CRDs were installed without Helm: the release will adopt them and keep their objects`;
  return { check, severity: "warning", says, remedy: "Create a backup first: butleradm backup" };
}

function isOurs({ release, namespace }: ReleaseOwner, place: string): boolean {
  return release === "butler" && namespace === place;
}

function nodes({ readyNodes, wantedProcesses }: PreflightFacts): CheckResult {
  if (readyNodes > 0) return fine("nodes", counted(readyNodes, "node is ready", "nodes are ready"));
  const severity = wantedProcesses === 0 ? "warning" : "fault";
  return { check: "nodes", severity, says: "no nodes are ready", remedy: "Check the nodes with: kubectl get nodes" };
}

function image({ image: name, nodeImages, wantedProcesses }: PreflightFacts): CheckResult {
  if (!/^[^\s:@]+(:\d+)?[^\s:@]*(:[\w.-]+|@sha256:[a-f0-9]{64})$/.test(name)) {
    const remedy = "Set it with --image REPOSITORY:TAG, or with --set image.repository and image.tag.";
    return { check: "image", severity: "fault", says: `"${name}" is not a valid image reference`, remedy };
  }
  if (wantedProcesses === 0 || nodeImages.includes(name)) return fine("image", `image ${name}`);
  return fine("image", `image ${name} (nodes must pull it)`);
}

function storage({ hasDefaultStorageClass, needsDefaultStorageClass }: PreflightFacts): CheckResult {
  if (hasDefaultStorageClass || !needsDefaultStorageClass) return fine("storage", "volumes can be provisioned");
  return {
    check: "storage",
    severity: "warning",
    says: "no default StorageClass: cannot provision volumes for the control plane DataStore",
    remedy: "Make one the default, or choose one with --set steward.defaultDataStore.storage.storageClassName=NAME.",
  };
}

function clusterApi({ hasClusterApi }: PreflightFacts): CheckResult {
  if (hasClusterApi) return fine("cluster-api", "Cluster API is installed");
  return {
    check: "cluster-api",
    severity: "warning",
    says: "Cluster API is not installed: tenant clusters stay pending until it is",
    remedy: "Install Cluster API with its kubeadm bootstrap provider, before or after Butler.",
  };
}
