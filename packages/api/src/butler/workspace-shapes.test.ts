import { describe, expect, it } from "vitest";
import { effectiveRepositories } from "./workspace-shapes.ts";

const one = { url: "https://github.com/example/one.git", branch: "main" };
const two = { url: "https://github.com/example/two.git", branch: "main" };

describe("effectiveRepositories", () => {
  it.each([
    ["nothing", {}, []],
    ["the older single field", { repository: one }, [one]],
    ["the list", { repositories: [one, two] }, [one, two]],
    ["both, of which the list wins", { repository: one, repositories: [two] }, [two]],
    ["the older field beside an empty list", { repository: one, repositories: [] }, [one]],
  ])("reads %s", (_name, given, expected) => {
    expect(effectiveRepositories(given)).toEqual(expected);
  });
});
