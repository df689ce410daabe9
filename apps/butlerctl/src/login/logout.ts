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
    .description("End the sign-in of this machine, on the server and here")
    .option("--server <url>", "address of the server; the last one when absent")
    .option("--local", "forget it here only, when the server cannot be reached")
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<LogoutOptions>();
      const store = new LoginStore(terminal);
      const login = await store.find(options.server === undefined ? undefined : serverUrl(options.server));
      if (login === undefined) {
        terminal.say("You are not signed in.");
        return;
      }
      if (options.local !== true) await revoke(terminal, login);
      await store.forget(login.server);
      await removeContext(terminal, login.server, options.kubeconfig);
      terminal.say(`You are signed out of ${login.server}.`);
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
    throw new Unavailable(`the sign-in was not ended: ${error.message}`, {
      hint: "Nothing was changed. Try again, or forget it here only with --local; on the server it then ends by itself.",
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
