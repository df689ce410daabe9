import {
  isDataFormat,
  type OutputFormat,
  outputOption,
  renderValue,
  type Terminal,
  withExamples,
} from "@butler/cli-kit";
import { connectServer, freshLogin, serverUrl } from "@butler/cli-session";
import type { getMe, RouteAnswer } from "@butler/contract";
import { ButlerError, Unauthenticated } from "@butler/std";
import { Command } from "commander";

interface WhoamiOptions {
  readonly server?: string;
  readonly output: OutputFormat;
}

type Me = RouteAnswer<typeof getMe>;

/** `butlerctl whoami`. */
export function whoamiCommand(terminal: Terminal): Command {
  const command = new Command("whoami")
    .description("Show the signed-in user and their current roles")
    .option("--server <url>", "URL of the server (default: the last one used)")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (_options, self: Command) => {
      const { server, output } = self.optsWithGlobals<WhoamiOptions>();
      const login = await freshLogin(terminal, server === undefined ? undefined : serverUrl(server));
      const me = await readMe(terminal, login);
      if (isDataFormat(output)) terminal.print(renderValue({ server: login.server, ...me }, output));
      else terminal.print(describeMe(me, login.server));
    });
  return withExamples(command, ["butlerctl whoami", "butlerctl whoami -o json"]);
}

async function readMe(terminal: Terminal, login: Awaited<ReturnType<typeof freshLogin>>): Promise<Me> {
  const { getMe: route } = await import("@butler/contract");
  const { client, close } = await connectServer(login, terminal);
  try {
    return await client.call(route, {}, { signal: terminal.signal });
  } catch (error) {
    if (!(error instanceof ButlerError) || error.code !== "UNAUTHENTICATED") throw error;
    throw new Unauthenticated(`the session with ${login.server} is no longer valid`, {
      hint: `Sign in with: butlerctl login --server ${login.server}`,
    });
  } finally {
    await close();
  }
}

function describeMe({ email, name, platformRole, teams }: Me, server: string): string {
  const person = name === email ? email : `${name} <${email}>`;
  const roles = teams.map((team) => `  ${team.name}: ${team.role}`);
  return [
    `${person} at ${server}`,
    ...(platformRole === undefined ? [] : [`platform: ${platformRole}`]),
    ...(roles.length === 0 ? ["You are not a member of any team."] : ["teams:", ...roles]),
  ].join("\n");
}
