import { Command, Option } from "commander";
import { describe, expect, it } from "vitest";
import { withExamples } from "./examples.ts";
import { outputOption } from "./output.ts";
import { buildReference } from "./reference.ts";
import { versionLines } from "./version-command.ts";

describe("buildReference", () => {
  const list = new Command("list")
    .alias("ls")
    .description("List a|b")
    .argument("[name]", "its name")
    .addOption(outputOption(["table", "json"]))
    .addOption(new Option("--secret", "not for people").hideHelp())
    .requiredOption("--team <team>", "whose they are");
  const page = buildReference(
    new Command("tool")
      .description("A tool")
      .option("--all", "everything")
      .addCommand(new Command("thing").description("Things").addCommand(withExamples(list, ["tool thing list x"])))
      .addCommand(new Command("hidden"), { hidden: true }),
  );

  it("has every command that people are told of, with all it takes", () => {
    expect(page).toContain(String.raw`| [tool thing list](#tool-thing-list) | List a\|b |`);
    expect(page).toContain("## tool thing list");
    expect(page).toContain("Also: `ls`.");
    expect(page).toContain("tool thing list [options] [name]");
    expect(page).toContain("| `name` | its name | no |");
    expect(page).toContain("jsonpath=TEMPLATE | `table` |");
    expect(page).toContain(String.raw`| ${"`--team <team>`"} | whose they are | it has to be given |`);
    expect(page).toContain("tool thing list x");
    expect(page).toContain("| `--all` | everything |  |");
  });

  it("says nothing of what is hidden", () => {
    expect(page).not.toContain("hidden");
    expect(page).not.toContain("--secret");
  });
});

describe("versionLines", () => {
  it.each([
    [{ client: "1" }, ["Client:      1"]],
    [{ client: "1", server: {} }, ["Client:      1", "Platform:    not known", "Kubernetes:  not known"]],
    [
      { client: "1", server: { butler: "2", kubernetes: "v3" } },
      ["Client:      1", "Platform:    2", "Kubernetes:  v3"],
    ],
  ])("%j", (versions, lines) => {
    expect(versionLines(versions)).toEqual(lines);
  });
});
