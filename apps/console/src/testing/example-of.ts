import type { z } from "zod";

/** The example of a response in the reference, with the fields that a test changes. */
export function exampleOf<S extends z.ZodObject>(schema: S, change: Partial<z.output<S>> = {}): z.output<S> {
  const examples = schema.meta()?.["examples"] as readonly z.output<S>[] | undefined;
  if (examples?.[0] === undefined) throw new Error("the schema has no example");
  return { ...examples[0], ...change };
}
