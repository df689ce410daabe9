import { conditions, defineResource, observedGeneration, type ObjectOf, providerRef, time } from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";

const factoryRef = z.object({
  schematicID: z
    .string()
    .min(8)
    .describe("Schematic in the Image Factory: the hexadecimal SHA-256 of its content, at least 8 characters."),
  version: z.string().min(1).describe("Version of the operating system, such as v1.12.4 or 9.5."),
  arch: z.enum(["amd64", "arm64"]).default("amd64").describe("CPU architecture of the image."),
  platform: z
    .string()
    .default("nocloud")
    .describe("Image Factory platform of the image, such as nocloud, metal or vmware."),
});

/** A request to sync an operating system image to a provider. */
export const ImageSync = defineResource({
  ...butlerGroup,
  kind: "ImageSync",
  scope: "Namespaced",
  shortNames: ["is"],
  doc: "ImageSync copies an operating system image from the Image Factory to a provider.",
  spec: z.object({
    factoryRef: factoryRef.describe("Image in the Image Factory."),
    providerConfigRef: providerRef().describe("ProviderConfig of the target provider."),
    format: z.string().default("qcow2").describe("Format of the disk image: qcow2, raw or iso."),
    transferMode: z
      .enum(["direct", "proxy"])
      .default("direct")
      .describe(
        "direct: the provider downloads the image from the Image Factory. proxy: Butler downloads the image and uploads it to the provider.",
      ),
    displayName: z
      .string()
      .optional()
      .describe(
        "Name of the image on the provider. Defaults to the operating system name and version, followed by the first characters of the schematic.",
      ),
  }),
  status: z.object({
    phase: z
      .enum(["Pending", "Building", "Downloading", "Uploading", "Ready", "Failed"])
      .optional()
      .describe("Current phase of the image sync."),
    conditions: conditions("Ready", "Progressing", "Degraded"),
    providerImageRef: z
      .string()
      .optional()
      .describe(
        "ID of the image on the provider: `namespace/name` on Harvester, a UUID on Nutanix, a template ID on " +
          "Proxmox.",
      ),
    artifactURL: z.string().optional().describe("URL in the Image Factory that the image was downloaded from."),
    artifactSHA256: z.string().optional().describe("Hexadecimal SHA-256 of the image, set after verification."),
    providerTaskID: z
      .string()
      .optional()
      .describe("Provider task that transfers the image. Empty if no task is running."),
    failureReason: z.string().optional().describe("Machine-readable reason for the failure, in CamelCase."),
    failureMessage: z.string().optional().describe("Human-readable message about the failure."),
    observedGeneration: observedGeneration(),
    lastUpdated: time().optional().describe("Time of the last status update."),
  }),
  columns: {
    Phase: ".status.phase",
    Schematic: { jsonPath: ".spec.factoryRef.schematicID", priority: 1 },
    Version: ".spec.factoryRef.version",
    Provider: ".spec.providerConfigRef.name",
    "Image Ref": ".status.providerImageRef",
  },
  example: {
    metadata: { name: "talos-v1-12-4", namespace: "butler-system" },
    spec: {
      factoryRef: {
        schematicID: "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba",
        version: "v1.12.4",
      },
      providerConfigRef: { name: "harvester" },
    },
  },
});
export type ImageSync = ObjectOf<typeof ImageSync>;
