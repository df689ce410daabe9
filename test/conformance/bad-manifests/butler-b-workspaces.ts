import { Workspace, WorkspaceTemplate } from "@butler/api";
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec, manifestOf } from "./change-manifest.ts";

const workspace = manifestOf(Workspace, "default/bad-workspace", {
  clusterRef: { name: "shop" },
  owner: "ada@example.com",
  image: "ghcr.io/butlerdotdev/workspace-base:latest",
  repositories: [{ url: "https://github.com/example/app.git" }],
});

const workspaceTemplate = manifestOf(WorkspaceTemplate, "default/bad-workspace-template", {
  displayName: "Go service",
  template: { image: "ghcr.io/butlerdotdev/workspace-base:latest" },
});

/** Broken Workspaces and WorkspaceTemplates. */
export const badWorkspaces: readonly BadManifest[] = [
  {
    name: "Workspace: cluster is missing",
    manifest: changeSpec(workspace, "clusterRef", undefined),
    expect: "spec.clusterRef: Required value",
  },
  {
    name: "Workspace: owner is empty",
    manifest: changeSpec(workspace, "owner", ""),
    expect: "spec.owner in body should be at least 1 chars long",
  },
  {
    name: "Workspace: image is missing",
    manifest: changeSpec(workspace, "image", undefined),
    expect: "spec.image: Required value",
  },
  {
    name: "Workspace: repository is a folder",
    manifest: changeSpec(workspace, "repositories.0.url", "/srv/git/app"),
    expect: 'spec.repositories[0].url: Invalid value: "/srv/git/app": must be a Git URL such as https://github.com/',
  },
  {
    name: "Workspace: branch is an option of Git",
    manifest: changeSpec(workspace, "repositories.0.branch", "--help"),
    expect: 'spec.repositories[0].branch: Invalid value: "--help": must be a branch name such as main',
  },
  {
    name: "Workspace: more than 32 repositories",
    manifest: changeSpec(
      workspace,
      "repositories",
      Array.from({ length: 33 }, (_, at) => ({ url: `https://github.com/example/app${at}.git` })),
    ),
    expect: "spec.repositories: Too many: 33: must have at most 32 items",
  },
  {
    name: "Workspace: variables of a kind without containers",
    manifest: changeSpec(workspace, "envFrom", { kind: "ConfigMap", name: "app" }),
    expect: 'spec.envFrom.kind: Unsupported value: "ConfigMap": supported values: "Deployment", "StatefulSet"',
  },
  {
    name: "Workspace: CPU is no quantity",
    manifest: changeSpec(workspace, "resources.cpu", "two"),
    expect: 'spec.resources.cpu: Invalid value: "two": must be a quantity such as 4, 500m or 16Gi',
  },
  {
    name: "Workspace: CPU is a number",
    manifest: changeSpec(workspace, "resources.cpu", 2),
    expect: "spec.resources.cpu in body must be of type string",
  },
  {
    name: "Workspace: memory has a blank",
    manifest: changeSpec(workspace, "resources.memory", "4 Gi"),
    expect: 'spec.resources.memory: Invalid value: "4 Gi": must be a quantity such as 4, 500m or 16Gi',
  },
  {
    name: "Workspace: settings without a repository",
    manifest: changeSpec(workspace, "dotfiles", { installCommand: "make" }),
    expect: "spec.dotfiles.url: Required value",
  },
  {
    name: "Workspace: idle time in days",
    manifest: changeSpec(workspace, "idleTimeout", "1d"),
    expect:
      'spec.idleTimeout: Invalid value: "1d": must be a duration such as 30s, 10m or 1h30m (the largest unit is h)',
  },
  {
    name: "Workspace: autoStopAfter without a unit",
    manifest: changeSpec(workspace, "autoStopAfter", "30"),
    expect: 'spec.autoStopAfter: Invalid value: "30": must be a duration such as 30s, 10m or 1h30m',
  },
  {
    name: "Workspace: volume size is no quantity",
    manifest: changeSpec(workspace, "storageSize", "big"),
    expect: 'spec.storageSize: Invalid value: "big": must be a quantity such as 4, 500m or 16Gi',
  },
  {
    name: "Workspace: editor settings from no URL",
    manifest: changeSpec(workspace, "editorConfig.neovimConfigRepo", "nvim"),
    expect: 'spec.editorConfig.neovimConfigRepo: Invalid value: "nvim": must be a Git URL such as',
  },
  {
    name: "WorkspaceTemplate: title is empty",
    manifest: changeSpec(workspaceTemplate, "displayName", ""),
    expect: "spec.displayName in body should be at least 1 chars long",
  },
  {
    name: "WorkspaceTemplate: template is missing",
    manifest: changeSpec(workspaceTemplate, "template", undefined),
    expect: "spec.template: Required value",
  },
  {
    name: "WorkspaceTemplate: category is unknown",
    manifest: changeSpec(workspaceTemplate, "category", "games"),
    expect:
      'spec.category: Unsupported value: "games": supported values: "backend", "frontend", "data", "devops", "custom"',
  },
  {
    name: "WorkspaceTemplate: scope is unknown",
    manifest: changeSpec(workspaceTemplate, "scope", "platform"),
    expect: 'spec.scope: Unsupported value: "platform": supported values: "cluster", "team"',
  },
  {
    name: "WorkspaceTemplate: an owner, who is known only when a workspace is made",
    manifest: changeSpec(workspaceTemplate, "template.owner", "ada@example.com"),
    expect: 'unknown field "spec.template.owner"',
  },
  {
    name: "WorkspaceTemplate: single repository is no URL",
    manifest: changeSpec(workspaceTemplate, "template.repository", { url: "app" }),
    expect: 'spec.template.repository.url: Invalid value: "app": must be a Git URL such as https://github.com/',
  },
  {
    name: "WorkspaceTemplate: branch of the single repository is an option of Git",
    manifest: changeSpec(workspaceTemplate, "template.repository", { url: "https://git.example.com/a", branch: "-b" }),
    expect: 'spec.template.repository.branch: Invalid value: "-b": must be a branch name such as main',
  },
  {
    name: "WorkspaceTemplate: a repository is no URL",
    manifest: changeSpec(workspaceTemplate, "template.repositories", [
      { url: "https://git.example.com/a" },
      { url: "" },
    ]),
    expect: 'spec.template.repositories[1].url: Invalid value: "": must be a Git URL such as https://github.com/',
  },
  {
    name: "WorkspaceTemplate: a branch has a blank",
    manifest: changeSpec(workspaceTemplate, "template.repositories", [{ url: "git@example.com:a", branch: "a b" }]),
    expect: 'spec.template.repositories[0].branch: Invalid value: "a b": must be a branch name such as main',
  },
  {
    name: "WorkspaceTemplate: settings from no URL",
    manifest: changeSpec(workspaceTemplate, "template.dotfiles.url", "dotfiles"),
    expect: 'spec.template.dotfiles.url: Invalid value: "dotfiles": must be a Git URL such as https://github.com/',
  },
  {
    name: "WorkspaceTemplate: volume size is no quantity",
    manifest: changeSpec(workspaceTemplate, "template.storageSize", "10 GB"),
    expect: 'spec.template.storageSize: Invalid value: "10 GB": must be a quantity such as 4, 500m or 16Gi',
  },
];
