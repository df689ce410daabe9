import { Command } from "commander";
import packageFile from "../package.json" with { type: "json" };
import { explainError } from "./cli-errors.ts";
import { withExamples } from "./examples.ts";
import { isDataFormat, type OutputFormat, outputOption, renderValue } from "./output.ts";
import type { Terminal } from "./terminal.ts";

/** The version of this program. */
export const clientVersion = packageFile.version;

/** The versions of the server side, as far as they are known. */
export interface ServerVersions {
  readonly kubernetes?: string;
  readonly butler?: string;
}

interface VersionOptions {
  readonly client?: boolean;
  readonly output: OutputFormat;
}

export interface VersionSource {
  readonly program: string;
  /** Queries the server, with the options of the command line. */
  readonly readServer: (options: Readonly<Record<string, string>>) => Promise<ServerVersions>;
}

/** `version`, of any program. An unreachable server is reported, but is not a failure. */
export function versionCommand(terminal: Terminal, { program, readServer }: VersionSource): Command {
  const command = new Command("version")
    .description("Print the client version, and the platform versions if the server is reachable")
    .option("--client", "print only the client version, without contacting the server")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<VersionOptions & Record<string, string>>();
      const server = options.client ? undefined : await readServer(options).catch((error: unknown) => error);
      const client = { program, version: clientVersion, runtime: `Node.js ${process.version}` };
      const known = server === undefined || server instanceof Error ? {} : { server: server as ServerVersions };
      if (isDataFormat(options.output)) terminal.print(renderValue({ client, ...known }, options.output));
      else for (const line of versionLines({ client: clientVersion, ...known })) terminal.print(line);
      if (server instanceof Error) terminal.say(explainError(server)[0] ?? "");
    });
  return withExamples(command, [`${program} version`, `${program} version --client -o json`]);
}

/** Versions as text, one per line. */
export function versionLines(versions: { readonly client: string; readonly server?: ServerVersions }): string[] {
  const { client, server } = versions;
  if (server === undefined) return [`Client:      ${client}`];
  return [
    `Client:      ${client}`,
    `Platform:    ${server.butler ?? "unknown"}`,
    `Kubernetes:  ${server.kubernetes ?? "unknown"}`,
  ];
}
