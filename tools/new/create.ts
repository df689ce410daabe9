import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { shapes } from "./all-shapes.ts";
import { nameProblem, namesOf } from "./names.ts";
import { repositoryAt, ScaffoldRefusal, writeScaffold } from "./scaffold.ts";

const run = promisify(execFile);

/** What was created, and what is left to do. */
export interface Created {
  readonly paths: readonly string[];
  readonly nextSteps: readonly string[];
}

/** The usage, with all shapes. */
export function usage(): string {
  const width = Math.max(...shapes.map(({ name }) => name.length));
  return [
    `usage: npm run new -- ${shapes.map(({ name }) => name).join("|")} NAME`,
    ...shapes.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
  ].join("\n");
}

/** Creates a shape in the repository in a directory, formatted. */
export async function create(root: string, [shapeName = "", name = "", ...rest]: readonly string[]): Promise<Created> {
  const shape = shapes.find((each) => each.name === shapeName);
  if (shape === undefined || name === "" || rest.length > 0) throw new ScaffoldRefusal(usage());
  const problem = nameProblem(name);
  if (problem !== undefined) throw new ScaffoldRefusal(problem);
  const scaffold = await shape.plan(namesOf(name), repositoryAt(root));
  const paths = await writeScaffold(root, scaffold);
  await run(join(root, "node_modules", ".bin", "prettier"), ["--write", "--log-level=warn", ...paths], { cwd: root });
  return { paths, nextSteps: scaffold.nextSteps };
}
