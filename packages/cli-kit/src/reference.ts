import type { Argument, Command, Option } from "commander";
import { everyCommand, pathOf, shownCommands } from "./command-tree.ts";
import { readExamples } from "./examples.ts";

/** The reference page of a program: every command with its arguments and options, from the actual command tree. */
export function buildReference(program: Command): string {
  const shown = [...everyCommand(program)].filter(isShown);
  const leaves = shown.filter((command) => command.commands.length === 0);
  return [
    `# ${program.name()}`,
    "",
    `${program.description()}.`,
    "",
    ...(leaves.length === 0 ? [] : ["| Command | Description |", "|---|---|", ...leaves.map(summaryRow), ""]),
    "## Global options",
    "",
    ...optionTable(program),
    ...shown.filter((command) => command !== program).flatMap(section),
  ].join("\n");
}

function isShown(command: Command): boolean {
  return command.parent === null || (shownCommands(command.parent).includes(command) && isShown(command.parent));
}

function summaryRow(command: Command): string {
  const anchor = pathOf(command).replaceAll(" ", "-");
  return `| [${pathOf(command)}](#${anchor}) | ${cell(command.description())} |`;
}

function section(command: Command): string[] {
  const isGroup = command.commands.length > 0;
  const aliases = command.aliases();
  const examples = readExamples(command);
  return [
    `## ${pathOf(command)}`,
    "",
    `${command.description()}.`,
    "",
    ...(aliases.length === 0 ? [] : [`Aliases: ${aliases.map(code).join(", ")}.`, ""]),
    ...(isGroup ? [] : ["```", `${pathOf(command)} ${command.usage()}`.trimEnd(), "```", ""]),
    ...argumentTable(command.registeredArguments),
    ...(isGroup && command.options.length === 0 ? [] : optionTable(command)),
    ...(examples.length === 0 ? [] : ["Examples:", "", "```", ...examples, "```", ""]),
  ];
}

function argumentTable(taken: readonly Argument[]): string[] {
  if (taken.length === 0) return [];
  const rows = taken.map((argument) => {
    const choices = argument.argChoices === undefined ? "" : ` (${argument.argChoices.join(", ")})`;
    return `| ${code(argument.name())} | ${cell(argument.description + choices)} | ${argument.required ? "yes" : "no"} |`;
  });
  return ["| Argument | Description | Required |", "|---|---|---|", ...rows, ""];
}

function optionTable(command: Command): string[] {
  const options = command.options.filter(({ hidden }) => !hidden);
  if (options.length === 0) return [];
  const rows = options.map(
    (option) => `| ${code(option.flags)} | ${cell(option.description)} | ${cell(standardOf(option))} |`,
  );
  return ["| Option | Description | Default |", "|---|---|---|", ...rows, ""];
}

function standardOf({ mandatory, negate, defaultValue, defaultValueDescription }: Option): string {
  if (mandatory) return "required";
  if (defaultValueDescription !== undefined) return defaultValueDescription;
  if (negate || defaultValue === undefined || typeof defaultValue === "boolean") return "";
  return Array.isArray(defaultValue) && defaultValue.length === 0 ? "" : code(String(defaultValue));
}

function code(text: string): string {
  return `\`${text.replaceAll("|", String.raw`\|`)}\``;
}

function cell(text: string): string {
  return text.replaceAll("|", String.raw`\|`).replaceAll("<", String.raw`\<`);
}
