import { allResources } from "@butler/api";
import { butleradm } from "@butler/butleradm/program";
import { butlerctl } from "@butler/butlerctl/program";
import { buildReference, processTerminal } from "@butler/cli-kit";
import { allRoutes, buildRestReference } from "@butler/contract";
import { buildCrd, buildMarkdown, type Resource } from "@butler/resource";
import { format } from "prettier";
import { stringify } from "yaml";
import { readCatalog } from "./catalog-files.ts";
import { chartFiles, chartFolder } from "./chart-files.ts";
import { imageFiles } from "./image-files.ts";

/** Directories that contain only generated files. */
export const generatedFolders = ["deploy/crds", "deploy/images", chartFolder, "docs/reference/kinds"] as const;

const yamlHeader = "# Generated from packages/api by npm run generate. Do not edit.\n";
const markdownHeader = "<!-- Generated from packages/api by npm run generate. Do not edit. -->\n\n";

/** Every generated file: path relative to the root of the repository, and content. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const files = new Map([...(await imageFiles()), ...(await chartFiles())]);
  for (const resource of allResources) {
    const yaml = yamlHeader + stringify(buildCrd(resource), { lineWidth: 0, aliasDuplicateObjects: false });
    files.set(`deploy/crds/${resource.group}_${resource.plural}.yaml`, await format(yaml, { parser: "yaml" }));
    const page = markdownHeader + buildMarkdown(resource);
    files.set(`docs/reference/kinds/${resource.kind.toLowerCase()}.md`, await format(page, { parser: "markdown" }));
  }
  files.set("docs/reference/kinds/index.md", await format(kindIndex(allResources), { parser: "markdown" }));
  const catalog = JSON.stringify([...(await readCatalog()).values()]);
  files.set(
    "controllers/addons/src/catalog/builtin-catalog.json",
    await format(catalog, { parser: "json", printWidth: 120 }),
  );
  const rest = markdownHeader.replace("packages/api", "packages/contract") + buildRestReference(allRoutes);
  files.set("docs/reference/rest.md", await format(rest, { parser: "markdown" }));
  for (const [name, program] of Object.entries({ butlerctl, butleradm })) {
    const header = markdownHeader.replace("packages/api", `apps/${name}`);
    const page = header + buildReference(await program.build(processTerminal()));
    files.set(`docs/reference/${name}.md`, await format(page, { parser: "markdown" }));
  }
  return files;
}

function kindIndex(resources: readonly Resource[]): string {
  const rows = resources.map((resource) => {
    const { kind, apiVersion, scope, shortNames, doc } = resource;
    const summary = doc.split(/(?<=\.)\s/)[0] ?? doc;
    return `| [${kind}](./${kind.toLowerCase()}.md) | \`${apiVersion}\` | ${scope} | ${shortNames.join(", ")} | ${summary} |`;
  });
  return [
    markdownHeader + "# Kinds",
    "",
    "| Kind | API version | Scope | Short names | Description |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
