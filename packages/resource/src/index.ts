/**
 * One declaration per kind. `defineResource` takes Zod schemas and gives TypeScript types, the CRD, the reference page
 * and the text of `kubectl explain`. Also here: the object model, conditions, blockers and references that all kinds
 * share.
 */
export * from "./blocker.ts";
export * from "./conditions.ts";
export * from "./crd.ts";
export * from "./define-resource.ts";
export * from "./fields.ts";
export * from "./kind.ts";
export * from "./markdown.ts";
export * from "./object.ts";
export * from "./references.ts";
export * from "./structural-schema.ts";
