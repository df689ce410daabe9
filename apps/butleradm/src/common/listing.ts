import { type ObjectView, type OutputFormat, outputOption, renderObjects, type Terminal } from "@butler/cli-kit";
import type { SessionOptions } from "@butler/cli-session";
import type { KubeObject } from "@butler/resource";
import type { Command } from "commander";

/** The options of commands that list something. */
export interface ListOptions extends SessionOptions {
  readonly output: OutputFormat;
  readonly headers: boolean;
}

/** Gives a command the options of a list. */
export function asList(command: Command): Command {
  return command.addOption(outputOption()).option("--no-headers", "leave out the titles of the columns");
}

/** What a list shows, and how. */
export interface Listing<T> {
  readonly view: ObjectView<T>;
  readonly objects: readonly T[];
  readonly options: Pick<ListOptions, "output" | "headers">;
  /** What is said when there is nothing. */
  readonly whenEmpty: string;
}

/** Prints a list, or says that there is nothing. */
export function printList<T>(terminal: Terminal, { view, objects, options, whenEmpty }: Listing<T>): void {
  const { output: format, headers: hasHeader } = options;
  const text = renderObjects(view, objects, { format, hasHeader, paint: terminal.paint });
  if (text !== "") terminal.print(text);
  else terminal.say(whenEmpty);
}

/** Objects by namespace and name. */
export function byKey({ metadata: left }: KubeObject, { metadata: right }: KubeObject): number {
  const [one, other] = [left, right].map(({ namespace = "", name }) => `${namespace}/${name}`);
  return (one ?? "") < (other ?? "") ? -1 : 1;
}
