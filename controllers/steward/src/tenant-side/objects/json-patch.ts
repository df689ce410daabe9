import { deepEqual, InvalidInput, isRecord } from "@butler/std";

/** One operation of RFC 6902. */
export interface JsonPatch {
  readonly op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  readonly path: string;
  readonly from?: string | undefined;
  readonly value?: unknown;
}

/**
 * Applies operations in order and returns the new document; the input is not modified. Either all of them apply or
 * none.
 */
export function applyJsonPatches(document: unknown, patches: readonly JsonPatch[]): unknown {
  return patches.reduce((current, patch, at) => {
    try {
      return applyPatch(current, patch);
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      throw new InvalidInput(`patch number ${at + 1} (${patch.op} ${patch.path}): ${error.message}`, {
        hint: "Operations are applied in order, each to the result of the previous ones; see RFC 6902.",
      });
    }
  }, document);
}

function applyPatch(document: unknown, patch: JsonPatch): unknown {
  const path = parsePointer(patch.path);
  switch (patch.op) {
    case "add":
      return add(document, path, stated(patch));
    case "remove":
      return remove(document, path);
    case "replace":
      return add(remove(document, path), path, stated(patch));
    case "copy":
      return add(document, path, read(document, source(patch)));
    case "move": {
      const from = source(patch);
      if (isBelow(path, from)) throw new InvalidInput("a value cannot be moved into itself");
      return add(remove(document, from), path, read(document, from));
    }
    case "test":
      if (deepEqual(read(document, path), stated(patch))) return document;
      throw new InvalidInput(`found ${JSON.stringify(read(document, path))}`);
  }
}

function stated(patch: JsonPatch): unknown {
  if (patch.value === undefined) throw new InvalidInput("value is required");
  return patch.value;
}

function source(patch: JsonPatch): string[] {
  if (patch.from === undefined) throw new InvalidInput("from is required");
  return parsePointer(patch.from);
}

/** RFC 6901: parts joined by slashes, in which ~1 stands for a slash and ~0 for a tilde. */
function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) {
    throw new InvalidInput(`${JSON.stringify(pointer)} is not a JSON pointer`);
  }
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function isBelow(path: readonly string[], ancestor: readonly string[]): boolean {
  return path.length > ancestor.length && ancestor.every((part, at) => path[at] === part);
}

function read(document: unknown, path: readonly string[]): unknown {
  return path.reduce((value, part) => child(value, part), document);
}

function child(value: unknown, part: string): unknown {
  if (Array.isArray(value)) return value[existingIndex(value, part)] as unknown;
  if (isRecord(value) && Object.hasOwn(value, part)) return value[part];
  throw new InvalidInput(`${JSON.stringify(part)} does not exist`);
}

function add(document: unknown, path: readonly string[], value: unknown): unknown {
  return changeParent(document, path, {
    root: () => value,
    inList: (list, part) => list.toSpliced(part === "-" ? list.length : index(part, list.length), 0, value),
    inRecord: (record, part) => withField(record, part, value),
  });
}

function remove(document: unknown, path: readonly string[]): unknown {
  return changeParent(document, path, {
    root: () => null,
    inList: (list, part) => list.toSpliced(existingIndex(list, part), 1),
    inRecord: (record, part) => {
      child(record, part);
      return Object.fromEntries(Object.entries(record).filter(([name]) => name !== part));
    },
  });
}

interface Change {
  readonly root: () => unknown;
  readonly inList: (list: readonly unknown[], part: string) => unknown;
  readonly inRecord: (record: Readonly<Record<string, unknown>>, part: string) => unknown;
}

/** Rebuilds the path to the parent of the last part and changes that parent. */
function changeParent(document: unknown, path: readonly string[], change: Change): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return change.root();
  if (rest.length > 0) {
    const changed = changeParent(child(document, part), rest, change);
    if (Array.isArray(document)) return document.with(existingIndex(document, part), changed);
    return withField(document as Record<string, unknown>, part, changed);
  }
  if (Array.isArray(document)) return change.inList(document, part);
  if (isRecord(document)) return change.inRecord(document, part);
  throw new InvalidInput(`the parent of ${JSON.stringify(part)} is not an object or list`);
}

/** A field of any name, `__proto__` too, becomes a plain field. */
function withField(record: Readonly<Record<string, unknown>>, name: string, value: unknown): Record<string, unknown> {
  return Object.fromEntries([...Object.entries(record).filter(([other]) => other !== name), [name, value]]);
}

function existingIndex(list: readonly unknown[], part: string): number {
  return index(part, list.length - 1);
}

function index(part: string, largest: number): number {
  const number = /^(0|[1-9]\d{0,8})$/.test(part) ? Number(part) : Number.NaN;
  if (number <= largest) return number;
  throw new InvalidInput(`no item ${JSON.stringify(part)} in the list`);
}
