import { nameSome } from "@butler/std";
import semver from "semver";
import { type CheckResult, fine } from "../platform/check-result.ts";

/** Who installed something, as Helm writes it down. */
export interface ReleaseOwner {
  readonly release: string;
  readonly namespace: string;
}

/** What is known of a cluster before Butler is put into it. */
export interface PreflightFacts {
  /** As the API server says it: v1.35.2. */
  readonly kubernetes: string;
  /** What the chart asks for. */
  readonly kubernetesRange: string | undefined;
  readonly namespace: NamespaceFacts;
  /** Butler's kinds that are there already, with who brought them. */
  readonly kinds: readonly { readonly name: string; readonly owner: ReleaseOwner | undefined }[];
  /** Rights that are needed and missing, as words. */
  readonly missingRights: readonly string[];
  /** Releases of Butler in other namespaces. */
  readonly otherReleases: readonly ReleaseOwner[];
  readonly image: string;
  /** Names of images that nodes have already. */
  readonly nodeImages: readonly string[];
  readonly readyNodes: number;
  readonly hasDefaultStorageClass: boolean;
  readonly needsDefaultStorageClass: boolean;
  readonly hasClusterApi: boolean;
  /** How many processes the values ask for: none of them needs a node or an image. */
  readonly wantedProcesses: number;
}

export interface NamespaceFacts {
  readonly name: string;
  readonly state: "absent" | "there" | "terminating";
  /** The Pod Security Standard that its pods are held to. */
  readonly enforced: string | undefined;
}

/** Whether Butler can be put into a cluster, one result for each thing that matters. */
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
    const says = `Kubernetes is ${kubernetes}; this version of Butler needs ${kubernetesRange ?? "another"}`;
    return {
      check,
      severity: "fault",
      says,
      remedy: "Upgrade the cluster, or choose a version of Butler that suits it.",
    };
  }
  return fine(check, `Kubernetes ${kubernetes}`);
}

function rights({ missingRights }: PreflightFacts): CheckResult {
  if (missingRights.length === 0) return fine("rights", "you may make everything that the chart brings");
  return {
    check: "rights",
    severity: "fault",
    says: `you may not ${nameSome(missingRights)}`,
    remedy: "Use the kubeconfig of an administrator of the cluster.",
  };
}

function otherInstallation({ otherReleases, namespace }: PreflightFacts): CheckResult {
  const [other] = otherReleases;
  if (other === undefined) return fine("installation", "no other Butler is in the cluster");
  return {
    check: "installation",
    severity: "fault",
    says: `Butler is in the namespace ${other.namespace} already, and a cluster has one`,
    remedy: `Work with that one by --namespace ${other.namespace}, or uninstall it before you install into ${namespace.name}.`,
  };
}

function namespaceState({ namespace: { name, state, enforced } }: PreflightFacts): CheckResult {
  const check = "namespace";
  if (state === "absent") return fine(check, `the namespace ${name} will be made`);
  if (state === "terminating") {
    const remedy = `See what keeps it with: kubectl get namespace ${name} -o yaml`;
    return { check, severity: "fault", says: `the namespace ${name} is being deleted`, remedy };
  }
  if (enforced !== undefined && enforced !== "restricted") {
    const says = `the namespace ${name} lets pods have the rights of the standard ${enforced}; the chart makes it restricted`;
    return {
      check,
      severity: "warning",
      says,
      remedy: `Move what else runs in ${name} elsewhere if it needs those rights.`,
    };
  }
  return fine(check, `the namespace ${name} is there`);
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
      says: `${nameSome(foreign.map(({ name }) => name))} came with the release ${release} in ${place}`,
      remedy: `Have that release give them up (its objects stay), or leave kinds to it with --set crds.install=false.`,
    };
  }
  const unowned = kinds.filter(({ owner }) => owner === undefined);
  if (unowned.length === 0)
    return fine(check, kinds.length === 0 ? "none of Butler's kinds is there yet" : "Butler's kinds are its own");
  const says = `${unowned.length} of Butler's kinds were installed without Helm: they will be taken over, with their objects`;
  return { check, severity: "warning", says, remedy: "Back up first: butleradm backup" };
}

function isOurs({ release, namespace }: ReleaseOwner, place: string): boolean {
  return release === "butler" && namespace === place;
}

function nodes({ readyNodes, wantedProcesses }: PreflightFacts): CheckResult {
  if (readyNodes > 0) return fine("nodes", `${readyNodes} nodes are ready`);
  const severity = wantedProcesses === 0 ? "warning" : "fault";
  return { check: "nodes", severity, says: "no node is ready", remedy: "Look at them with: kubectl get nodes" };
}

function image({ image: name, nodeImages, wantedProcesses }: PreflightFacts): CheckResult {
  if (!/^[^\s:@]+(:\d+)?[^\s:@]*(:[\w.-]+|@sha256:[a-f0-9]{64})$/.test(name)) {
    const remedy = "Name it with --image REPOSITORY:TAG, or with --set image.repository and image.tag.";
    return { check: "image", severity: "fault", says: `"${name}" is not the name of an image`, remedy };
  }
  if (wantedProcesses === 0 || nodeImages.includes(name)) return fine("image", `the image ${name}`);
  return fine("image", `the image ${name}, which nodes have to fetch`);
}

function storage({ hasDefaultStorageClass, needsDefaultStorageClass }: PreflightFacts): CheckResult {
  if (hasDefaultStorageClass || !needsDefaultStorageClass) return fine("storage", "volumes can be had");
  return {
    check: "storage",
    severity: "warning",
    says: "the cluster has no default StorageClass, so that the store of control planes gets no volumes",
    remedy: "Make one the default, or name one with --set steward.defaultDataStore.storage.storageClassName=NAME.",
  };
}

function clusterApi({ hasClusterApi }: PreflightFacts): CheckResult {
  if (hasClusterApi) return fine("cluster-api", "Cluster API is there");
  return {
    check: "cluster-api",
    severity: "warning",
    says: "Cluster API is not there: tenant clusters wait until it is",
    remedy: "Install it with its kubeadm bootstrap provider, before or after Butler.",
  };
}
