import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { attackPage } from "./lib/attack-page.ts";
import { attacks, holes } from "./lib/attacks.ts";

const root = join(import.meta.dirname, "../..");

describe("every attack case", () => {
  it("is in the table, from 1 to 51 and from 70 on", () => {
    const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
    expect(Object.keys(attacks).map(Number)).toEqual([...numbers(1, 51), ...numbers(70, 74)]);
  });

  const named = [
    ...Object.entries(attacks),
    ...Object.entries(holes).map(([number, hole]) => [`hole ${number}`, hole] as const),
  ];
  it.each(named)("%s has a test that names it, or a reason and a place", (number, attack) => {
    const { here = [], because, elsewhere = [] } = attack;
    expect(here.length + elsewhere.length > 0 || because !== undefined, attack.title).toBe(true);
    for (const name of here) {
      const text = readFileSync(join(import.meta.dirname, `${name}.cluster.test.ts`), "utf8");
      expect(new RegExp(`["'\`]${number}: `).test(text), `${name} has a test ${number}`).toBe(true);
    }
    for (const path of elsewhere) expect(existsSync(join(root, path)), path).toBe(true);
  });
});

it("the page of attacks lists all of them; vitest -u updates it", async () => {
  const page = attackPage([...Object.values(attacks), ...Object.values(holes)]);
  await expect(page).toMatchFileSnapshot(join(root, "docs/attacks.md"));
});
