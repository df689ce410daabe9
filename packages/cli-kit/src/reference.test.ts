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

  it("lists every visible command with its arguments and options", () => {
    expect(page).toContain(String.raw`| [tool thing list](#tool-thing-list) | List a\|b |`);
    expect(page).toContain("## tool thing list");
    expect(page).toContain("Aliases: `ls`.");
    expect(page).toContain("tool thing list [options] [name]");
    expect(page).toContain("| `name` | its name | no |");
    expect(page).toContain("jsonpath=TEMPLATE | `table` |");
    expect(page).toContain(String.raw`| ${"`--team <team>`"} | whose they are | required |`);
    expect(page).toContain("tool thing list x");
    expect(page).toContain("| `--all` | everything |  |");
  });

  it("omits hidden commands and options", () => {
    expect(page).not.toContain("hidden");
    expect(page).not.toContain("--secret");
  });
});

describe("versionLines", () => {
  it.each([
    [{ client: "1" }, ["Client:      1"]],
    [{ client: "1", server: {} }, ["Client:      1", "Platform:    unknown", "Kubernetes:  unknown"]],
    [
      { client: "1", server: { butler: "2", kubernetes: "v3" } },
      ["Client:      1", "Platform:    2", "Kubernetes:  v3"],
    ],
  ])("%j", (versions, lines) => {
    expect(versionLines(versions)).toEqual(lines);
  });
});
