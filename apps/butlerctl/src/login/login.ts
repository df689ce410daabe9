import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { type Terminal, UsageError, withExamples } from "@butler/cli-kit";
import { connectServer, LoginStore, serverUrl, storedFrom } from "@butler/cli-session";
import { describeError, InvalidInput } from "@butler/std";
import { Command } from "commander";
import { keepCopy, mergeTarget, readIfPresent, writePrivate } from "../cluster/kubeconfig.ts";
import { mergeKubeconfig } from "../cluster/kubeconfig-file.ts";
import { awaitDecision, type DeviceCodes, requestCodes } from "./device.ts";
import { loginEntries, loginKubeconfig } from "./login-kubeconfig.ts";

interface LoginOptions {
  readonly server?: string;
  readonly ca?: string;
  readonly browser: boolean;
  readonly setContext: boolean;
  readonly kubeconfig?: string;
}

/** `butlerctl login`. */
export function loginCommand(terminal: Terminal): Command {
  const command = new Command("login")
    .description("Sign in to a Butler server with a code that you approve in a browser")
    .option("--server <url>", "URL of the server (default: BUTLER_SERVER, or the last one used)")
    .option("--ca <file>", "file with CA certificates to verify the server (default: the system CA certificates)")
    .option("--no-browser", "print the URL without opening a browser")
    .option("--no-set-context", "do not change the current context in the kubeconfig")
    .action(async (_options, self: Command) => {
      await logIn(terminal, self.optsWithGlobals<LoginOptions>());
    });
  return withExamples(command, [
    "butlerctl login --server https://butler.example.com",
    "butlerctl login --server https://butler.example.com --no-browser --ca authority.pem",
  ]);
}

async function logIn(terminal: Terminal, options: LoginOptions): Promise<void> {
  const store = new LoginStore(terminal);
  const earlier = await store.find();
  const named = options.server ?? terminal.environment["BUTLER_SERVER"] ?? earlier?.server;
  if (named === undefined || named === "") throw new UsageError("specify the server with --server");
  const server = serverUrl(named);
  const isSame = earlier?.server === server;
  const certificateAuthority =
    options.ca === undefined ? (isSame ? earlier.certificateAuthority : undefined) : await readAuthority(options.ca);
  const connection = await connectServer({ server, certificateAuthority }, terminal);
  try {
    const codes = await requestCodes(connection.client, terminal, `butlerctl on ${hostname()}`);
    showCodes(terminal, codes, options.browser);
    const credentials = await awaitDecision(connection.client, codes, terminal);
    const login = storedFrom({ server, certificateAuthority }, credentials);
    await store.save(login);
    const file = await mergeLogin(terminal, options, loginKubeconfig(login));
    terminal.say(`Signed in to ${server} as ${login.email}.`);
    terminal.say(`Wrote context ${loginEntries.context} to ${file}.`);
  } finally {
    await connection.close();
  }
}

function showCodes(terminal: Terminal, codes: DeviceCodes, wantsBrowser: boolean): void {
  terminal.say(`Open ${codes.verification_uri} and enter the code ${codes.user_code}`);
  terminal.say(`or open ${codes.verification_uri_complete} and enter the code there`);
  terminal.say("Approve only if the page shows this machine. Waiting...");
  if (wantsBrowser && terminal.isInteractive) openBrowser(codes.verification_uri_complete);
}

/** Failing to open a browser is not an error: the URL was printed. Only http and https URLs are opened. */
function openBrowser(address: string): void {
  if (!/^https?:\/\//.test(address)) return;
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(program, [address], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

async function mergeLogin(
  terminal: Terminal,
  { kubeconfig, setContext }: LoginOptions,
  added: string,
): Promise<string> {
  const file = kubeconfig ?? mergeTarget(terminal.environment);
  const before = await readIfPresent(file);
  const merged = mergeKubeconfig(before ?? "", { added, names: loginEntries, isCurrent: setContext });
  if (before !== undefined && before !== merged) await keepCopy(file);
  if (before !== merged) await writePrivate(file, merged);
  return file;
}

async function readAuthority(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new InvalidInput(`cannot read ${file}: ${describeError(error)}`);
  });
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw new InvalidInput(`${file} contains no certificates`, { hint: "Pass CA certificates in PEM format." });
}
