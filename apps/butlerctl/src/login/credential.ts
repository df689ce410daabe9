import type { Terminal } from "@butler/cli-kit";
import { freshLogin, serverUrl } from "@butler/cli-session";
import { Command } from "commander";

/** `butlerctl credential`: what kubectl calls for a token (an exec plug-in of client-go). People have no use for it. */
export function credentialCommand(terminal: Terminal): Command {
  return new Command("credential")
    .description("Give kubectl a token of the sign-in with a server")
    .option("--server <url>", "address of the server; the last one when absent")
    .action(async (_options, self: Command) => {
      const { server } = self.optsWithGlobals<{ readonly server?: string }>();
      const login = await freshLogin(terminal, server === undefined ? undefined : serverUrl(server));
      const { token } = login.kubernetes;
      terminal.print(
        JSON.stringify({
          apiVersion: "client.authentication.k8s.io/v1",
          kind: "ExecCredential",
          status: { token, expirationTimestamp: login.expiresAt },
        }),
      );
    });
}
