import { formattedText, immutable } from "@butler/resource";
import type { z } from "zod";

// These names are used in key prefixes, database statements and connection strings, where any other character could
// change the meaning of what surrounds it.
const identifier = () =>
  formattedText({
    pattern: "^[A-Za-z0-9_-]{1,63}$",
    message: "must consist of 1 to 63 letters, digits, '_' or '-'",
    maxLength: 63,
  });

/** The `dataStoreSchema` field. */
export const dataStoreSchema = (): z.ZodOptional<z.ZodString> =>
  immutable(identifier(), "dataStoreSchema")
    .optional()
    .describe("Database, bucket or key prefix in the DataStore. If empty, derived from the object's UID.");

/** The `dataStoreUsername` field. */
export const dataStoreUsername = (): z.ZodOptional<z.ZodString> =>
  immutable(identifier(), "dataStoreUsername")
    .optional()
    .describe("User in the DataStore. Defaults to the schema name.");
