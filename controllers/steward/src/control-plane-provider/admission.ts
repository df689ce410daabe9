import { StewardControlPlane, StewardControlPlaneTemplate, upgradeFaultFrom, versionFault } from "@butler/api";
import { admissionHandler, type AdmissionRequest, type Denial } from "@butler/kube";
import { deepEqual } from "@butler/std";
import { withLeadingV } from "./manifests.ts";

type TemplateSpec = StewardControlPlaneTemplate["spec"]["template"]["spec"];

/** Validates a StewardControlPlane; empty when it is valid. Rules that the CRD enforces are not repeated. */
export function validateControlPlane({
  object,
  oldObject,
}: Pick<AdmissionRequest<StewardControlPlane>, "object" | "oldObject">): Denial[] {
  // An object that was invalid before must accept other updates, or its finalizer could never be removed.
  if (object === undefined || deepEqual(oldObject?.spec, object.spec)) return [];
  const earlier = oldObject?.spec;
  return [
    ...judgeVersion(object.spec.version, oldObject),
    ...judgeFields(object.spec, "spec"),
    ...judgeDataStore(object.spec, earlier),
  ];
}

/** Validates a StewardControlPlaneTemplate by the rules of its control planes. */
export function validateTemplate({
  object,
  oldObject,
}: Pick<AdmissionRequest<StewardControlPlaneTemplate>, "object" | "oldObject">): Denial[] {
  if (object === undefined || deepEqual(oldObject?.spec, object.spec)) return [];
  const { spec } = object.spec.template;
  return [...judgeFields(spec, "spec.template.spec"), ...judgeIdentity(spec, "spec.template.spec")];
}

/** The control plane with its version in the form that the Cluster API contract requires. */
export function withWholeVersion(object: StewardControlPlane): StewardControlPlane {
  return { ...object, spec: { ...object.spec, version: withLeadingV(object.spec.version) } };
}

function judgeVersion(version: string, before: StewardControlPlane | undefined): Denial[] {
  const fault = before === undefined ? versionFault(version) : versionChangeFault(before, version);
  return fault === undefined ? [] : [{ path: "spec.version", message: fault }];
}

function versionChangeFault({ spec, status }: StewardControlPlane, version: string): string | undefined {
  // An accepted version stays valid: a Steward that drops support for a version must not lock its objects.
  if (withLeadingV(spec.version) === withLeadingV(version)) return undefined;
  // An upgrade in progress is checked against its start version: some pods still run the previous one.
  return upgradeFaultFrom([spec.version, status?.version], version);
}

function judgeFields({ deployment, network }: TemplateSpec, path: string): Denial[] {
  const denials: Denial[] = [];
  if (deployment.externalClusterReference !== undefined) {
    const message = "running the control plane in another cluster is not supported; remove it";
    denials.push({ path: `${path}.deployment.externalClusterReference`, message });
  }
  if (network.ingress !== undefined && network.gateway !== undefined) {
    denials.push({ path: `${path}.network`, message: "ingress and gateway are mutually exclusive; set one of them" });
  }
  return denials;
}

function judgeDataStore(spec: TemplateSpec, earlier: TemplateSpec | undefined): Denial[] {
  if (earlier === undefined) return judgeIdentity(spec, "spec");
  const denials = (["dataStoreName", "dataStoreSchema", "dataStoreUsername"] as const)
    .filter((field) => (earlier[field] || undefined) !== undefined && earlier[field] !== spec[field])
    .map((field) => ({
      path: `spec.${field}`,
      message: `${field} is immutable: Steward does not migrate the cluster's data`,
    }));
  const added = (["dataStoreSchema", "dataStoreUsername"] as const).some((field) => !earlier[field] && spec[field]);
  return added ? [...denials, ...judgeIdentity(spec, "spec")] : denials;
}

/** A user-chosen name in the store could be another tenant's. */
function judgeIdentity(spec: TemplateSpec, path: string): Denial[] {
  return (["dataStoreSchema", "dataStoreUsername"] as const)
    .filter((field) => spec[field])
    .map((field) => ({
      path: `${path}.${field}`,
      message:
        "must not be set: it is derived from the UID of the TenantControlPlane so that no two tenants share data",
    }));
}

/** The admission handlers of the provider. */
export const controlPlaneAdmission = [
  admissionHandler(StewardControlPlane, {
    mutate: ({ object }) => (object === undefined ? {} : withWholeVersion(object)),
  }),
  admissionHandler(StewardControlPlane, { validate: validateControlPlane }),
  admissionHandler(StewardControlPlaneTemplate, { validate: validateTemplate }),
] as const;
