import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { addressOf, visits } from "../testing/visits.ts";
import { createConsoleRouter } from "./router.ts";

const withoutEnd = (path: string): string => path.replace(/(?<=.)\/$/, "");

describe("visits", () => {
  const router = createConsoleRouter(new QueryClient());
  // Routes without children are pages; layouts are visited with their pages.
  const pages = Object.values(router.routesById).filter((route) => route.children === undefined);
  const routes = [...new Set(pages.map(({ fullPath }) => withoutEnd(fullPath)))];

  it("cover every page and no unknown route", () => {
    const visited = new Set(visits.map(({ route }) => route));
    expect(routes.filter((route) => !visited.has(route))).toEqual([]);
    expect([...visited].filter((route) => !routes.includes(route))).toEqual([]);
  });

  it("have unique names, used for screenshots", () => {
    expect(new Set(visits.map(({ name }) => name)).size).toBe(visits.length);
  });

  it("are converted to URLs", () => {
    const place = { team: "payments", cluster: "shop", token: "a/b" };
    const visit = { name: "x", as: "anybody", route: "/t/$team/clusters/$namespace/$name/nodes" } as const;
    expect(addressOf(visit, place)).toBe("/t/payments/clusters/payments/shop/nodes");
    expect(addressOf({ ...visit, route: "/invite/$token", search: "?a=b" }, place)).toBe("/invite/a%2Fb?a=b");
  });
});
