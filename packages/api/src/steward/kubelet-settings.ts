import { anyValue, setOf, withRules } from "@butler/resource";
import { z } from "zod";

const jsonPatch = withRules(
  z.object({
    op: z.enum(["add", "remove", "replace", "move", "copy", "test"]).describe("Operation, as defined by RFC 6902."),
    path: withRules(z.string().max(1024), {
      rule: "self == '' || self.startsWith('/')",
      message: "must be a JSON pointer such as /maxPods",
    }).describe("JSON pointer to the KubeletConfiguration field to change."),
    from: z.string().max(1024).optional().describe("JSON pointer to the source. Used by move and copy."),
    value: anyValue().optional().describe("New or expected value. Used by add, replace and test."),
  }),
  {
    rule: "!(self.op in ['move', 'copy']) || has(self.from)",
    message: "must be set when op is move or copy",
    fieldPath: ".from",
    reason: "FieldValueRequired",
  },
);

const addressTypes = ["InternalIP", "ExternalIP", "Hostname"] as const;

const preferredAddressTypes = setOf(z.enum(["Hostname", "InternalIP", "ExternalIP", "InternalDNS", "ExternalDNS"]))
  .min(1)
  .default([...addressTypes]);

/** Settings of the kubelets that join a hosted control plane. */
export const kubeletSettings = z.object({
  configurationJSONPatches: z
    .array(jsonPatch)
    .max(256)
    .optional()
    .describe("RFC 6902 patches for the KubeletConfiguration that joining nodes receive, applied in order."),
  preferredAddressTypes: preferredAddressTypes.describe(
    "Address types that the API server uses to connect to kubelets, in order of preference.",
  ),
  cgroupfs: z
    .enum(["systemd", "cgroupfs"])
    .optional()
    .describe("Cgroup driver for the nodes. Deprecated: patch /cgroupDriver in configurationJSONPatches instead."),
});

/** The optional `kubelet` field of a StewardControlPlane. */
export const clusterKubeletSettings = () =>
  kubeletSettings
    .default({ preferredAddressTypes: [...addressTypes], cgroupfs: "systemd" })
    .describe("Settings for the cluster's kubelets.");
