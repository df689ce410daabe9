import { describe, expect, it } from "vitest";
import { aControlPlane, type ControlPlaneTraits } from "../testing/objects.ts";
import { validateSpec } from "./validate.ts";

/** Rights beyond the `restricted` Pod Security Standard. */
const refusedRights: readonly [string, object, string][] = [
  [
    "that gains privileges",
    { allowPrivilegeEscalation: true },
    "allowPrivilegeEscalation: must not be true: a process could gain more privileges than its container has",
  ],
  [
    "with uid 0",
    { runAsUser: 0 },
    "runAsUser: must not be 0 (root); use an ID such as 65532 and an image that supports it",
  ],
  [
    "with gid 0",
    { runAsGroup: 0 },
    "runAsGroup: must not be 0 (root); use an ID such as 65532 and an image that supports it",
  ],
  [
    "with the user of an image, which may be root",
    { runAsNonRoot: false },
    "runAsNonRoot: must not be false: the user ID must not be 0 (root); use an ID such as 65532 and an image that supports it",
  ],
  [
    "with seccomp Unconfined",
    { seccompProfile: { type: "Unconfined" } },
    "seccompProfile.type: must not be Unconfined; omit it to use the container runtime's default",
  ],
  [
    "with AppArmor Unconfined",
    { appArmorProfile: { type: "Unconfined" } },
    "appArmorProfile.type: must not be Unconfined; omit it to use the container runtime's default",
  ],
  [
    "with an unmasked /proc",
    { procMount: "Unmasked" },
    "procMount: must be Default: an unmasked /proc exposes the node's kernel",
  ],
  [
    "with an SELinux label of the node",
    { seLinuxOptions: { type: "spc_t" } },
    "seLinuxOptions: may only set type, and only to a type for unprivileged containers",
  ],
  [
    "with a host process",
    { windowsOptions: { hostProcess: true } },
    "windowsOptions.hostProcess: must not be true: a host process has full access to its node",
  ],
];

const kinds = "configMap, csi, downwardAPI, emptyDir, ephemeral, image, persistentVolumeClaim, projected, secret";
const refusedVolumes: readonly [string, object, string][] = [
  [
    "with a Secret by a CSI driver",
    { csi: { driver: "d", nodePublishSecretRef: { name: "green-ca" } } },
    "csi.nodePublishSecretRef: is not allowed: the driver would read the Secret regardless of its owner; use a PersistentVolumeClaim",
  ],
  [
    "with a token for the management cluster",
    { projected: { sources: [{ serviceAccountToken: { path: "token" } }] } },
    "projected.sources[0].serviceAccountToken: is not allowed: control planes have no access to the management cluster's API",
  ],
  [
    "of the network of the node",
    { nfs: { server: "a", path: "/" } },
    `nfs: is not allowed: use a volume of type ${kinds}`,
  ],
];

const wrong = (traits: ControlPlaneTraits): string[] =>
  validateSpec(aControlPlane(traits)).map(({ path, message }) => `${path}: ${message}`);
const base = "spec.controlPlane.deployment";

describe("what users add to a control plane", () => {
  it.each(refusedRights)("is not a container %s", (_what, securityContext, refusal) => {
    for (const list of ["additionalContainers", "additionalInitContainers"])
      expect(wrong({ deployment: { [list]: [{ name: "a", securityContext }] } })).toEqual([
        `${base}.${list}[0].securityContext.${refusal}`,
      ]);
  });

  it.each(refusedVolumes)("is not a volume %s", (_what, volume, refusal) => {
    expect(wrong({ deployment: { additionalVolumes: [{ name: "a", ...volume }] } })).toEqual([
      `${base}.additionalVolumes[0].${refusal}`,
    ]);
  });

  it("may be containers and volumes without such rights", () => {
    const securityContext = {
      runAsUser: 1000,
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      procMount: "Default",
      seccompProfile: { type: "RuntimeDefault" },
      capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] },
    };
    const additionalVolumes = [
      { name: "own", secret: { secretName: "mine" } },
      { name: "data", csi: { driver: "d" } },
      { name: "all", projected: { sources: [{ configMap: { name: "c" } }] } },
    ];
    expect(
      wrong({ deployment: { additionalContainers: [{ name: "a", securityContext }], additionalVolumes } }),
    ).toEqual([]);
  });
});
