import { z } from "zod";

const name = (what: string): z.ZodString => z.string().min(1).describe(`Name of the ${what}.`);

/** A reference by name to an object in the referrer's namespace, or to a cluster-scoped one. */
export const localRef = (what = "object"): z.ZodObject<{ name: z.ZodString }> => z.object({ name: name(what) });

/** A reference to a ProviderConfig. */
export const providerRef = (
  whenEmpty = "the namespace of the referring object",
): z.ZodObject<{ name: z.ZodString; namespace: z.ZodOptional<z.ZodString> }> =>
  z.object({
    name: name("ProviderConfig"),
    namespace: z.string().optional().describe(`Namespace of the ProviderConfig. Defaults to ${whenEmpty}.`),
  });

/** A reference to a Secret, or to one key of it. */
export const secretRef = (): z.ZodObject<{
  name: z.ZodString;
  namespace: z.ZodOptional<z.ZodString>;
  key: z.ZodOptional<z.ZodString>;
}> =>
  z.object({
    name: name("Secret"),
    namespace: z
      .string()
      .optional()
      .describe("Namespace of the Secret. Defaults to the namespace of the referring object."),
    key: z.string().optional().describe("Key in the Secret. If empty, all data in the Secret is used."),
  });

/** A full reference to an object in any namespace. */
export const namespacedRef = (what = "object"): z.ZodObject<{ name: z.ZodString; namespace: z.ZodString }> =>
  z.object({ name: name(what), namespace: z.string().min(1).describe(`Namespace of the ${what}.`) });
