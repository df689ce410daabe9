import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "@butler/testkit";
import { type Answer, PersonAtServer } from "./person-at-server.ts";

/** Options of a command-line sign-in. */
export interface CommandLine {
  readonly server: string;
  /** The user who approves it in a browser. */
  readonly approver: PersonAtServer;
  /** Path of its kubeconfig. */
  readonly directory: string;
}

/** Signs a command line in, and starts another sign-in that is approved but not fetched yet. */
export async function logInAtCommandLine(
  line: CommandLine,
): Promise<{ kubeconfig: string; pendingCode: () => Promise<Answer> }> {
  const first = await approved(line);
  let kubeconfig = "";
  await eventually(async () => {
    const { status, body } = await first();
    if (status === 200) kubeconfig = String(body["kubeconfig"]);
    return status === 200;
  });
  const file = join(line.directory, "command-line.kubeconfig");
  await writeFile(file, kubeconfig, { mode: 0o600 });
  return { kubeconfig: file, pendingCode: await approved(line) };
}

/** Starts a device flow and has it approved; returns a function that fetches the result. */
async function approved({ server, approver }: CommandLine): Promise<() => Promise<Answer>> {
  const client = new PersonAtServer(server);
  const codes = await client.did("POST", "/api/auth/cli/device", { client_name: "butlerctl on a laptop" });
  await approver.did("POST", "/api/auth/cli/approve", { user_code: codes["user_code"] });
  return () => client.ask("POST", "/api/auth/cli/token", { device_code: codes["device_code"] });
}
