import { buildOpenApi, type OpenApiDocument, type Operation, type Parameter } from "./openapi.ts";
import { describePermission } from "./permission.ts";
import { type ProblemCode, problemCodes } from "./problem.ts";
import type { Route } from "./route.ts";

/** Builds the API reference page from the routes. */
export function buildRestReference(routes: readonly Route[]): string {
  const document = buildOpenApi(routes, "");
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  return [
    "# REST API",
    "",
    document.info.description,
    "",
    "Scripts written for the public Butler keep working: paths and list fields have the same names. Without `limit`, a",
    "list returns up to 500 entries; to get more, pass `nextCursor` as `cursor`.",
    "",
    "## Problems",
    "",
    "| Code | Status | Description |",
    "|---|---|---|",
    ...Object.entries(problemCodes).map(([code, { status, title }]) => `| \`${code}\` | ${status} | ${title}. |`),
    ...tags.flatMap((tag) => [
      "",
      `## ${tag}`,
      ...routes.filter((route) => route.tag === tag).flatMap(sectionOf(document)),
    ]),
    "",
  ].join("\n");
}

function sectionOf({ paths }: OpenApiDocument): (route: Route) => string[] {
  return (route) => {
    const operation = paths[route.path]?.[route.method.toLowerCase()];
    const audit = route.audit === "none" ? "" : ` Audited as \`${route.audit.action}\` on ${route.audit.kind}.`;
    const older = route.aliases.map((path) => `\`${path}\``).join(", ");
    return [
      "",
      `### ${route.method} ${route.path}`,
      "",
      `${route.summary}.${route.description === undefined ? "" : ` ${route.description}`}`,
      "",
      `Access: ${describePermission(route.permission)}${audit}${older === "" ? "" : ` Deprecated path: ${older}.`}`,
      "",
      ...parameterTable(operation),
      `Returns ${route.status}. Problems: ${
        particular(route)
          .map((code) => `\`${code}\``)
          .join(", ") || "common ones only"
      }.`,
    ];
  };
}

function parameterTable(operation: Operation | undefined): string[] {
  const parameters = (operation?.parameters ?? []).filter((parameter) => parameter.in !== "header");
  const rows = [
    ...parameters.map(({ name, in: place, required, description }) => ({ name, place, required, description })),
    ...bodyRow(operation),
  ].map(
    ({ name, place, required, description }) =>
      `| \`${name}\` | ${place} | ${required ? "yes" : ""} | ${cell(description)} |`,
  );
  return rows.length === 0 ? [] : ["| Name | In | Required | Description |", "|---|---|---|---|", ...rows, ""];
}

function bodyRow(operation: Operation | undefined): (Omit<Parameter, "in" | "schema"> & { place: string })[] {
  const content = operation?.requestBody?.["content"] as Record<string, { schema: { $ref?: string } }> | undefined;
  const reference = content?.["application/json"]?.schema.$ref;
  if (reference === undefined) return [];
  const name = reference.split("/").at(-1) ?? "";
  return [{ name, place: "body", required: true, description: "JSON; see the OpenAPI document for its fields." }];
}

const usual: readonly ProblemCode[] = [
  "BODY_TOO_LARGE",
  "CSRF_FAILED",
  "INTERNAL",
  "INVALID",
  "METHOD_NOT_ALLOWED",
  "RATE_LIMITED",
  "TIMEOUT",
  "UNAUTHENTICATED",
  "UNAVAILABLE",
  "UNSUPPORTED_MEDIA_TYPE",
];

function particular({ errors }: Route): ProblemCode[] {
  return errors.filter((code) => !usual.includes(code));
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
