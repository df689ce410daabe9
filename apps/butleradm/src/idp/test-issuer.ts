import type { IssuerTest } from "@butler/administration/issuers";
import { factLines, outputOption, renderValue, type Terminal, UsageError, withExamples } from "@butler/cli-kit";
import { type SessionOptions, withSession } from "@butler/cli-session";
import { InvalidInput, Unavailable } from "@butler/std";
import { Command } from "commander";
import { readText } from "../common/secret-input.ts";
import { requireProvider } from "./find-identity-provider.ts";

interface TestOptions extends SessionOptions {
  readonly issuerUrl?: string;
  readonly ca?: string;
  readonly output: "table" | "json" | "yaml";
}

/** `butleradm idp test`. */
export function testCommand(terminal: Terminal): Command {
  const command = new Command("test")
    .description("Test an issuer from this machine by validating its discovery document")
    .argument("[name]", "name of the identity provider, unless --issuer-url is given")
    .option("--issuer-url <url>", "issuer URL to test before adding the provider")
    .option("--ca <file>", "CA certificate file, if the system does not trust the issuer")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<TestOptions>();
      const issuer = await issuerOf(terminal, { name, options });
      const authorities = options.ca === undefined ? undefined : await readText(terminal, options.ca);
      const { askIssuer, issuerTest } = await import("@butler/administration/issuers");
      // A local user may also connect to their own machine.
      const asking = { authorities, allowLoopback: true, signal: terminal.signal };
      const found = issuerTest(await askIssuer(issuer, asking));
      if (options.output !== "table") terminal.print(renderValue({ issuerURL: issuer, ...found }, options.output));
      else for (const line of testLines(issuer, found)) terminal.print(line);
      if (!found.valid) {
        throw new Unavailable(`${issuer}: ${found.message}`, {
          hint: "Users cannot sign in until this is fixed. butler-server may get a different result from its own network.",
        });
      }
    });
  return withExamples(command, [
    "butleradm idp test company",
    "butleradm idp test --issuer-url https://login.example.com",
  ]);
}

interface Wish {
  readonly name: string | undefined;
  readonly options: TestOptions;
}

async function issuerOf(terminal: Terminal, { name, options }: Wish): Promise<string> {
  const { issuerUrl } = options;
  if ((name === undefined) === (issuerUrl === undefined)) {
    throw new UsageError("specify either an identity provider or --issuer-url", {
      hint: "Examples: butleradm idp test company; butleradm idp test --issuer-url https://login.example.com",
    });
  }
  if (issuerUrl !== undefined) return requireHttps(issuerUrl);
  return withSession(terminal, options, async (session) => {
    const { spec } = await requireProvider(session, name ?? "");
    return requireHttps(spec.oidc?.issuerURL ?? "");
  });
}

/** Rejects an address that cannot be an issuer's. */
export function requireHttps(address: string): string {
  if (URL.canParse(address) && new URL(address).protocol === "https:" && !address.includes("{")) return address;
  throw new InvalidInput(`"${address}" is not a valid HTTPS issuer URL`, {
    hint: "Use a URL such as https://login.example.com, with all placeholders in braces replaced.",
  });
}

function testLines(issuer: string, { valid, message, authorizationEndpoint, tokenEndpoint }: IssuerTest): string[] {
  return factLines([
    ["Issuer", issuer],
    ["Result", valid ? "valid" : "invalid"],
    ["Message", message],
    ["Authorization endpoint", authorizationEndpoint],
    ["Token endpoint", tokenEndpoint],
  ]);
}
