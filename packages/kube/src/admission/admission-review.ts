import { apiVersionOf, type DynamicObject, type Kind, kindId, type KubeObject } from "@butler/resource";
import { ButlerError, deepFreeze, InvalidInput, isRecord, Timeout } from "@butler/std";
import jsonPatch from "fast-json-patch";
import type { ObjectFor } from "../client/object-for.ts";
import { frozenDenials, isOfTerminating } from "./terminating.ts";

/** The request to admit (admission.k8s.io/v1, AdmissionRequest). Deeply frozen. */
export interface AdmissionRequest<T extends KubeObject = DynamicObject> {
  readonly uid: string;
  readonly kind: Pick<Kind, "group" | "version" | "kind">;
  readonly subResource: string | undefined;
  /** Undefined when the API server generates the name. */
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly operation: AdmissionOperation;
  readonly userInfo: AdmissionUser;
  /** The new object; undefined for DELETE. */
  readonly object: T | undefined;
  /** The existing object; undefined for CREATE. */
  readonly oldObject: T | undefined;
  readonly dryRun: boolean;
}

const operations = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;
export type AdmissionOperation = (typeof operations)[number];

/** Who sent the request (authentication.k8s.io/v1, UserInfo). */
export interface AdmissionUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
}

/** One reason to deny a request. */
export interface Denial {
  /** The path of the field: `spec.workers[0].replicas`; empty for the object as a whole. */
  readonly path: string;
  readonly message: string;
  /** A stable code for programs. */
  readonly code?: string | undefined;
}

/**
 * The handler of one path. For a MutatingWebhookConfiguration it has `mutate`, for a validating one not. What may change
 * in an object that is being deleted is decided for all handlers, see `frozenDenials`.
 */
export interface AdmissionHandler<K extends Kind = Kind> {
  readonly path: string;
  readonly kind: K;
  /**
   * Returns the mutated object; the difference becomes the patch. Not called where there is no object, or where it is
   * being deleted.
   */
  mutate?(request: AdmissionRequest<ObjectFor<K>>, signal: AbortSignal): object | Promise<object>;
  /** Returns every reason to deny, none when the object is valid. Sees the object as `mutate` left it. */
  validate?(
    request: AdmissionRequest<ObjectFor<K>>,
    signal: AbortSignal,
  ): readonly Denial[] | Promise<readonly Denial[]>;
  /** Returns warnings for an allowed request. */
  warn?(request: AdmissionRequest<ObjectFor<K>>, signal: AbortSignal): readonly string[] | Promise<readonly string[]>;
}

/** A handler at the path that follows from its kind, such as `/validate-butler-butlerlabs-dev-v1alpha1-team`. */
export function admissionHandler<K extends Kind>(
  kind: K,
  handler: Omit<AdmissionHandler<K>, "path" | "kind">,
): AdmissionHandler<K> {
  const verb = handler.mutate === undefined ? "validate" : "mutate";
  const path = [`/${verb}`, ...kind.group.split("."), kind.version, kind.kind.toLowerCase()].join("-");
  return { path, kind, ...handler };
}

/** The verdict (admission.k8s.io/v1, AdmissionResponse). */
export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: AdmissionStatus;
  readonly patchType?: "JSONPatch";
  readonly patch?: string;
  readonly warnings?: readonly string[];
}

export interface AdmissionStatus {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: { readonly causes: readonly { field: string; message: string; reason: string }[] };
}

/** Parses an AdmissionReview; throws InvalidInput when it is invalid. */
export function parseAdmissionReview(review: unknown): AdmissionRequest {
  if (!isRecord(review) || review["kind"] !== "AdmissionReview" || review["apiVersion"] !== "admission.k8s.io/v1") {
    throw new InvalidInput("the body is not an admission.k8s.io/v1 AdmissionReview");
  }
  const request = recordIn(review, "request");
  const kind = recordIn(request, "kind");
  const operation = operations.find((known) => known === request["operation"]);
  if (operation === undefined) throw new InvalidInput("request.operation is not valid");
  return deepFreeze({
    uid: textIn(request, "uid"),
    kind: { group: textIn(kind, "group"), version: textIn(kind, "version"), kind: textIn(kind, "kind") },
    subResource: optionalText(request, "subResource"),
    name: optionalText(request, "name"),
    namespace: optionalText(request, "namespace"),
    operation,
    userInfo: parseUser(request["userInfo"]),
    object: parseObject(request, "object"),
    oldObject: parseObject(request, "oldObject"),
    dryRun: request["dryRun"] === true,
  });
}

/**
 * Calls a handler and returns its verdict. Rejects when the handler does, and denies a kind that the handler does not
 * support.
 */
export async function judgeAdmission(
  handler: AdmissionHandler,
  request: AdmissionRequest,
  signal: AbortSignal,
): Promise<AdmissionResponse> {
  const { uid, kind } = request;
  if (apiVersionOf(kind) !== apiVersionOf(handler.kind) || kind.kind !== handler.kind.kind) {
    const message = `${handler.path} handles ${kindId(handler.kind)}, not ${kind.kind} of ${apiVersionOf(kind)}`;
    return { uid, allowed: false, status: { code: 400, reason: "BadRequest", message } };
  }
  const mutated = isOfTerminating(request) ? request.object : await mutate(handler, request, signal);
  const judged = deepFreeze({ ...request, object: mutated });
  const frozen = frozenDenials(judged);
  const denials = frozen.length > 0 ? frozen : ((await handler.validate?.(judged, signal)) ?? []);
  const warnings = (await handler.warn?.(judged, signal)) ?? [];
  const warned = warnings.length === 0 ? {} : { warnings };
  if (denials.length > 0) return { uid, allowed: false, status: statusOf(denials), ...warned };
  return { uid, allowed: true, ...patchBetween(request.object, mutated), ...warned };
}

/** The verdict on a request whose handler failed: denied, with only the error code. */
export function refusalAfter(error: unknown, { uid }: Pick<AdmissionRequest, "uid">, path: string): AdmissionResponse {
  const code = error instanceof ButlerError ? ` (${error.code})` : "";
  const message = `the admission check ${path} failed${code}, so the request is denied; see the log for the cause`;
  const status = error instanceof Timeout ? { code: 504, reason: "Timeout" } : { code: 500, reason: "InternalError" };
  return { uid, allowed: false, status: { ...status, message } };
}

/** The AdmissionReview that carries a verdict, as text. */
export function admissionReviewText(response: AdmissionResponse): string {
  return JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response });
}

async function mutate(
  handler: AdmissionHandler,
  request: AdmissionRequest,
  signal: AbortSignal,
): Promise<DynamicObject | undefined> {
  if (request.object === undefined || handler.mutate === undefined) return request.object;
  const wanted = await handler.mutate(request, signal);
  // Serialized and parsed, so that only JSON values are compared: no undefined, no dates.
  return JSON.parse(JSON.stringify(wanted)) as DynamicObject;
}

function patchBetween(
  submitted: DynamicObject | undefined,
  wanted: DynamicObject | undefined,
): Pick<AdmissionResponse, "patch" | "patchType"> {
  if (submitted === undefined || wanted === undefined || submitted === wanted) return {};
  const steps = jsonPatch.compare(submitted, wanted);
  if (steps.length === 0) return {};
  return { patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(steps)).toString("base64") };
}

function statusOf(denials: readonly Denial[]): AdmissionStatus {
  const sentences = denials.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  const causes = denials.map(({ path, message, code }) => ({
    field: path,
    message,
    reason: code ?? "FieldValueInvalid",
  }));
  return { code: 422, reason: "Invalid", message: sentences.join("; "), details: { causes } };
}

function parseObject(request: Record<string, unknown>, field: string): DynamicObject | undefined {
  const value = request[field];
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value) || !isRecord(value["metadata"])) throw new InvalidInput(`request.${field} is not an object`);
  return value as DynamicObject;
}

function parseUser(value: unknown): AdmissionUser {
  const user = isRecord(value) ? value : {};
  const groups = Array.isArray(user["groups"]) ? (user["groups"] as unknown[]) : [];
  return {
    username: optionalText(user, "username") ?? "",
    uid: optionalText(user, "uid") ?? "",
    groups: groups.filter((group) => typeof group === "string"),
  };
}

function recordIn(parent: Record<string, unknown>, field: string): Record<string, unknown> {
  const value = parent[field];
  if (!isRecord(value)) throw new InvalidInput(`${field} is missing`);
  return value;
}

function textIn(parent: Record<string, unknown>, field: string): string {
  const value = parent[field];
  if (typeof value !== "string") throw new InvalidInput(`${field} is not a string`);
  return value;
}

function optionalText(parent: Record<string, unknown>, field: string): string | undefined {
  const value = parent[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}
