import {
  conditions,
  defineResource,
  duration,
  localRef,
  observedGeneration,
  type ObjectOf,
  quantity,
  time,
} from "@butler/resource";
import { z } from "zod";
import { gitUrlOrEmpty } from "./git-location.ts";
import { butlerGroup } from "./group.ts";
import { workspaceContents, workspaceDotfiles, workspaceResources } from "./workspace-shapes.ts";

const text = (doc: string) => z.string().optional().describe(doc);

const editorConfig = z.object({
  neovimConfigRepo: gitUrlOrEmpty()
    .optional()
    .describe(
      "Git repository that is cloned to ~/.config/nvim; wins over the other two fields. When empty, those are read.",
    ),
  neovimInitLua: text("Text of ~/.config/nvim/init.lua; when empty the file is not written."),
  neovimConfigArchive: text("A tar.gz archive in base64 that is unpacked to ~/.config/nvim; when empty nothing is."),
});

/** A development environment in a tenant cluster, reached by SSH. */
export const Workspace = defineResource({
  ...butlerGroup,
  kind: "Workspace",
  scope: "Namespaced",
  shortNames: ["ws"],
  doc:
    "Workspace is a development environment: a pod with a volume in a tenant cluster that its owner reaches by SSH. " +
    "The object lives in the namespace of the team.",
  spec: z.object({
    clusterRef: localRef("TenantCluster").describe("TenantCluster in the same namespace that runs the workspace."),
    owner: z.string().min(1).describe("E-mail address of the person whose workspace it is."),
    ...workspaceContents,
    resources: workspaceResources.optional().describe("Size of the pod; when absent 2 CPU cores and 4Gi of memory."),
    dotfiles: workspaceDotfiles
      .optional()
      .describe("Personal settings, installed when the workspace is first made; when absent none are."),
    idleTimeout: duration()
      .default("4h")
      .describe("How long after connecting the SSH address is taken away; pod and volume stay. 4h when absent."),
    autoStopAfter: duration()
      .default("8h")
      .describe(
        "How long after the SSH address went the pod is removed; the volume stays. 8h when absent, and 0 means never.",
      ),
    storageSize: quantity().default("10Gi").describe("Size of the volume; 10Gi when absent."),
    sshPublicKeys: z
      .array(z.string())
      .optional()
      .describe("Public keys that open the workspace; when empty, those of the owner's User."),
    editorConfig: editorConfig.optional().describe("Settings of the editor Neovim; when absent the image's own."),
  }),
  status: z.object({
    conditions: conditions("PVCReady", "PodReady", "RepositoryCloned", "DotfilesInstalled", "SSHReady", "Ready"),
    phase: z
      .enum(["Pending", "Creating", "Running", "Starting", "Stopped", "Failed"])
      .optional()
      .describe("Where the workspace is in its life; Stopped keeps the volume and no pod."),
    podName: text("Pod in the tenant cluster."),
    pvcName: text("PersistentVolumeClaim in the tenant cluster."),
    serviceName: text("Service for SSH in the tenant cluster, while connected."),
    sshEndpoint: text("Address and port for SSH, while connected."),
    connected: z.boolean().optional().describe("Whether there is an SSH address."),
    lastActivityTime: time().optional().describe("When the workspace was last connected; idleTimeout counts from it."),
    lastDisconnectTime: time()
      .optional()
      .describe("When the SSH address was last taken away; autoStopAfter counts from it."),
    observedGeneration: observedGeneration(),
  }),
  columns: [
    { name: "Phase", type: "string", jsonPath: ".status.phase" },
    { name: "Cluster", type: "string", jsonPath: ".spec.clusterRef.name" },
    { name: "Owner", type: "string", jsonPath: ".spec.owner" },
    { name: "Image", type: "string", jsonPath: ".spec.image" },
    { name: "Connected", type: "boolean", jsonPath: ".status.connected" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "Workspace",
    metadata: { name: "ada-checkout", namespace: "payments" },
    spec: {
      clusterRef: { name: "shop" },
      owner: "ada@example.com",
      image: "ghcr.io/butlerdotdev/workspace-base:latest",
      repositories: [{ url: "git@github.com:example/checkout.git", secretRef: { name: "checkout-deploy-key" } }],
      envFrom: { name: "checkout" },
      resources: { cpu: "4", memory: "8Gi" },
      dotfiles: { url: "https://github.com/ada/dotfiles.git" },
      idleTimeout: "2h",
      storageSize: "20Gi",
    },
  },
});
export type Workspace = ObjectOf<typeof Workspace>;
