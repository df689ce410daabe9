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
      "Git repository to clone into ~/.config/nvim. Takes precedence over neovimInitLua and neovimConfigArchive.",
    ),
  neovimInitLua: text("Content of ~/.config/nvim/init.lua. If empty, the file is not written."),
  neovimConfigArchive: text("Base64-encoded tar.gz archive to extract into ~/.config/nvim."),
});

/** A development environment in a tenant cluster, reached over SSH. */
export const Workspace = defineResource({
  ...butlerGroup,
  kind: "Workspace",
  scope: "Namespaced",
  shortNames: ["ws"],
  doc:
    "Workspace is a development environment: a pod with a volume in a tenant cluster. Its owner connects to it " +
    "over SSH. The Workspace object is in the team's namespace.",
  spec: z.object({
    clusterRef: localRef("TenantCluster").describe(
      "TenantCluster that runs the workspace. Must be in the same namespace.",
    ),
    owner: z.string().min(1).describe("Email address of the owner."),
    ...workspaceContents,
    resources: workspaceResources
      .optional()
      .describe("Resources for the pod. Defaults to 2 CPU cores and 4Gi of memory."),
    dotfiles: workspaceDotfiles.optional().describe("Dotfiles, installed when the workspace is created."),
    idleTimeout: duration()
      .default("4h")
      .describe(
        "How long to keep the SSH address after the last connection. The pod and volume are kept longer. Defaults to 4h.",
      ),
    autoStopAfter: duration()
      .default("8h")
      .describe(
        "How long to keep the pod after the SSH address is released. The volume is kept longer. Defaults to 8h. 0 means forever.",
      ),
    storageSize: quantity().default("10Gi").describe("Size of the volume. Defaults to 10Gi."),
    sshPublicKeys: z
      .array(z.string())
      .optional()
      .describe("SSH public keys that can connect to the workspace. Defaults to the keys of the owner's User."),
    editorConfig: editorConfig.optional().describe("Neovim configuration. Defaults to the configuration in the image."),
  }),
  status: z.object({
    conditions: conditions("PVCReady", "PodReady", "RepositoryCloned", "DotfilesInstalled", "SSHReady", "Ready"),
    phase: z
      .enum(["Pending", "Creating", "Running", "Starting", "Stopped", "Failed"])
      .optional()
      .describe("Current phase of the workspace. Stopped: the volume is kept, the pod is deleted."),
    podName: text("Pod in the tenant cluster."),
    pvcName: text("PersistentVolumeClaim in the tenant cluster."),
    serviceName: text("SSH Service in the tenant cluster. Set while connected."),
    sshEndpoint: text("SSH address and port. Set while connected."),
    connected: z.boolean().optional().describe("Whether the workspace has an SSH address."),
    lastActivityTime: time()
      .optional()
      .describe("Time of the last connection. idleTimeout is measured from this time."),
    lastDisconnectTime: time()
      .optional()
      .describe("Time at which the SSH address was last released. autoStopAfter is measured from this time."),
    observedGeneration: observedGeneration(),
  }),
  columns: {
    Phase: ".status.phase",
    Cluster: ".spec.clusterRef.name",
    Owner: ".spec.owner",
    Image: ".spec.image",
    Connected: { type: "boolean", jsonPath: ".status.connected" },
  },
  example: {
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
