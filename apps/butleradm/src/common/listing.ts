import { type ObjectView, type OutputFormat, outputOption, renderObjects, type Terminal } from "@butler/cli-kit";
import { inSession, type Session, type SessionOptions } from "@butler/cli-session";
import type { KubeObject } from "@butler/resource";
import type { Command } from "commander";

/** Options of list commands. */
export interface ListOptions extends SessionOptions {
  readonly output: OutputFormat;
  readonly headers: boolean;
}

/** Adds the options of a list command. */
export function asList(command: Command): Command {
  return command.addOption(outputOption()).option("--no-headers", "omit table headers");
}

/** The contents and format of a list. */
export interface Listing<T> {
  readonly view: ObjectView<T>;
  readonly objects: readonly T[];
  readonly options: Pick<ListOptions, "output" | "headers">;
  /** Message for an empty list. */
  readonly whenEmpty: string;
}

/** Prints a list, or a message if it is empty. */
export function printList<T>(terminal: Terminal, { view, objects, options, whenEmpty }: Listing<T>): void {
  const { output: format, headers: hasHeader } = options;
  const text = renderObjects(view, objects, { format, hasHeader, paint: terminal.paint });
  if (text !== "") terminal.print(text);
  else terminal.say(whenEmpty);
}

/** Reads what a list command prints. */
type ListReader<T, Options> = (session: Session, options: Options) => Promise<Omit<Listing<T>, "options">>;

/** The action of a list command: prints what it reads. */
export function listAction<T, Options extends ListOptions = ListOptions>(
  terminal: Terminal,
  read: ListReader<T, Options>,
) {
  return inSession<Options>(terminal, async (session, options) => {
    printList(terminal, { ...(await read(session, options)), options });
  });
}

/** Objects by namespace and name. */
export function byKey({ metadata: left }: KubeObject, { metadata: right }: KubeObject): number {
  const [one, other] = [left, right].map(({ namespace = "", name }) => `${namespace}/${name}`);
  return (one ?? "") < (other ?? "") ? -1 : 1;
}
