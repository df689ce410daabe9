import { z } from "zod";
import type { Permission } from "./permission.ts";
import type { ProblemCode } from "./problem.ts";

/** HTTP method of a request. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What the audit log records about a request. */
export interface AuditRule {
  /** The action, as one word: `create`, `delete`, `download-kubeconfig`. */
  readonly action: string;
  /** Kind of the target. */
  readonly kind: string;
}

/** Declaration of a route. */
export interface RouteDefinition<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType,
> {
  /** Names the route in code, documents and metrics: `clusters.scale`. */
  readonly id: string;
  readonly method: Method;
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  /** Deprecated paths of the same route, for existing scripts. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Further sentences, if the summary is not enough. */
  readonly description?: string;
  readonly permission: Permission;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Status and schema of a successful response; one entry. */
  readonly responses: Readonly<Partial<Record<200 | 201 | 202 | 204 | 302, Answer>>>;
  /** Content type of a successful response; defaults to JSON. */
  readonly contentType?: "application/json" | "application/yaml" | "text/plain" | "text/html";
  /** Problems in addition to those that any such route can have. */
  readonly errors?: readonly ProblemCode[];
  /** What is audited; `none` is for requests that change nothing and reveal nothing worth a record. */
  readonly audit: AuditRule | "none";
  /** `strict` is for routes that could be used to guess secrets. */
  readonly rate?: "normal" | "strict";
}

/** A route: data from which the server's checks, the client, OpenAPI and the reference all come. */
export interface Route<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly id: string;
  readonly tag: string;
  readonly method: Method;
  readonly path: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly description: string | undefined;
  readonly permission: Permission;
  readonly params: Params;
  readonly query: Query;
  /** Undefined at run time if the route takes no body; its type is then `ZodUndefined`. */
  readonly body: Body | undefined;
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly answer: Answer;
  readonly contentType: string;
  readonly errors: readonly ProblemCode[];
  readonly audit: AuditRule | "none";
  readonly rate: "normal" | "strict";
}

/**
 * The fields of a route that a client needs at run time. The console bundles only these: see its `lean-packages.ts`.
 */
export const clientParts = ["id", "method", "path", "contentType", "permission"] as const;

/** A response without a body. */
export const nothing = z.undefined();

const noFields = z.object({});
type NoFields = typeof noFields;

/** Input of a route's handler. */
export interface RouteInput<R extends Route> {
  readonly params: z.output<R["params"]>;
  readonly query: z.output<R["query"]>;
  readonly body: z.output<NonNullable<R["body"]>>;
}

/** Result of a route's handler. */
export type RouteAnswer<R extends Route> = z.output<R["answer"]>;

/** Declares a route. */
export function defineRoute<
  Params extends z.ZodObject = NoFields,
  Query extends z.ZodObject = NoFields,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(definition: RouteDefinition<Params, Query, Body, Answer>): Route<Params, Query, Body, Answer> {
  const [status, answer] = Object.entries(definition.responses)[0] as [string, Answer];
  return Object.freeze({
    id: definition.id,
    tag: definition.id.split(".")[0] ?? "",
    method: definition.method,
    path: definition.path,
    aliases: definition.aliases ?? [],
    summary: definition.summary,
    description: definition.description,
    permission: definition.permission,
    params: definition.params ?? (noFields as unknown as Params),
    query: definition.query ?? (noFields as unknown as Query),
    body: definition.body,
    status: Number(status) as Route["status"],
    answer,
    contentType: definition.contentType ?? "application/json",
    errors: problemsOf(definition),
    audit: definition.audit,
    rate: definition.rate ?? "normal",
  });
}

/** Whether a request of the method can change something. */
export function isWrite(method: Method): boolean {
  return method !== "GET";
}

type Declared = Pick<
  RouteDefinition<z.ZodObject, z.ZodObject, z.ZodType, z.ZodType>,
  "errors" | "method" | "permission"
> & {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
};

/** The declared problems, and those that follow from the route's method, permission and input. */
function problemsOf({ errors = [], method, permission, params, query, body }: Declared): ProblemCode[] {
  const isFoundByPath = permission.kind === "team" || permission.kind === "cluster";
  const found: (readonly [boolean, readonly ProblemCode[]])[] = [
    [params !== undefined || query !== undefined || body !== undefined, ["INVALID"]],
    [permission.kind !== "public", ["UNAUTHENTICATED"]],
    [permission.kind !== "public" && permission.kind !== "session", ["FORBIDDEN"]],
    [isFoundByPath || params !== undefined, ["NOT_FOUND"]],
    [isWrite(method), ["BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"]],
    [isWrite(method) && permission.kind !== "public", ["FORBIDDEN", "CSRF_FAILED", "CONFLICT", "REFUSED"]],
  ];
  const atTheDoor: readonly ProblemCode[] = ["METHOD_NOT_ALLOWED", "RATE_LIMITED", "HEADERS_TOO_LARGE"];
  const always: readonly ProblemCode[] = [...atTheDoor, "INTERNAL", "UNAVAILABLE", "TIMEOUT"];
  return [...new Set([...errors, ...found.flatMap(([isSo, codes]) => (isSo ? codes : [])), ...always])];
}
