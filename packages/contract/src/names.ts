import { z } from "zod";

/** Name of a Kubernetes object: lowercase letters, digits, `-` and `.`. */
export const objectName = (what: string) =>
  z
    .string()
    .min(1)
    .max(253)
    .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, "must consist of lowercase letters, digits, '-' and '.'")
    .describe(`Name of the ${what}.`);

/** A name that is a DNS label, as namespaces, teams and clusters have. */
export const labelName = (what: string, maximum = 63) =>
  z
    .string()
    .min(1)
    .max(maximum)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, "must consist of lowercase letters, digits and '-'")
    .describe(`Name of the ${what}.`);

/** Name of an environment of a team, which is also the value of a label. */
export const environmentName = () =>
  z
    .string()
    .min(1)
    .max(63)
    .regex(/^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/, "must consist of letters, digits, '-', '_' and '.'")
    .describe("Name of the environment.");

/** An email address, in the lower case that Butler compares it in. */
export const emailAddress = (doc: string) =>
  z
    .string()
    .min(3)
    .max(254)
    .regex(/^[^\s@:]+@[^\s@:]+$/, "must be a valid email address")
    .describe(doc);

/** The role of a person or a group in a team. */
export const teamRole = z.enum(["admin", "operator", "viewer"]);

/** A timestamp as RFC 3339 text. */
export const moment = (doc: string) => z.string().describe(`${doc} (RFC 3339).`);

/** A Kubernetes version with its `v`. */
export const kubernetesVersion = () =>
  z
    .string()
    .max(64)
    .regex(/^v[0-9]+\.[0-9]+\.[0-9]+$/, "must be a version such as v1.34.1")
    .describe("Kubernetes version, such as v1.34.1.");
