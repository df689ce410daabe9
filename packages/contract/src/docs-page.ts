import { describePermission } from "./permission.ts";
import { problemCodes } from "./problem.ts";
import { buildOpenApi } from "./openapi.ts";
import type { Route } from "./route.ts";

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b2430;background:#fff}
code,pre{font:14px/1.4 ui-monospace,monospace;background:#f2f4f7;border-radius:4px;padding:.1em .3em}
pre{padding:.75rem;overflow:auto}h2{margin-top:2.5rem;border-bottom:1px solid #d7dce3}
details{border:1px solid #d7dce3;border-radius:6px;margin:.5rem 0;padding:.5rem .75rem}summary{cursor:pointer}
.m{display:inline-block;min-width:4.5em;font-weight:600}table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.25rem .5rem;border-bottom:1px solid #e5e9ee}
@media(prefers-color-scheme:dark){body{color:#dfe5ec;background:#12171d}code,pre{background:#1d242d}details,h2,td,th{border-color:#303a46}}`;

/** The API documentation as one self-contained HTML page. */
export function buildDocsPage(routes: readonly Route[], version: string): string {
  const { info } = buildOpenApi([], version);
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<title>Butler API</title><style>${style}</style></head><body>`,
    `<h1>Butler API</h1><p>Version ${escape(version)}. <a href="/api/openapi.json">OpenAPI document</a></p>`,
    ...info.description.split("\n\n").map((paragraph) => `<p>${escape(paragraph)}</p>`),
    ...tags.map((tag) => {
      const own = routes.filter((route) => route.tag === tag);
      return `<h2 id="${escape(tag)}">${escape(tag)}</h2>${own.map(routeHtml).join("")}`;
    }),
    `<h2 id="problems">Problems</h2><table><tr><th>Code</th><th>Status</th><th>Description</th></tr>`,
    ...Object.entries(problemCodes).map(
      ([code, { status, title }]) =>
        `<tr id="problem-${code.toLowerCase()}"><td><code>${code}</code></td><td>${status}</td><td>${escape(title)}.</td></tr>`,
    ),
    `</table></body></html>`,
  ].join("\n");
}

function routeHtml(route: Route): string {
  const [example] = (route.body?.meta()?.["examples"] ?? []) as unknown[];
  const rows = [
    ...Object.entries(route.params.shape).map(([name, schema]) => parameterHtml(name, "path", schema)),
    ...Object.entries(route.query.shape).map(([name, schema]) => parameterHtml(name, "query", schema)),
  ];
  return [
    `<details id="${escape(route.id)}"><summary><span class="m">${route.method}</span><code>${escape(route.path)}</code> `,
    `${escape(route.summary)}</summary>`,
    route.description === undefined ? "" : `<p>${escape(route.description)}</p>`,
    `<p>Access: ${escape(describePermission(route.permission))} Returns ${route.status}.</p>`,
    rows.length === 0 ? "" : `<table>${rows.join("")}</table>`,
    example === undefined
      ? ""
      : `<p>Example request body:</p><pre>${escape(JSON.stringify(example, undefined, 2))}</pre>`,
    `<p>Problems: ${route.errors.map((code) => `<a href="#problem-${code.toLowerCase()}">${code}</a>`).join(", ")}</p>`,
    `</details>`,
  ].join("");
}

function parameterHtml(name: string, place: string, schema: unknown): string {
  const doc = (schema as { description?: string }).description ?? "";
  return `<tr><td><code>${escape(name)}</code></td><td>${place}</td><td>${escape(doc)}</td></tr>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
