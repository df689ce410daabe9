import { globSync } from "node:fs";
import { expect, it } from "vitest";
import { engineLanes, placeInLane } from "./lanes.ts";
import { repositoryRoot } from "../steps.ts";

it("every engine test is in one lane, and every lane has only existing files", () => {
  const pattern = "{apps,controllers,engine,packages,providers,test,tools}/**/*.engine.test.ts";
  const exclude = (path: string): boolean => path.includes("node_modules");
  const found = globSync(pattern, { cwd: repositoryRoot, exclude });
  expect(engineLanes.flatMap(({ files }) => files).toSorted()).toEqual(found.toSorted());
});

it("files keep the order of their lane", () => {
  const [first = "", second = ""] = engineLanes[1]?.files ?? [];
  expect(placeInLane(`/somewhere/${first}`)).toBeLessThan(placeInLane(`/somewhere/${second}`));
  expect(placeInLane("/somewhere/else.test.ts")).toBe(Number.POSITIVE_INFINITY);
});
