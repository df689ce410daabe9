import { defineResource, type ObjectOf, quantity } from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";
import { workspaceContents, workspaceDotfiles, workspaceResources } from "./workspace-shapes.ts";

const template = z.object({
  ...workspaceContents,
  dotfiles: workspaceDotfiles.optional().describe("Dotfiles, installed when a workspace is created."),
  resources: workspaceResources
    .optional()
    .describe("Resources for the pod. Defaults to 2 CPU cores and 4Gi of memory."),
  storageSize: quantity().optional().describe("Size of the volume. Defaults to 10Gi."),
});

/** A template for workspaces. */
export const WorkspaceTemplate = defineResource({
  ...butlerGroup,
  kind: "WorkspaceTemplate",
  scope: "Namespaced",
  shortNames: ["wst"],
  doc: "WorkspaceTemplate is a template for new workspaces. Changes to a template do not affect existing workspaces.",
  spec: z.object({
    displayName: z.string().min(1).describe("Display name of the template."),
    description: z.string().optional().describe("Description of the template."),
    icon: z.string().optional().describe("Image URL or icon name. Defaults to the category's icon."),
    category: z
      .enum(["backend", "frontend", "data", "devops", "custom"])
      .default("custom")
      .describe("Category of the template. Defaults to `custom`."),
    scope: z
      .enum(["cluster", "team"])
      .default("team")
      .describe(
        "`team`: available to the team that owns the namespace. `cluster`: available to all teams, for templates in " +
          "the butler-system namespace. Defaults to `team`.",
      ),
    template: template.describe(
      "Initial spec of the workspace. Owner and cluster are set when the workspace is created.",
    ),
  }),
  columns: {
    "Display Name": ".spec.displayName",
    Image: ".spec.template.image",
    Category: ".spec.category",
    Scope: ".spec.scope",
  },
  example: {
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
