import { describe, expect, it } from "vitest";
import { effectiveRepositories } from "./workspace-shapes.ts";

const one = { url: "https://github.com/example/one.git", branch: "main" };
const two = { url: "https://github.com/example/two.git", branch: "main" };

describe("effectiveRepositories", () => {
  it.each([
    ["nothing", {}, []],
    ["the deprecated single field", { repository: one }, [one]],
    ["the list", { repositories: [one, two] }, [one, two]],
    ["both, with the list taking precedence", { repository: one, repositories: [two] }, [two]],
    ["the deprecated field with an empty list", { repository: one, repositories: [] }, [one]],
  ])("reads %s", (_name, given, expected) => {
    expect(effectiveRepositories(given)).toEqual(expected);
  });
});
