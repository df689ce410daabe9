import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ReleaseTemplate, selectTools, type Tool, type ToolsLock } from "../lock-file.ts";
import type { Source, SourceName, SourceRequest } from "../sources/source.ts";

const release: ReleaseTemplate = {
  baseUrl: "http://127.0.0.1:9",
  mirrorVariable: "MIRROR",
  path: "{version}/{name}",
  checksumPath: "{version}/{name}.sha256",
};

/** A lock file with the named tools, all of version v1.2.3. */
export function aToolsLock(names: readonly string[], overrides: Partial<ReleaseTemplate> = {}): ToolsLock {
  const tool = { project: "fake", version: "v1.2.3", versionArguments: ["--version"], buildSeconds: 10, megabytes: 1 };
  return {
    modules: { engine: { directory: "." } },
    projects: { fake: { release: { ...release, ...overrides }, linkValues: {} } },
    tools: Object.fromEntries(names.map((name) => [name, { ...tool, package: `example.com/cmd/${name}` }])),
  };
}

/** The tools of such a lock file. */
export function someTools(...names: readonly string[]): Tool[] {
  return selectTools(aToolsLock(names), names);
}

/** A program that prints a version; the mark makes two programs different. */
export function fakeProgram(version = "v1.2.3", mark = ""): string {
  return `#!/bin/sh\necho ${version}\n# ${mark}\n`;
}

/** A source that writes programs from memory and records its requests. */
export interface FakeSource extends Source {
  readonly asked: string[][];
}

/** Delivers the programs it has and fails for all others. */
export function fakeSource(
  name: SourceName,
  programs: Readonly<Record<string, string>>,
  beforeDelivery: (request: SourceRequest) => Promise<void> = () => Promise.resolve(),
): FakeSource {
  const asked: string[][] = [];
  return {
    name,
    asked,
    bring: async (request) => {
      asked.push(request.tools.map((tool) => tool.name));
      await beforeDelivery(request);
      for (const tool of request.tools) {
        const program = programs[tool.name];
        if (program === undefined) {
          request.fail(tool, new Error(`${name} has no ${tool.name}`));
          continue;
        }
        const file = join(request.workDirectory, tool.name);
        request.working(tool);
        await writeFile(file, program);
        await request.deliver(tool, file);
      }
    },
  };
}
