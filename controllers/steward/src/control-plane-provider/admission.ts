import { StewardControlPlane, StewardControlPlaneTemplate, upgradeFault, versionFault } from "@butler/api";
import type { AdmissionHandler, AdmissionRequest, Denial } from "@butler/kube";
import { withLeadingV } from "./manifests.ts";

type TemplateSpec = StewardControlPlaneTemplate["spec"]["template"]["spec"];

/** Every reason to refuse a StewardControlPlane; none when all is well. What the CRD refuses by itself is not repeated. */
export function validateControlPlane({
  object,
  oldObject,
}: Pick<AdmissionRequest<StewardControlPlane>, "object" | "oldObject">): Denial[] {
  // One that is being deleted must stay changeable, or nobody could take its finalizer off.
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return [];
  const earlier = oldObject?.spec;
  return [
    ...judgeVersion(object.spec.version, oldObject),
    ...judgeFields(object.spec, "spec"),
    ...judgeDataStore(object.spec, earlier),
  ];
}

/** Every reason to refuse a StewardControlPlaneTemplate: those that its control planes would be refused for. */
export function validateTemplate({ object }: Pick<AdmissionRequest<StewardControlPlaneTemplate>, "object">): Denial[] {
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return [];
  const { spec } = object.spec.template;
  return [...judgeFields(spec, "spec.template.spec"), ...judgeIdentity(spec, "spec.template.spec")];
}

/** The control plane with its version in the form that Cluster API's contract asks for. */
export function withWholeVersion(object: StewardControlPlane): StewardControlPlane {
  return { ...object, spec: { ...object.spec, version: withLeadingV(object.spec.version) } };
}

function judgeVersion(version: string, before: StewardControlPlane | undefined): Denial[] {
  const fault = before === undefined ? versionFault(version) : versionChangeFault(before, version);
  return fault === undefined ? [] : [{ path: "spec.version", message: fault }];
}

function versionChangeFault({ spec, status }: StewardControlPlane, version: string): string | undefined {
  // What was accepted once stays acceptable: a Steward that no longer makes a version must not lock its objects.
  if (withLeadingV(spec.version) === withLeadingV(version)) return undefined;
  // An upgrade that is under way counts from where it began: some pods still run what was before.
  return upgradeFault(spec.version, version) ?? (status?.version && upgradeFault(status.version, version));
}

function judgeFields({ deployment, network }: TemplateSpec, path: string): Denial[] {
  const denials: Denial[] = [];
  if (deployment.externalClusterReference !== undefined) {
    const message = "running the control plane in another cluster is not supported; leave it out";
    denials.push({ path: `${path}.deployment.externalClusterReference`, message });
  }
  if (network.ingress !== undefined && network.gateway !== undefined) {
    denials.push({ path: `${path}.network`, message: "ingress and gateway exclude each other; set one of them" });
  }
  return denials;
}

function judgeDataStore(spec: TemplateSpec, earlier: TemplateSpec | undefined): Denial[] {
  if (earlier === undefined) return judgeIdentity(spec, "spec");
  const denials = (["dataStoreName", "dataStoreSchema", "dataStoreUsername"] as const)
    .filter((field) => (earlier[field] || undefined) !== undefined && earlier[field] !== spec[field])
    .map((field) => ({
      path: `spec.${field}`,
      message: `${field} is immutable: the cluster's data would stay behind`,
    }));
  const added = (["dataStoreSchema", "dataStoreUsername"] as const).some((field) => !earlier[field] && spec[field]);
  return added ? [...denials, ...judgeIdentity(spec, "spec")] : denials;
}

/** A name in the store that a person may choose is one that could be chosen to be another tenant's. */
function judgeIdentity(spec: TemplateSpec, path: string): Denial[] {
  return (["dataStoreSchema", "dataStoreUsername"] as const)
    .filter((field) => spec[field])
    .map((field) => ({
      path: `${path}.${field}`,
      message: "leave it out: it is derived from the uid of the TenantControlPlane, so that no two tenants share data",
    }));
}

const pathOf = (verb: "mutate" | "validate", { singular }: { readonly singular: string }) =>
  `/${verb}-controlplane-cluster-x-k8s-io-v1alpha1-${singular}`;

const mutateControlPlane: AdmissionHandler<typeof StewardControlPlane> = {
  path: pathOf("mutate", StewardControlPlane),
  kind: StewardControlPlane,
  mutate: ({ object }) => (object === undefined ? {} : withWholeVersion(object)),
};

const checkControlPlane: AdmissionHandler<typeof StewardControlPlane> = {
  path: pathOf("validate", StewardControlPlane),
  kind: StewardControlPlane,
  validate: validateControlPlane,
};

const checkTemplate: AdmissionHandler<typeof StewardControlPlaneTemplate> = {
  path: pathOf("validate", StewardControlPlaneTemplate),
  kind: StewardControlPlaneTemplate,
  validate: validateTemplate,
};

/** What an admission server judges for the provider. */
export const controlPlaneAdmission = [mutateControlPlane, checkControlPlane, checkTemplate] as const;
