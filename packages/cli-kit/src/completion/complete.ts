import type { Argument, Command, Option } from "commander";
import { pathOf, shownCommands } from "../command-tree.ts";

/** A word that can be completed at the cursor. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** The part of the typed command line that determines where names are looked up. */
export interface TypedWords {
  /** Values of options by their long names without dashes. */
  readonly options: Readonly<Record<string, string>>;
  /** Positional arguments, in order. */
  readonly places: readonly string[];
}

/** What can come next on a command line. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** The sort of names to look up, such as `cluster`. */
  readonly sort: string | undefined;
  readonly allowsFiles: boolean;
  /** The part of the word before the name, such as `--option=`. */
  readonly prefix: string;
  readonly typed: TypedWords;
}

const fileSorts = new Set(["file", "files", "path", "folder", "directory"]);

/** Completions of the last word, which may be empty. The words exclude the program's name. */
export function completionOf(program: Command, words: readonly string[]): Completion {
  const last = words.at(-1) ?? "";
  const line = readLine(program, words.slice(0, -1));
  const { command, pending, isOnlyArguments, places } = line;
  const typed = { options: line.options, places };
  const result = (found: Expected, before = ""): Completion => ({
    ...found,
    candidates: found.candidates
      .filter(({ word }) => word.startsWith(last.slice(before.length)))
      .map(({ word, description }) => ({ word: before + word, description })),
    prefix: before,
    typed,
  });
  if (pending !== undefined) return result(valueOf(pending, command));
  if (!isOnlyArguments && last.startsWith("-")) {
    const [name = "", value] = last.split(/=(.*)/s);
    const option = value === undefined ? undefined : findOption(command, name);
    return option === undefined ? result(nothing(optionsOf(command))) : result(valueOf(option, command), `${name}=`);
  }
  const children = places.length === 0 ? shownCommands(command) : [];
  const subcommands = children.map((child) => ({ word: child.name(), description: child.description() }));
  return result(argumentAt(command, places.length, subcommands));
}

type Expected = Pick<Completion, "candidates" | "sort" | "allowsFiles">;

function nothing(candidates: readonly Candidate[]): Expected {
  return { candidates, sort: undefined, allowsFiles: false };
}

interface ReadLine {
  readonly command: Command;
  /** The option whose value is missing. */
  readonly pending: Option | undefined;
  readonly isOnlyArguments: boolean;
  readonly options: Readonly<Record<string, string>>;
  readonly places: readonly string[];
}

/** Follows complete words down the command tree. */
function readLine(program: Command, words: readonly string[]): ReadLine {
  const options: Record<string, string> = {};
  const places: string[] = [];
  let [command, isOnlyArguments] = [program, false];
  let pending: Option | undefined;
  for (const word of words) {
    if (pending !== undefined) {
      // Bash passes the `=` between option and value as a separate word.
      if (word === "=") continue;
      options[longName(pending)] = word;
      pending = undefined;
    } else if (word === "--") isOnlyArguments = true;
    else if (word.startsWith("-") && !isOnlyArguments) pending = readOption(command, word, options);
    else {
      const child = places.length === 0 ? childOf(command, word) : undefined;
      if (child === undefined) places.push(word);
      else command = child;
    }
  }
  return { command, pending, isOnlyArguments, options, places };
}

function readOption(command: Command, word: string, options: Record<string, string>): Option | undefined {
  const [name = "", value] = word.split(/=(.*)/s);
  const option = findOption(command, name);
  if (option === undefined || !option.required) return undefined;
  if (value === undefined) return option;
  options[longName(option)] = value;
  return undefined;
}

function childOf(command: Command, word: string): Command | undefined {
  return command.commands.find((child) => child.name() === word || child.aliases().includes(word));
}

function* lineOf(command: Command): Generator<Command> {
  for (let each: Command | null = command; each !== null; each = each.parent) yield each;
}

function findOption(command: Command, name: string): Option | undefined {
  for (const each of lineOf(command)) {
    const found = each.options.find(({ long, short }) => long === name || short === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function optionsOf(command: Command): Candidate[] {
  const own = [...lineOf(command)].flatMap((each) => each.options).filter(({ hidden }) => !hidden);
  const all = own.map((option) => ({ word: option.long ?? option.short ?? "", description: option.description }));
  return [...all, { word: "--help", description: `help for ${pathOf(command)}` }];
}

function longName({ long, short }: Option): string {
  return (long ?? short ?? "").replace(/^-+/, "");
}

function valueOf(option: Option, command: Command): Expected {
  if (option.argChoices !== undefined) return nothing(choices(option.argChoices));
  return ofSort(/[<[]([^>\].]+)/.exec(option.flags)?.[1] ?? "", command);
}

function argumentAt(command: Command, place: number, subcommands: readonly Candidate[]): Expected {
  const { registeredArguments } = command;
  const last: Argument | undefined = registeredArguments.at(-1);
  const argument = registeredArguments[place] ?? (last?.variadic === true ? last : undefined);
  if (argument === undefined || subcommands.length > 0) return nothing(subcommands);
  return argument.argChoices === undefined ? ofSort(argument.name(), command) : nothing(choices(argument.argChoices));
}

function choices(words: readonly string[]): Candidate[] {
  return words.map((word) => ({ word, description: "" }));
}

/** An argument called `name` takes a name of the kind that the command's group manages. */
function ofSort(valueName: string, command: Command): Expected {
  const sort = valueName === "name" ? (command.parent?.name() ?? "") : valueName;
  return { candidates: [], sort, allowsFiles: fileSorts.has(sort) };
}
