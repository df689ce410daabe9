import { conditions, defineResource, observedGeneration, type ObjectOf, providerRef, time } from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";

const factoryRef = z.object({
  schematicID: z
    .string()
    .min(8)
    .describe("Schematic in the Image Factory: the SHA-256 of its content in hexadecimal, at least 8 characters."),
  version: z.string().min(1).describe("Version of the operating system, such as v1.12.4 or 9.5."),
  arch: z.enum(["amd64", "arm64"]).default("amd64").describe("CPU architecture of the image."),
  platform: z
    .string()
    .default("nocloud")
    .describe("The Image Factory's word for where the image runs, such as nocloud, metal or vmware."),
});

/** An order to bring an operating system image to a provider. */
export const ImageSync = defineResource({
  ...butlerGroup,
  kind: "ImageSync",
  scope: "Namespaced",
  shortNames: ["is"],
  doc: "ImageSync brings an operating system image from the Image Factory to one provider.",
  spec: z.object({
    factoryRef: factoryRef.describe("Which image of the Image Factory."),
    providerConfigRef: providerRef().describe("ProviderConfig of the provider that the image is brought to."),
    format: z.string().default("qcow2").describe("Format of the disk image: qcow2, raw or iso."),
    transferMode: z
      .enum(["direct", "proxy"])
      .default("direct")
      .describe("With direct the provider downloads from the factory; with proxy Butler downloads and uploads."),
    displayName: z
      .string()
      .optional()
      .describe(
        "Name of the image on the provider; when empty, made of operating system, version and the schematic's beginning.",
      ),
  }),
  status: z.object({
    phase: z
      .enum(["Pending", "Building", "Downloading", "Uploading", "Ready", "Failed"])
      .optional()
      .describe("How far the image has come."),
    conditions: conditions("Ready", "Progressing", "Degraded"),
    providerImageRef: z
      .string()
      .optional()
      .describe(
        "Identity of the image on the provider: `namespace/name` on Harvester, a UUID on Nutanix, a template's number " +
          "on Proxmox.",
      ),
    artifactURL: z.string().optional().describe("Address in the factory that the image came from."),
    artifactSHA256: z.string().optional().describe("SHA-256 of the image in hexadecimal, after it was checked."),
    providerTaskID: z
      .string()
      .optional()
      .describe("Task on the provider that is bringing the image; empty when none runs."),
    failureReason: z.string().optional().describe("Why the image failed, as one CamelCase word for programs."),
    failureMessage: z.string().optional().describe("Why the image failed, for people."),
    observedGeneration: observedGeneration(),
    lastUpdated: time().optional().describe("When the status was last written."),
  }),
  columns: [
    { name: "Phase", type: "string", jsonPath: ".status.phase" },
    { name: "Schematic", type: "string", jsonPath: ".spec.factoryRef.schematicID", priority: 1 },
    { name: "Version", type: "string", jsonPath: ".spec.factoryRef.version" },
    { name: "Provider", type: "string", jsonPath: ".spec.providerConfigRef.name" },
    { name: "Image Ref", type: "string", jsonPath: ".status.providerImageRef" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "ImageSync",
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
