import { expect, it } from "vitest";
import { namePattern } from "./run-tests.ts";

it("a name matches with a space or an arrow before the test, and its special characters are literal", () => {
  const pattern = new RegExp(namePattern("a team (of 2) grows"));
  expect(pattern.test("a team > (of 2) grows")).toBe(true);
  expect(pattern.test("a team (of 2) grows")).toBe(true);
  expect(pattern.test("a team of 2 grows")).toBe(false);
});
