import { durationPattern, isRecord, quantityPattern } from "@butler/std";
import { z } from "zod";

/** A rule in the Common Expression Language that the API server checks on every write. */
export interface CelRule {
  readonly rule: string;
  /** Description of a valid value, as the end of a sentence that begins with the path of the field. */
  readonly message?: string;
  /** A CEL expression for the message, to include the invalid value. */
  readonly messageExpression?: string;
  readonly reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | "FieldValueDuplicate";
  /** Path below the schema that carries the rule, for a more exact error (`.spec.cidr`). */
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

const validations = "x-kubernetes-validations";

/** Adds CEL rules to a schema, after those it has. */
export function withRules<T extends z.ZodType>(schema: T, ...rules: readonly CelRule[]): T {
  return schema.meta({ [validations]: [...rulesOf(schema), ...rules] });
}

/** The rules of a schema; a wrapper without rules has those of the wrapped schema. */
function rulesOf(schema: z.ZodType): readonly CelRule[] {
  const own = schema.meta()?.[validations];
  if (own !== undefined) return own as readonly CelRule[];
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return isWrapper ? rulesOf(schema.unwrap() as z.ZodType) : [];
}

/**
 * Makes a field immutable once it is set. The API server does not evaluate the rules of a removed field,
 * so a field that must not be removed either requires `keptOnceSet` on its parent.
 */
export function immutable<T extends z.ZodType>(schema: T, name: string): T {
  return withRules(schema, { rule: "self == oldSelf", message: `${name} is immutable` });
}

/** Rules for an object: each of the named optional fields, once set, stays set. */
export function keptOnceSet(...names: readonly string[]): CelRule[] {
  return names.map((name) => ({
    rule: `!has(oldSelf.${name}) || has(self.${name})`,
    message: `${name} cannot be removed once it is set`,
    fieldPath: `.${name}`,
  }));
}

export interface TextForm {
  /** An RE2 pattern for the whole text. */
  readonly pattern: string;
  /** Description of a valid value, as the end of a sentence that begins with the path of the field. */
  readonly message: string;
  readonly maxLength: number;
}

/** Text with a pattern. Validation errors contain the message instead of the pattern. */
export function formattedText({ pattern, message, maxLength }: TextForm): z.ZodString {
  const quoted = pattern.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  return withRules(z.string().regex(new RegExp(pattern), message).max(maxLength).meta({ pattern: undefined }), {
    rule: `self.matches('${quoted}')`,
    message,
  });
}

/** A 32-bit integer. */
export const int32 = (): z.ZodInt => z.int().meta({ format: "int32" });

/** A 64-bit integer. */
export const int64 = (): z.ZodInt => z.int().meta({ format: "int64" });

/** A timestamp in RFC 3339 format. */
export const time = (): z.ZodString => z.string().meta({ format: "date-time" });

/** Text in Go's duration form. */
export const duration = (): z.ZodString =>
  formattedText({
    pattern: durationPattern,
    message: "must be a duration such as 30s, 10m or 1h30m (the largest unit is h)",
    maxLength: 64,
  });

/** A Kubernetes quantity: `4`, `500m`, `16Gi`. */
export const quantity = (): z.ZodUnion<readonly [z.ZodInt, z.ZodString]> =>
  withRules(z.union([z.int(), z.string().regex(new RegExp(quantityPattern))]), {
    rule: "type(self) == int || isQuantity(string(self))",
    message: "must be a quantity such as 4, 500m or 16Gi",
  }).meta({ "x-kubernetes-int-or-string": true, maxLength: 64 });

/** A number or a text, as in `maxUnavailable: 1` and `maxUnavailable: 25%`. */
export const intOrString = (): z.ZodUnion<readonly [z.ZodInt, z.ZodString]> =>
  z.union([z.int(), z.string()]).meta({ "x-kubernetes-int-or-string": true });

/** An IPv4 or IPv6 network such as `10.244.0.0/16`. */
export const cidr = (example = "10.244.0.0/16"): z.ZodString =>
  withRules(z.string().max(64), { rule: "isCIDR(self)", message: `must be a CIDR such as ${example}` });

/** An IPv4 or IPv6 address. */
export const ipAddress = (example = "10.40.1.100"): z.ZodString =>
  withRules(z.string().max(64), { rule: "isIP(self)", message: `must be an IP address such as ${example}` });

/** An http or https address. */
export const httpUrl = (example = "https://example.com"): z.ZodString =>
  withRules(z.string().max(2048), {
    rule: "self.matches('^https?://[^ ]+$')",
    message: `must be an http or https URL such as ${example}`,
  });

/** A name that Kubernetes accepts as a label of a DNS name (RFC 1123), at most 63 characters. */
export const dnsLabel = (): z.ZodString =>
  withRules(z.string().min(1).max(63), {
    rule: "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
    message: "must consist of lowercase letters, digits and '-', and start and end with a letter or digit",
  });

/** An email address. */
export const email = (): z.ZodString => z.string().meta({ format: "email" });

/** Text keys to text values, as labels and annotations are. */
export const stringMap = (): z.ZodRecord<z.ZodString, z.ZodString> => z.record(z.string(), z.string());

/** A list whose items are identified by key fields, so that server-side apply merges them individually. */
export function listMap<T extends z.ZodType>(item: T, ...keys: readonly [string, ...string[]]): z.ZodArray<T> {
  return z.array(item).meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys });
}

/** A list of unique values without an order. */
export function setOf<T extends z.ZodType>(item: T): z.ZodArray<T> {
  return z.array(item).meta({ "x-kubernetes-list-type": "set" });
}

/**
 * An object whose fields are not described by the CRD: free-form values, or a large built-in Kubernetes type that is
 * validated where it is used. The type parameter is the type in our code.
 */
export function openObject<T = Record<string, unknown>>(): z.ZodType<T, T> {
  return z
    .custom<T>((value) => isRecord(value), "must be an object")
    .meta({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
}

/** An object of which the CRD describes only the fields that our code reads; other fields are preserved. */
export function openShape<T extends z.ZodRawShape>(shape: T): z.ZodObject<T, z.core.$loose> {
  return z.looseObject(shape).meta({ "x-kubernetes-preserve-unknown-fields": true });
}

/** Any JSON value at all. */
export function anyValue(): z.ZodType {
  return z.unknown().meta({ "x-kubernetes-preserve-unknown-fields": true });
}
