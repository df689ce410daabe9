import { defineResource, type ObjectOf, quantity } from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";
import { workspaceContents, workspaceDotfiles, workspaceResources } from "./workspace-shapes.ts";

const template = z.object({
  ...workspaceContents,
  dotfiles: workspaceDotfiles
    .optional()
    .describe("Settings, installed when a workspace is first made; when absent none are."),
  resources: workspaceResources.optional().describe("Size of the pod; when absent 2 CPU cores and 4Gi of memory."),
  storageSize: quantity().optional().describe("Size of the volume; when absent the default of Workspace."),
});

/** A saved starting point for workspaces. */
export const WorkspaceTemplate = defineResource({
  ...butlerGroup,
  kind: "WorkspaceTemplate",
  scope: "Namespaced",
  shortNames: ["wst"],
  doc:
    "WorkspaceTemplate is a saved starting point from which people make workspaces. It is only read when a workspace " +
    "is made; changing it changes no workspace.",
  spec: z.object({
    displayName: z.string().min(1).describe("Title shown to people who choose."),
    description: z.string().optional().describe("What the template is for, shown to people who choose."),
    icon: z.string().optional().describe("URL of a picture or name of an icon; when empty the category's icon."),
    category: z
      .enum(["backend", "frontend", "data", "devops", "custom"])
      .default("custom")
      .describe("Group that the template is listed in; `custom` when absent."),
    scope: z
      .enum(["cluster", "team"])
      .default("team")
      .describe(
        "`team` offers it in the team of its namespace; `cluster` in every team, from namespace butler-system. " +
          "`team` when absent.",
      ),
    template: template.describe("What the workspace begins with; owner and cluster are filled in when it is made."),
  }),
  columns: [
    { name: "Display Name", type: "string", jsonPath: ".spec.displayName" },
    { name: "Image", type: "string", jsonPath: ".spec.template.image" },
    { name: "Category", type: "string", jsonPath: ".spec.category" },
    { name: "Scope", type: "string", jsonPath: ".spec.scope" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "WorkspaceTemplate",
    metadata: { name: "go-service", namespace: "butler-system" },
    spec: {
      displayName: "Go service",
      description: "Go toolchain and the service skeleton",
      category: "backend",
      scope: "cluster",
      template: {
        image: "ghcr.io/butlerdotdev/workspace-base:latest",
        repositories: [{ url: "https://github.com/example/service-skeleton.git" }],
        resources: { cpu: "4", memory: "8Gi" },
        storageSize: "30Gi",
      },
    },
  },
});
export type WorkspaceTemplate = ObjectOf<typeof WorkspaceTemplate>;
