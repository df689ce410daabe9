import { localRef } from "@butler/resource";
import { z } from "zod";
import { gitBranch, gitUrl } from "./git-location.ts";
import { quantityText } from "./quantity-text.ts";

/** A Git repository that is cloned into a workspace. */
const workspaceRepository = z.object({
  url: gitUrl().describe("Where the repository is cloned from."),
  name: z
    .string()
    .optional()
    .describe("Folder below /workspace that it is cloned into; when empty, the last part of the URL without `.git`."),
  branch: gitBranch().default("main").describe("Branch that is checked out; `main` when absent."),
  secretRef: localRef("Secret")
    .optional()
    .describe("Secret next to the Workspace with an SSH key or token for the repository; when absent none is used."),
});

/** A Git repository of a workspace. */
export type WorkspaceRepository = z.output<typeof workspaceRepository>;

/** The workload in the tenant cluster whose environment variables a workspace gets. */
const workspaceEnvFrom = z.object({
  kind: z
    .enum(["Deployment", "StatefulSet"])
    .default("Deployment")
    .describe("Kind of the workload; Deployment when absent."),
  name: z.string().min(1).describe("Name of the workload."),
  namespace: z
    .string()
    .default("default")
    .describe("Namespace of the workload in the tenant cluster; `default` when absent."),
  container: z.string().optional().describe("Container whose variables are copied; when empty, the first one."),
});

/** A repository with a person's settings. */
export const workspaceDotfiles = z.object({
  url: gitUrl().describe("Where the settings are cloned from."),
  installCommand: z
    .string()
    .optional()
    .describe(
      "Command that is run in the clone; when empty, the first that is found of install.sh, install, bootstrap.sh, " +
        "bootstrap, setup.sh, setup and Makefile.",
    ),
});

/** How large the pod of a workspace is. */
export const workspaceResources = z.object({
  cpu: quantityText().default("2").describe("CPU cores, guaranteed and at most; 2 when absent."),
  memory: quantityText().default("4Gi").describe("Memory, guaranteed and at most; 4Gi when absent."),
});

/** What a workspace is made of, whether a Workspace says so itself or a template for one does. */
export const workspaceContents = {
  image: z.string().describe("Container image; when the empty text, the TenantCluster's spec.workspaces.defaultImage."),
  repository: workspaceRepository
    .optional()
    .describe("Older way to name one repository; read when repositories is empty."),
  // In the order in which they are cloned.
  repositories: z
    .array(workspaceRepository)
    .max(32)
    .optional()
    .describe("Git repositories, each in a folder of its own below /workspace; wins over repository."),
  envFrom: workspaceEnvFrom
    .optional()
    .describe("Workload in the tenant cluster whose environment variables are copied; when absent none are."),
};

interface Repositories {
  readonly repository?: WorkspaceRepository | undefined;
  readonly repositories?: readonly WorkspaceRepository[] | undefined;
}

/** The repositories to clone, with the older single field read as a list of one. */
export function effectiveRepositories({ repository, repositories = [] }: Repositories): readonly WorkspaceRepository[] {
  if (repositories.length > 0) return repositories;
  return repository === undefined ? [] : [repository];
}
