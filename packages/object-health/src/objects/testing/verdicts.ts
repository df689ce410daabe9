import type { DynamicObject } from "@butler/resource";
import { expect, it } from "vitest";
import type { Readiness } from "../readiness.ts";
import { readinessOf } from "../readiness-of.ts";

interface Body {
  readonly spec?: unknown;
  readonly status?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** An object as the API server would store it after its first change. */
export function make(type: string, { metadata, ...body }: Body = {}): DynamicObject {
  const at = type.lastIndexOf("/");
  return {
    apiVersion: at < 0 ? "v1" : type.slice(0, at),
    kind: type.slice(at + 1),
    metadata: { name: "x", namespace: "n", generation: 2, ...metadata },
    ...body,
  };
}

/** The status of an object whose latest spec has been observed. */
export const seen = { observedGeneration: 2 };
/** A condition in a status. */
export const condition = (type: string, status = "True", more: object = {}) => ({ type, status, ...more });

type Row = readonly [what: string, object: DynamicObject, state: Readiness["state"], message: string | RegExp];

/** One test for each object and its verdict. */
export function table(rows: readonly Row[]): void {
  it.each(rows)("%s", (...[, object, state, message]) => {
    const verdict = readinessOf(object);
    expect(verdict).toEqual({ state, message: expect.stringMatching(message) as string });
  });
}
