import { labels, TenantCluster } from "@butler/api";
import { deepEqual, isRecord } from "@butler/std";
import { type Document, isMap, parseDocument, stringify } from "yaml";
import type { Draft, Parts } from "./draft.ts";
import type { TeamFacts } from "./presets.ts";
import { manifestOf } from "./request.ts";

type Team = Pick<TeamFacts, "name" | "namespace">;

/** Parsed YAML: a draft, or the error. */
export type ReadYaml = { readonly draft: Draft } | { readonly fault: string };

/** The draft as YAML. Comments are kept in place. */
export function yamlOf(draft: Draft, team: Team): string {
  const manifest = manifestOf(draft, team);
  const written = draft.yaml === undefined ? undefined : parseDocument(draft.yaml);
  if (written === undefined || written.errors.length > 0 || !isMap(written.contents)) return stringify(manifest);
  bringTo(written, { path: [], before: written.toJS() as unknown, after: manifest });
  return written.toString();
}

interface Place {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: Parts;
}

/** Changes only what differs, because replaced nodes lose their comments. */
function bringTo(written: Document, { path, before, after }: Place): void {
  const known = isRecord(before) ? before : {};
  for (const name of new Set([...Object.keys(known), ...Object.keys(after)])) {
    const [old, value] = [known[name], after[name]];
    const here = [...path, name];
    if (deepEqual(old ?? null, value ?? null)) continue;
    if (value === undefined) written.deleteIn(here);
    else if (isRecord(old) && isRecord(value)) bringTo(written, { path: here, before: old, after: value });
    else written.setIn(here, written.createNode(value));
  }
}

/** Parses a manifest into a draft. Selected add-ons are not part of the manifest and are kept. */
export function draftOfYaml(text: string, team: Team, before: Draft): ReadYaml {
  const written = parseDocument(text);
  const [error] = written.errors;
  if (error !== undefined) return { fault: error.message.split("\n")[0] ?? "Invalid YAML." };
  const value = plain(written);
  if (!isRecord(value)) return { fault: "Enter exactly one manifest, with apiVersion and kind." };
  const fault = kindFault(value) ?? metadataFault(value["metadata"], team) ?? specFault(value["spec"], team);
  return fault === undefined ? { draft: { ...read(value), addons: before.addons, yaml: text } } : { fault };
}

function plain(written: Document): unknown {
  try {
    return written.toJS();
  } catch {
    // Excessive alias expansion.
    return undefined;
  }
}

function read({ metadata, spec }: Parts): Omit<Draft, "addons"> {
  const { name, labels: all } = metadata as { readonly name: string; readonly labels?: Record<string, string> };
  const { [labels.environment]: environment = "", ...others } = all ?? {};
  const { teamRef: _team, ...rest } = (spec ?? {}) as Parts;
  return { name, environment, labels: others, spec: rest };
}

function kindFault({ apiVersion, kind, ...rest }: Parts): string | undefined {
  if (kind !== TenantCluster.kind) return `kind must be ${TenantCluster.kind}.`;
  if (apiVersion !== TenantCluster.apiVersion) return `apiVersion must be ${TenantCluster.apiVersion}.`;
  const [stranger] = Object.keys(rest).filter((name) => name !== "metadata" && name !== "spec");
  return stranger === undefined ? undefined : `${stranger} is not allowed in the manifest for a new cluster.`;
}

function metadataFault(metadata: unknown, { namespace }: Team): string | undefined {
  if (!isRecord(metadata) || typeof metadata["name"] !== "string") return "metadata.name must be a string.";
  if (metadata["namespace"] !== undefined && metadata["namespace"] !== namespace) {
    return `metadata.namespace must be ${namespace}, the team namespace.`;
  }
  const all = metadata["labels"] ?? {};
  if (!isRecord(all) || Object.values(all).some((value) => typeof value !== "string")) {
    return "metadata.labels values must be strings. Put numbers and booleans in quotes.";
  }
  const [stranger] = Object.keys(metadata).filter((name) => !["name", "namespace", "labels"].includes(name));
  if (stranger === undefined) return undefined;
  return `metadata.${stranger} is not supported here. Remove it, or apply the manifest with kubectl.`;
}

function specFault(spec: unknown, { name }: Team): string | undefined {
  if (spec === undefined || spec === null) return undefined;
  if (!isRecord(spec)) return "spec must be an object.";
  const team = spec["teamRef"];
  const isOwn = team === undefined || (isRecord(team) && team["name"] === name);
  return isOwn ? undefined : `spec.teamRef.name must be ${name}, the current team.`;
}
