import type { Terminal } from "@butler/cli-kit";
import { freshLogin, serverUrl } from "@butler/cli-session";
import { Command } from "commander";

/** `butlerctl credential`: what kubectl calls for a token (an exec plugin of client-go). Not meant for direct use. */
export function credentialCommand(terminal: Terminal): Command {
  return new Command("credential")
    .description("Print the sign-in token for kubectl (exec credential plugin)")
    .option("--server <url>", "URL of the server (default: the last one used)")
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
