import { z } from "zod";
import { describePermission } from "./permission.ts";
import { problem, type ProblemCode, problemCodes } from "./problem.ts";
import { isWrite, type Route } from "./route.ts";

type JsonSchema = Record<string, unknown>;
type Components = Record<string, JsonSchema>;

/** An OpenAPI document, as far as our own code reads it. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Components; readonly securitySchemes: Readonly<Record<string, unknown>> };
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** One method of one path in an OpenAPI document. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Readonly<Record<string, unknown>>;
  readonly responses: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

const description = `The API of a Butler management server: clusters, add-ons, teams, users and platform settings.

Lists are paginated, filtered, sorted and searched on the server. The entries are in a field named after the list, such
as \`clusters\`. \`total\` counts the entries on all pages. \`nextCursor\`, if present, is the cursor for the next page.

Errors are problems (RFC 9457) with a stable \`code\`. Requests for objects of a team
that the caller is not a member of return NOT_FOUND. Unknown fields in a request body are rejected.`;

/** The OpenAPI 3.1 document of routes. */
export function buildOpenApi(routes: readonly Route[], version: string): OpenApiDocument {
  const schemas: Components = {};
  const paths: Record<string, Record<string, Operation>> = {};
  register(problem, "output", schemas);
  for (const route of routes) {
    const operation = operationOf(route, schemas);
    for (const [at, path] of [route.path, ...route.aliases].entries()) {
      const isAlias = at > 0;
      const own = isAlias
        ? { ...operation, operationId: `${operation.operationId}.old${at}`, deprecated: true }
        : operation;
      (paths[path] ??= {})[route.method.toLowerCase()] = own;
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Butler", version, description },
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([left], [right]) => (left < right ? -1 : 1))),
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: "butler_session",
          description: "Session cookie, set at sign-in. Over TLS, its name is __Host-butler_session.",
        },
        bearer: { type: "http", scheme: "bearer", description: "Access token for a CLI session." },
      },
    },
  };
}

function operationOf(route: Route, schemas: Components): Operation {
  const { body, permission } = route;
  return {
    operationId: route.id,
    summary: route.summary,
    description: [route.description, `Access: ${describePermission(permission)}`].filter(Boolean).join("\n\n"),
    tags: [route.tag],
    parameters: parametersOf(route, schemas),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: register(body, "input", schemas) } },
          },
        }),
    responses: responsesOf(route, schemas),
    security: permission.kind === "public" ? [] : [{ session: [] }, { bearer: [] }],
  };
}

function parametersOf(route: Route, schemas: Components): Parameter[] {
  const ofPath = fieldsOf(route.params, schemas).map((field) => ({ ...field, in: "path", required: true }) as const);
  const ofQuery = fieldsOf(route.query, schemas).map((field) => ({ ...field, in: "query" }) as const);
  const csrf: Parameter = {
    name: "X-Butler-CSRF",
    in: "header",
    required: false,
    description: "Value of the butler_csrf cookie (__Host-butler_csrf over TLS). Required with a session cookie.",
    schema: { type: "string" },
  };
  return [...ofPath, ...ofQuery, ...(isWrite(route.method) && route.permission.kind !== "public" ? [csrf] : [])];
}

type Field = Omit<Parameter, "in">;

function fieldsOf(object: z.ZodObject, schemas: Components): Field[] {
  const { properties = {}, required = [] } = register(object, "input", schemas) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description: doc = "", ...schema }]) => ({
    name,
    description: String(doc),
    required: required.includes(name),
    schema,
  }));
}

function responsesOf(route: Route, schemas: Components): Record<string, Record<string, unknown>> {
  const hasBody = route.status !== 204 && route.status !== 302;
  const wanted = {
    description: hasBody ? "OK." : route.status === 204 ? "No content." : "Redirect to the URL in the Location header.",
    headers: { "X-Request-Id": { description: "Request ID, as recorded in the logs.", schema: { type: "string" } } },
    ...(hasBody ? { content: { [route.contentType]: { schema: answerSchema(route, schemas) } } } : {}),
  };
  const byStatus = Map.groupBy(route.errors, (code) => problemCodes[code].status);
  const problems = [...byStatus].sort(([left], [right]) => left - right);
  const unchanged = route.method === "GET" ? { 304: { description: "Not modified (If-None-Match)." } } : {};
  return {
    [route.status]: wanted,
    ...unchanged,
    ...Object.fromEntries(problems.map(([status, codes]) => [String(status), problemResponse(codes)])),
  };
}

/** A YAML document is an object to its readers, although the route returns text. */
function answerSchema({ answer, contentType }: Route, schemas: Components): JsonSchema {
  const schema = register(answer, "output", schemas);
  return contentType === "application/yaml" ? { ...schema, type: "object" } : schema;
}

function problemResponse(codes: readonly ProblemCode[]): Record<string, unknown> {
  return {
    description: codes.map((code) => `${code}: ${problemCodes[code].title}.`).join(" "),
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  };
}

/** The JSON Schema of a schema; schemas with an id are moved to the components and referenced. */
function register(schema: z.ZodType, io: "input" | "output", components: Components): JsonSchema {
  const {
    $schema: _dialect,
    $defs = {},
    ...json
  } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema & {
    $defs?: Components;
  };
  for (const [name, definition] of Object.entries($defs)) components[name] ??= tidy(definition);
  const own = schema.meta()?.id;
  if (own === undefined) return tidy(json);
  components[own] ??= tidy(json);
  return { $ref: `#/components/schemas/${own}` };
}

/** Rewrites references to components, and drops what only the Kubernetes API server needs. */
function tidy(json: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(json), (key: string, value: unknown) => {
    if (key.startsWith("x-kubernetes-") || key === "id" || key === "$id") return undefined;
    if (key === "$ref") return String(value).replace("#/$defs/", "#/components/schemas/");
    return value;
  }) as JsonSchema;
}
