import { requireKind, type Shape } from "./scaffold.ts";

/** A GET route that lists the objects of an existing kind for platform viewers, from the server's cache. */
export const routeShape: Shape = {
  name: "route",
  summary: "a GET route that lists the objects of an existing kind",
  plan: (names, repository) => {
    requireKind(names, repository);
    const { kebab, camel, pascal, plural } = names;
    const contract = `packages/contract/src/routes/${plural.kebab}.ts`;
    const handlers = `apps/server/src/handlers/${plural.kebab}.ts`;
    const state = "apps/server/src/state/state.ts";
    const kinds = "apps/server/src/state/kinds.ts";
    return {
      files: {
        [contract]: `
import { ${pascal} } from "@butler/api";
import { listQuery, page } from "../paging.ts";
import { onPlatform } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { objectView } from "../views/object.ts";

export const list${plural.pascal} = defineRoute({
  id: "${plural.camel}.list",
  method: "GET",
  path: "/api/admin/${plural.kebab}",
  summary: "List ${plural.words}",
  permission: onPlatform("viewer"),
  query: listQuery(["name", "created"], {}),
  responses: { 200: page("${plural.camel}", objectView(${pascal})) },
  audit: "none",
});

/** All routes of ${plural.words}. */
export const ${camel}Routes = [list${plural.pascal}] as const;
`,
        [handlers]: `
import type { ${pascal} } from "@butler/api";
import { list${plural.pascal} } from "@butler/contract";
import { type Handler, handle } from "../http/handler.ts";
import { type ListShape, pageOf } from "../http/listing.ts";
import { byObject, objectView, searchText } from "../views/object-view.ts";
import type { HandlerContext } from "./handler-context.ts";

const shape: ListShape<${pascal}> = {
  id: byObject.id,
  sortBy: { name: byObject.name, created: byObject.created },
  text: (${camel}) => searchText(${camel}),
};

/** Handlers for ${plural.words}. */
export function ${camel}Handlers({ state }: { readonly state: Pick<HandlerContext["state"], "${plural.camel}"> }): Handler[] {
  return [
    handle(list${plural.pascal}, ({ query }) => {
      const { items, ...rest } = pageOf(state.${plural.camel}.list(), query, shape);
      return { ${plural.camel}: items.map(objectView), ...rest };
    }),
  ];
}
`,
        [`apps/server/src/handlers/${plural.kebab}.test.ts`]: `
import { ${pascal} } from "@butler/api";
import { list${plural.pascal}, type Route } from "@butler/contract";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import type { Call } from "../http/handler.ts";
import { ${camel}Handlers } from "./${plural.kebab}.ts";

const named = (name: string): ${pascal} =>
  parseObject(${pascal}, { ...${pascal}.example, metadata: { name, namespace: "payments" } });

async function answerTo(query: object): Promise<unknown> {
  const ${plural.camel} = { list: () => [named("b"), named("a"), named("c")] };
  const [handler] = ${camel}Handlers({ state: { ${plural.camel} } as never });
  return handler?.run({ query: list${plural.pascal}.query.parse(query) } as unknown as Call<Route>);
}

describe("the list of ${plural.words}", () => {
  it("is sorted by name, with the total", async () => {
    const names = ["a", "b", "c"].map((name) => ({ metadata: { name } }));
    expect(await answerTo({})).toMatchObject({ ${plural.camel}: names, total: 3 });
  });

  it("is searched and cut into pages", async () => {
    expect(await answerTo({ search: "b" })).toMatchObject({ ${plural.camel}: [{ metadata: { name: "b" } }], total: 1 });
    expect(await answerTo({ limit: 2 })).toMatchObject({ total: 3, nextCursor: expect.any(String) });
  });
});
`,
      },
      edits: [
        {
          type: "import",
          path: "packages/contract/src/all-routes.ts",
          line: `import { ${camel}Routes } from "./routes/${plural.kebab}.ts";`,
        },
        {
          type: "entry",
          path: "packages/contract/src/all-routes.ts",
          from: "export const allRoutes",
          to: "\n];",
          line: `  ...${camel}Routes,`,
        },
        {
          type: "append",
          path: "packages/contract/src/index.ts",
          line: `export * from "./routes/${plural.kebab}.ts";`,
        },
        {
          type: "import",
          path: "apps/server/src/handlers/all-handlers.ts",
          line: `import { ${camel}Handlers } from "./${plural.kebab}.ts";`,
        },
        {
          type: "entry",
          path: "apps/server/src/handlers/all-handlers.ts",
          from: "  return [",
          to: "\n  ];",
          line: `    ...${camel}Handlers(context),`,
        },
        { type: "entry", path: kinds, from: "import {", to: '\n} from "@butler/api";', line: `  ${pascal},` },
        {
          type: "entry",
          path: kinds,
          from: "export const cachedKinds = {",
          to: "\n} as const;",
          line: `  ${plural.camel}: ${pascal},`,
        },
        {
          type: "entry",
          path: state,
          from: "readonly caches: CacheSet;",
          to: "\n\n  constructor",
          line: `  readonly ${plural.camel}: Cached<"${plural.camel}">;`,
        },
        {
          type: "entry",
          path: state,
          from: "this.caches = caches;",
          to: "\n    this.clusters.addIndex",
          line: `    this.${plural.camel} = caches.of(cachedKinds.${plural.camel});`,
        },
        {
          type: "entry",
          path: "apps/server/src/permissions.cluster.test.ts",
          from: "const needs:",
          to: "\n};",
          line: `  "${plural.camel}.list": "platform viewer",`,
        },
      ],
      nextSteps: [
        `Review the permission and the path in ${contract}`,
        "Run npm run generate to update the reference and the server's permissions in the chart",
        `Add a page: npm run new -- page ${kebab}`,
      ],
    };
  },
};
