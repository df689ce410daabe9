import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type DefinitionFault, definitionFaults } from "@butler/addons";
import { AddonDefinition } from "@butler/api";
import { parseObject } from "@butler/resource";
import { describeError, InvalidInput, isRecord } from "@butler/std";
import { parseAllDocuments } from "yaml";

/** One document of a file: an AddonDefinition, or the reasons why it is invalid. */
export interface ReadDefinition {
  /** The file, and the number of the document when the file has several. */
  readonly source: string;
  /** The original document, which is sent to the API server. */
  readonly written: Readonly<Record<string, unknown>> | undefined;
  /** The parsed definition; undefined when it does not match the schema. */
  readonly definition: AddonDefinition | undefined;
  readonly faults: readonly DefinitionFault[];
}

/** Reads AddonDefinitions from files, directories and standard input. */
export async function readDefinitions(
  files: readonly string[],
  readInput: () => Promise<string>,
): Promise<readonly ReadDefinition[]> {
  const texts: (readonly [string, string])[] = [];
  for (const file of files) {
    if (file === "-") texts.push(["standard input", await readInput()]);
    else for (const each of await filesOf(file)) texts.push([each, await readText(each)]);
  }
  return texts.flatMap(([source, text]) => parseDefinitions(source, text));
}

async function filesOf(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = (await readdir(path)).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
    if (names.length === 0) throw new InvalidInput(`${path} contains no .yaml, .yml or .json files`);
    return names.map((name) => join(path, name));
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    throw new InvalidInput(`cannot read ${path}: ${describeError(error)}`);
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new InvalidInput(`cannot read ${file}: ${describeError(error)}`);
  }
}

/** The AddonDefinitions in a text, each with its own errors, independent of the others. */
export function parseDefinitions(source: string, text: string): readonly ReadDefinition[] {
  const found = parseAllDocuments(text);
  const documents = (Array.isArray(found) ? found : []).filter(
    ({ contents, errors }) => errors.length > 0 || contents !== null,
  );
  if (documents.length === 0) return [broken(source, "is empty")];
  return documents.map((document, at) => {
    const place = documents.length === 1 ? source : `${source}, document ${at + 1}`;
    const [problem] = document.errors;
    if (problem !== undefined) return broken(place, `invalid YAML: ${problem.message.split("\n")[0] ?? ""}`);
    return readOne(place, document.toJS({ maxAliasCount: 100 }));
  });
}

function readOne(source: string, value: unknown): ReadDefinition {
  if (
    !isRecord(value) ||
    value["kind"] !== AddonDefinition.kind ||
    value["apiVersion"] !== AddonDefinition.apiVersion
  ) {
    return broken(source, `not an AddonDefinition with apiVersion ${AddonDefinition.apiVersion}`);
  }
  try {
    const definition = parseObject(AddonDefinition, value);
    return { source, written: value, definition, faults: definitionFaults(definition, []) };
  } catch (error) {
    return { source, written: value, definition: undefined, faults: schemaFaults(error) };
  }
}

/** Schema errors, field by field. */
function schemaFaults(error: unknown): readonly DefinitionFault[] {
  const issues = isRecord(error) && Array.isArray(error["issues"]) ? (error["issues"] as unknown[]) : [];
  const faults = issues.filter(isRecord).map(({ path, message }) => ({
    path: Array.isArray(path) ? path.map(String).join(".") : "",
    message: String(message),
  }));
  return faults.length > 0 ? faults : [{ path: "", message: describeError(error) }];
}

function broken(source: string, message: string): ReadDefinition {
  return { source, written: undefined, definition: undefined, faults: [{ path: "", message }] };
}

/** Errors among several definitions: duplicate names and dependency cycles. */
export function faultsAmong(
  read: readonly ReadDefinition[],
  others: readonly AddonDefinition[],
): readonly ReadDefinition[] {
  const given = read.flatMap(({ definition }) => (definition === undefined ? [] : [definition]));
  return read.map((each) => {
    const { definition } = each;
    if (definition === undefined) return each;
    const name = definition.metadata.name;
    const rest = [...given.filter((other) => other !== definition), ...others].filter(
      ({ metadata }) => metadata.name !== name,
    );
    const isTwice = given.filter(({ metadata }) => metadata.name === name).length > 1;
    const twice = isTwice ? [{ path: "metadata.name", message: `duplicate name ${JSON.stringify(name)}` }] : [];
    return { ...each, faults: [...definitionFaults(definition, rest), ...twice] };
  });
}

/** Errors as text, one per line. */
export function faultLines(read: readonly ReadDefinition[]): readonly string[] {
  return read.flatMap(({ source, faults }) =>
    faults.map(({ path, message }) => `${source}: ${path === "" ? "" : `${path}: `}${message}`),
  );
}

/** Fails with every error when a definition is invalid. */
export function requireFaultless(read: readonly ReadDefinition[]): void {
  const lines = faultLines(read);
  if (lines.length === 0) return;
  throw new InvalidInput([`${lines.length === 1 ? "1 error" : `${lines.length} errors`}:`, ...lines].join("\n  "));
}
