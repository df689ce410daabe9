import { type Names, sentenceCase } from "./names.ts";
import { type Repository, ScaffoldRefusal, type Shape } from "./scaffold.ts";

/** A page of the platform area that lists the answer of an existing route, with an empty state. */
export const pageShape: Shape = {
  name: "page",
  summary: "a page of the console that shows the list of an existing route",
  plan: (names, repository) => {
    requireRoute(names, repository);
    const { kebab, camel, plural } = names;
    const title = sentenceCase(plural.words);
    const folder = `apps/console/src/pages/admin/${plural.kebab}`;
    const places = "apps/console/src/app/places.ts";
    return {
      files: {
        [`${folder}/${plural.kebab}.page.tsx`]: `
import { list${plural.pascal}, type RouteAnswer } from "@butler/contract";
import { type Column, EmptyState } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { routeQuery } from "../../../data/route-query.ts";
import { nameColumn } from "../../../parts/columns.tsx";
import { ageColumn } from "../shared/age-column.tsx";
import { ListPage } from "../shared/list-page.tsx";
import type { SearchProps } from "../shared/list-search.ts";
import { useListSearch } from "../shared/use-list-search.ts";

type Row = Pick<RouteAnswer<typeof list${plural.pascal}>["${plural.camel}"][number], "metadata">;

const route = getRouteApi("/signed-in/admin/${plural.kebab}");

const columns: readonly Column<Row>[] = [
  nameColumn("minmax(130px, 1fr)", ({ metadata }) => metadata.name),
  {
    id: "namespace",
    header: "Namespace",
    isNarrow: true,
    sortBy: ({ metadata }) => metadata.namespace ?? "",
    cell: ({ metadata }) => metadata.namespace,
  },
  ageColumn,
];

/** The ${plural.words}. */
export function ${plural.pascal}Page() {
  return <${plural.pascal} {...useListSearch(route)} />;
}

/** The page without its route. */
export function ${plural.pascal}(props: SearchProps) {
  return (
    <ListPage
      {...props}
      title="${title}"
      query={useQuery(routeQuery(list${plural.pascal}, { query: { limit: 500 } }))}
      rowsOf={({ ${plural.camel} }): readonly Row[] => ${plural.camel}}
      columns={columns}
      rowKey={({ metadata }) => \`\${metadata.namespace ?? ""}/\${metadata.name}\`}
      textsOf={({ metadata }) => [metadata.name, metadata.namespace]}
      empty={<EmptyState title="No ${plural.words} yet" sentence="Create one with kubectl apply." />}
    />
  );
}
`,
        [`${folder}/${plural.kebab}.test.tsx`]: `
// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderPage } from "../testing/render-page.tsx";
import { ${plural.pascal} } from "./${plural.kebab}.page.tsx";

beforeEach(() => {
  // happy-dom has no layout, and tables render only visible rows.
  for (const side of ["clientHeight", "clientWidth", "offsetHeight", "offsetWidth"] as const)
    vi.spyOn(HTMLElement.prototype, side, "get").mockReturnValue(600);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const page = <${plural.pascal} search={{}} onSearch={() => undefined} />;
const answers = (${plural.camel}: readonly object[]) => ({
  "GET /api/admin/${plural.kebab}": { ${plural.camel}, total: ${plural.camel}.length },
});

describe("the page of ${plural.words}", () => {
  it("lists names and namespaces as text", async () => {
    const metadata = { name: "<b>nightly</b>", namespace: "payments", creationTimestamp: "2026-01-01T00:00:00Z" };
    await renderPage(page, { answers: answers([{ metadata }]) });
    expect(await screen.findByText("<b>nightly</b>")).toBeTruthy();
    expect(screen.getByText("payments")).toBeTruthy();
  });

  it("has an empty state", async () => {
    await renderPage(page, { answers: answers([]) });
    expect(await screen.findByText("No ${plural.words} yet")).toBeTruthy();
  });
});
`,
      },
      edits: [
        {
          type: "entry",
          path: "apps/console/src/pages/admin/routes.ts",
          from: "const getParentRoute = () => adminRoute;",
          to: "\n\n/** ",
          line: `
const ${camel}Route = createRoute({
  getParentRoute,
  path: "${plural.kebab}",
  staticData: { crumb: "${title}" },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import("./${plural.kebab}/${plural.kebab}.page.tsx"), "${plural.pascal}Page"),
});`,
        },
        {
          type: "entry",
          path: "apps/console/src/pages/admin/routes.ts",
          from: "export const adminRoutes = [",
          to: "\n] as const;",
          line: `  ${camel}Route,`,
        },
        { type: "entry", path: places, from: "type AdminPlace =", to: ";", line: `  | "${plural.kebab}"` },
        {
          type: "entry",
          path: places,
          from: "export const places",
          to: "\n];",
          line: `  { id: "${plural.kebab}", label: "${title}", icon: "overview", to: "/admin/${plural.kebab}", area: "platform" },`,
        },
        {
          type: "entry",
          path: "apps/console/src/testing/visits.ts",
          from: "export const visits",
          to: "\n];",
          line: `  { name: "admin-${plural.kebab}", route: "/admin/${plural.kebab}", as: "platform-admin" },`,
        },
      ],
      nextSteps: [
        `Choose an icon and a shortcut in ${places}`,
        `Add columns to ${folder}/${plural.kebab}.page.tsx, and to the empty state what users can do first`,
        ...(repository.has(`apps/butlerctl/src/${kebab}`) ? [] : [`Add a command: npm run new -- command ${kebab}`]),
      ],
    };
  },
};

function requireRoute({ kebab, plural }: Names, { has }: Repository): void {
  if (has(`packages/contract/src/routes/${plural.kebab}.ts`)) return;
  throw new ScaffoldRefusal(
    `routes of ${plural.words} not found in packages/contract; create them first: npm run new -- route ${kebab}`,
  );
}
