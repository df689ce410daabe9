import { localRef } from "@butler/resource";
import { z } from "zod";
import { gitBranch, gitUrl } from "./git-location.ts";
import { quantityText } from "./quantity-text.ts";

/** A Git repository that is cloned into a workspace. */
const workspaceRepository = z.object({
  url: gitUrl().describe("URL of the repository."),
  name: z
    .string()
    .optional()
    .describe("Directory below /workspace to clone into. Defaults to the last part of the URL without `.git`."),
  branch: gitBranch().default("main").describe("Branch to check out. Defaults to `main`."),
  secretRef: localRef("Secret")
    .optional()
    .describe(
      "Secret in the Workspace's namespace with an SSH key or token for the repository. If unset, no credentials are used.",
    ),
});

/** A Git repository of a workspace. */
export type WorkspaceRepository = z.output<typeof workspaceRepository>;

/** The workload in the tenant cluster whose environment variables a workspace gets. */
const workspaceEnvFrom = z.object({
  kind: z
    .enum(["Deployment", "StatefulSet"])
    .default("Deployment")
    .describe("Kind of the workload. Defaults to Deployment."),
  name: z.string().min(1).describe("Name of the workload."),
  namespace: z
    .string()
    .default("default")
    .describe("Namespace of the workload in the tenant cluster. Defaults to `default`."),
  container: z.string().optional().describe("Container to copy the variables from. Defaults to the first container."),
});

/** A repository with a person's settings. */
export const workspaceDotfiles = z.object({
  url: gitUrl().describe("URL of the dotfiles repository."),
  installCommand: z
    .string()
    .optional()
    .describe(
      "Command to run in the cloned repository. Defaults to the first of these files that exists: install.sh, " +
        "install, bootstrap.sh, bootstrap, setup.sh, setup, Makefile.",
    ),
});

/** Resources of a workspace pod. */
export const workspaceResources = z.object({
  cpu: quantityText().default("2").describe("CPU request and limit. Defaults to 2."),
  memory: quantityText().default("4Gi").describe("Memory request and limit. Defaults to 4Gi."),
});

/** Fields shared by Workspace and WorkspaceTemplate. */
export const workspaceContents = {
  image: z.string().describe("Container image. If empty, the TenantCluster's spec.workspaces.defaultImage is used."),
  repository: workspaceRepository.optional().describe("Deprecated: use repositories. Used if repositories is empty."),
  // In the order in which they are cloned.
  repositories: z
    .array(workspaceRepository)
    .max(32)
    .optional()
    .describe(
      "Git repositories, each cloned into its own directory below /workspace. Takes precedence over repository.",
    ),
  envFrom: workspaceEnvFrom.optional().describe("Workload in the tenant cluster to copy environment variables from."),
};

interface Repositories {
  readonly repository?: WorkspaceRepository | undefined;
  readonly repositories?: readonly WorkspaceRepository[] | undefined;
}

/** The repositories to clone; the deprecated single field counts as a list of one. */
export function effectiveRepositories({ repository, repositories = [] }: Repositories): readonly WorkspaceRepository[] {
  if (repositories.length > 0) return repositories;
  return repository === undefined ? [] : [repository];
}
