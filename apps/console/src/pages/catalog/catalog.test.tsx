// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CatalogEntry } from "../../parts/addon-facts.ts";
import type { ClusterView } from "../../parts/cluster-facts.ts";
import { Catalog } from "./catalog.page.tsx";
import { type CatalogSearch, catalogSearch } from "./catalog-search.ts";
import { EntryDetails } from "./entry-drawer.tsx";
import { clustersWithout, type PlacedAddon, selectEntries, usersOf } from "./select.ts";

beforeEach(() => {
  // happy-dom has no layout, and tables render only visible rows.
  for (const side of ["clientHeight", "clientWidth", "offsetHeight", "offsetWidth"] as const) {
    vi.spyOn(HTMLElement.prototype, side, "get").mockReturnValue(600);
  }
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const entry = (name: string, change: Partial<CatalogEntry> = {}): CatalogEntry => ({
  name,
  displayName: name,
  description: `Brings ${name}.`,
  category: "web",
  chartRepository: "https://charts.example.com",
  chartName: name,
  defaultVersion: "1.0.0",
  availableVersions: [],
  defaultNamespace: name,
  platform: false,
  dependsOn: [],
  conflictsWith: [],
  source: "builtin",
  links: {},
  ...change,
});
const entries = [
  entry("velero", { category: "backup" }),
  entry("traefik"),
  entry("cert-manager", { displayName: "Certs" }),
];
const names = (search: CatalogSearch): string[] => selectEntries(entries, search).map(({ name }) => name);

describe("the catalog", () => {
  it.each([
    [{}, ["cert-manager", "traefik", "velero"]],
    [{ q: "BRINGS cert" }, ["cert-manager"]],
    [{ category: "backup" }, ["velero"]],
    [{ q: "traefik", category: "backup" }, []],
  ])("filtered by %j has %j", (search, found) => expect(names(search)).toEqual(found));

  it("parses arbitrary search parameters", () =>
    expect(catalogSearch({ q: "a", category: ["x"], entry: "web" })).toEqual({ q: "a", entry: "web" }));

  it("lists the clusters that have an entry", () => {
    const placed = (addon: string, cluster: string) => ({ addon, cluster }) as PlacedAddon;
    const all = [placed("web", "z"), placed("db", "b"), placed("web", "a")];
    expect(usersOf("web", all).map(({ cluster }) => cluster)).toEqual(["a", "z"]);
  });

  it("lists clusters without the entry, except those being deleted", () => {
    const cluster = (name: string, deletionTimestamp?: string): ClusterView =>
      ({ metadata: { name, namespace: "pay", deletionTimestamp } }) as ClusterView;
    const addons = [{ addon: "web", namespace: "pay", cluster: "b" } as PlacedAddon];
    const clusters = [cluster("z"), cluster("b"), cluster("gone", "2026-06-01T12:00:00Z"), cluster("a")];
    expect(clustersWithout("web", { clusters, addons }).map(({ metadata }) => metadata.name)).toEqual(["a", "z"]);
  });

  it("filters by text and category, and opens entries", async () => {
    const opened: (string | undefined)[] = [];
    function Page() {
      const [search, setSearch] = useState<CatalogSearch>({});
      const onSearch = (change: CatalogSearch): void => {
        if ("entry" in change) opened.push(change.entry);
        setSearch({ ...search, ...change });
      };
      const categories = [
        { name: "backup", count: 1 },
        { name: "web", count: 2 },
      ];
      return <Catalog entries={entries} categories={categories} search={search} onSearch={onSearch} />;
    }
    render(<Page />);
    await userEvent.click(screen.getByRole("button", { name: "web 2" }));
    expect(screen.getByRole("status").textContent).toBe("2 of 3");
    await userEvent.type(screen.getByLabelText("Search the catalog"), "cert");
    expect(screen.getByRole("status").textContent).toBe("1 of 3");
    fireEvent.click(screen.getByText("Certs"));
    expect(opened).toEqual(["cert-manager"]);
  });

  it("links only http and https URLs", () => {
    const links = { documentation: "https://example.com/docs", homepage: "javascript:alert(1)" };
    render(<EntryDetails entry={entry("web", { links })} />);
    expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["https://example.com/docs"]);
    expect(screen.getByText("javascript:alert(1)")).toBeTruthy();
  });
});
