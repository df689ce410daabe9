import { type Terminal, withExamples } from "@butler/cli-kit";
import { connectServer, LoginStore, serverUrl, type StoredLogin } from "@butler/cli-session";
import { ButlerError, Unavailable } from "@butler/std";
import { Command } from "commander";
import { keepCopy, mergeTarget, readIfPresent, writePrivate } from "../cluster/kubeconfig.ts";
import { withoutLogin } from "./login-kubeconfig.ts";

interface LogoutOptions {
  readonly server?: string;
  readonly local?: boolean;
  readonly kubeconfig?: string;
}

/** `butlerctl logout`. */
export function logoutCommand(terminal: Terminal): Command {
  const command = new Command("logout")
    .description("Sign out of a server and remove the local credentials")
    .option("--server <url>", "URL of the server (default: the last one used)")
    .option("--local", "remove only the local credentials, such as when the server is unreachable")
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<LogoutOptions>();
      const store = new LoginStore(terminal);
      const login = await store.find(options.server === undefined ? undefined : serverUrl(options.server));
      if (login === undefined) {
        terminal.say("Not signed in.");
        return;
      }
      if (options.local !== true) await revoke(terminal, login);
      await store.forget(login.server);
      await removeContext(terminal, login.server, options.kubeconfig);
      terminal.say(`Signed out of ${login.server}.`);
    });
  return withExamples(command, ["butlerctl logout"]);
}

async function revoke(terminal: Terminal, login: StoredLogin): Promise<void> {
  const { revokeCli } = await import("@butler/contract");
  const { client, close } = await connectServer(login, terminal);
  try {
    await client.call(revokeCli, { body: { refresh_token: login.refreshToken } }, { signal: terminal.signal });
  } catch (error) {
    if (!(error instanceof ButlerError)) throw error;
    throw new Unavailable(`sign-out failed: ${error.message}`, {
      hint: "Nothing was changed. Retry, or remove only the local credentials with --local; the server session then stays valid until it expires.",
    });
  } finally {
    await close();
  }
}

async function removeContext({ environment }: Terminal, server: string, named: string | undefined): Promise<void> {
  const file = named ?? mergeTarget(environment);
  const before = await readIfPresent(file);
  const after = before === undefined || before.trim() === "" ? undefined : withoutLogin(before, server);
  if (after === undefined) return;
  await keepCopy(file);
  await writePrivate(file, after);
}
