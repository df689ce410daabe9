import type { DynamicObject } from "@butler/resource";
import { isRecord } from "@butler/std";
import { parse } from "yaml";

/** Annotations that Kubernetes' controllers, kubeadm and Steward write for themselves. */
const notes = [
  "applied.butler.butlerlabs.dev/",
  "steward.butlerlabs.dev/",
  "kubeadm.kubernetes.io/",
  "deployment.kubernetes.io/",
  "deprecated.daemonset.template.generation",
];

/**
 * The content of an object regardless of its writer: without annotations and status, with configuration texts parsed.
 */
export function normalise(object: DynamicObject): Record<string, unknown> {
  const { metadata, status: _status, data, ...body } = object;
  return {
    ...body,
    labels: withoutNotes(metadata.labels),
    annotations: withoutNotes(metadata.annotations),
    ...(isRecord(data) ? { data: readTexts(data) } : {}),
  };
}

function withoutNotes(map: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !notes.some((note) => name.startsWith(note))));
}

function readTexts(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // Signatures of bootstrap tokens come and go with the tokens.
  const kept = Object.entries(data).filter(([name]) => !name.startsWith("jws-kubeconfig-"));
  return Object.fromEntries(
    kept.map(([name, text]) => {
      const isYaml = name !== "Corefile";
      return [name, isYaml ? withoutEmpty(parse(String(text))) : String(text).replaceAll(/\s+/g, " ").trim()];
    }),
  );
}

/** Go programs write unset fields; readers treat them as not set. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value)
    .map(([name, inner]) => [name, withoutEmpty(inner)] as const)
    .filter(([name, inner]) => !isEmpty(inner) || name === "name");
  return Object.fromEntries(entries);
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isRecord(value)) return Object.keys(value).length === 0;
  return [null, "", 0, "0", "0s"].includes(value as null | string | number);
}

/** Takes the value at a path of names out of a copy; undefined when there is none. */
export function takeOut(object: Record<string, unknown>, path: readonly string[]): unknown {
  const [name = "", ...rest] = path;
  const inner = object[name];
  if (rest.length > 0) return isRecord(inner) ? takeOut(inner, rest) : undefined;
  delete object[name];
  return inner;
}
