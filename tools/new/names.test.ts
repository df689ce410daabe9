import { describe, expect, it } from "vitest";
import { nameProblem, namesOf } from "./names.ts";

describe("a name", () => {
  it.each(["team", "backup-plan", "k8s-version"])("is valid: %s", (name) => expect(nameProblem(name)).toBeUndefined());

  it.each([
    ["BackupPlan", "such as backup-plan"],
    ["backup_plan", "such as backup-plan"],
    ["../../etc/passwd", "such as etc-passwd"],
    ["-x", "such as x"],
    ["2fast", "such as fast"],
    ["a--b", "such as a-b"],
    ["", "such as backup-plan"],
    ["x".repeat(41), `such as ${"x".repeat(40)}`],
  ])("is invalid, with a suggestion: %s", (name, suggestion) => {
    expect(nameProblem(name)).toContain(suggestion);
  });

  it.each([
    ["backup-plan", "BackupPlan", "backup-plans"],
    ["backup-policy", "BackupPolicy", "backup-policies"],
    ["address", "Address", "addresses"],
    ["batch", "Batch", "batches"],
    ["key", "Key", "keys"],
  ])("%s is the kind %s, in the plural %s", (name, pascal, plural) => {
    const names = namesOf(name);
    expect([names.pascal, names.plural.kebab]).toEqual([pascal, plural]);
  });
});
