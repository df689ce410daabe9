import { sentenceCase } from "./names.ts";
import { requireKind, type Shape } from "./scaffold.ts";

/** A command of butlerctl that lists the objects of an existing kind. */
export const commandShape: Shape = {
  name: "command",
  summary: "a command of butlerctl that lists the objects of an existing kind",
  plan: (names, repository) => {
    requireKind(names, repository);
    const { kebab, camel, pascal, plural } = names;
    const folder = `apps/butlerctl/src/${kebab}`;
    return {
      files: {
        [`${folder}/${kebab}.ts`]: `
import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { listCommand } from "./list.ts";

/** \`butlerctl ${kebab}\`, with all of its commands. */
export function ${camel}Group(terminal: Terminal): Command {
  return new Command("${kebab}").description("Show ${plural.words}").addCommand(listCommand(terminal));
}
`,
        [`${folder}/list.ts`]: `
import { ${pascal} } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { inSession, readList, type SessionOptions } from "@butler/cli-session";
import { keyText } from "@butler/resource";
import { Command } from "commander";
import { withRowsOptions } from "../rows-command.ts";
import { changesOf, type RowsOptions, showRows } from "../show-rows.ts";
import { ${camel}View } from "./${kebab}-view.ts";

interface ListOptions extends SessionOptions, RowsOptions {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
}

/** \`butlerctl ${kebab} list\`. */
export function listCommand(terminal: Terminal): Command {
  const command = withRowsOptions(
    new Command("list")
      .alias("ls")
      .description("List ${plural.words}")
      .option("-n, --namespace <namespace>", "namespace of the ${plural.words}")
      .option("-A, --all-namespaces", "list ${plural.words} in all namespaces"),
  );
  command.action(inSession<ListOptions>(terminal, async (session, options) => {
      const namespace = options.allNamespaces ? undefined : (options.namespace ?? session.contextNamespace);
      const scope = namespace === undefined ? {} : { namespace };
      await showRows(terminal, options, {
        view: ${camel}View(() => terminal.clock.now()),
        read: () => readList(session, ${pascal}, scope),
        idOf: ({ metadata }) => keyText(metadata),
        changes: (signal) => changesOf(session.client, [{ kind: ${pascal}, scope }], signal),
        nothing: "No ${plural.words} found.",
      });
    }));
  return withExamples(command, ["butlerctl ${kebab} list", "butlerctl ${kebab} list -A -o wide"]);
}
`,
        [`${folder}/${kebab}-view.ts`]: `
import { ${pascal} } from "@butler/api";
import { ageOf, type ObjectView } from "@butler/cli-kit";
import { findCondition } from "@butler/resource";

/** How ${plural.words} are shown in lists. */
export function ${camel}View(now: () => Date): ObjectView<${pascal}> {
  return {
    nameOf: ({ metadata }) => \`\${${pascal}.kind.toLowerCase()}.\${${pascal}.group}/\${metadata.name}\`,
    columns: [
      { title: "NAME", value: ({ metadata }) => metadata.name },
      { title: "READY", value: ({ status }) => findCondition(status?.conditions, "Ready")?.status ?? "Unknown" },
      { title: "AGE", value: ({ metadata }) => ageOf(metadata.creationTimestamp, now()) },
      { title: "NAMESPACE", value: ({ metadata }) => metadata.namespace ?? "-", isWide: true },
    ],
  };
}
`,
        [`${folder}/${kebab}-view.test.ts`]: `
import { ${pascal} } from "@butler/api";
import { plainPaint, renderObjects } from "@butler/cli-kit";
import { paperTerminal } from "@butler/cli-kit/testing";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { ${camel}Group } from "./${kebab}.ts";
import { ${camel}View } from "./${kebab}-view.ts";

const sample = parseObject(${pascal}, {
  ...${pascal}.example,
  metadata: { name: "nightly", namespace: "payments", creationTimestamp: "2026-01-01T00:00:00Z" },
});

describe("butlerctl ${kebab}", () => {
  it("lists ${plural.words} with their state and age", () => {
    const view = ${camel}View(() => new Date("2026-01-01T00:02:00Z"));
    const text = renderObjects(view, [sample], { format: "table", hasHeader: true, paint: plainPaint });
    const cells = text.split("\\n").map((line) => line.trim().split(/ {2,}/));
    expect(cells).toEqual([
      ["NAME", "READY", "AGE"],
      ["nightly", "Unknown", "2m"],
    ]);
  });

  it("has the command list", () => {
    const group = ${camel}Group(paperTerminal());
    expect(group.commands.map((command) => command.name())).toEqual(["list"]);
    expect(group.description()).toBe("${sentenceCase(`show ${plural.words}`)}");
  });
});
`,
      },
      edits: [
        {
          type: "entry",
          path: "apps/butlerctl/src/program.ts",
          from: "  return [",
          to: '\n    {\n      names: ["context"',
          line: `    { names: ["${kebab}"], load: async () => (await import("./${kebab}/${kebab}.ts")).${camel}Group(terminal) },`,
        },
      ],
      nextSteps: [
        `Add the columns that users need to ${folder}/${kebab}-view.ts`,
        "Run npm run generate to update the reference of butlerctl",
        `Run the command against a cluster in a test such as apps/butlerctl/src/team/team.cluster.test.ts`,
      ],
    };
  },
};
