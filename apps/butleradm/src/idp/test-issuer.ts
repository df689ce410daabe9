import type { IssuerTest } from "@butler/administration/issuers";
import { factLines, outputOption, renderValue, type Terminal, UsageError, withExamples } from "@butler/cli-kit";
import { type SessionOptions, withSession } from "@butler/cli-session";
import { InvalidInput, Unavailable } from "@butler/std";
import { Command } from "commander";
import { readText } from "../common/secret-input.ts";
import { requireProvider } from "./looking.ts";

interface TestOptions extends SessionOptions {
  readonly issuerUrl?: string;
  readonly ca?: string;
  readonly output: "table" | "json" | "yaml";
}

/** `butleradm idp test`. */
export function testCommand(terminal: Terminal): Command {
  const command = new Command("test")
    .description("Ask an issuer for its discovery document, from this machine, and say whether it is as it should be")
    .argument("[name]", "name of the identity provider; or name an issuer with --issuer-url")
    .option("--issuer-url <url>", "issuer to ask, before there is an identity provider of it")
    .option("--ca <file>", "certificates that vouch for the issuer, where the system's do not")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<TestOptions>();
      const issuer = await issuerOf(terminal, { name, options });
      const authorities = options.ca === undefined ? undefined : await readText(terminal, options.ca);
      const { askIssuer, issuerTest } = await import("@butler/administration/issuers");
      // Whoever asks from their own machine may ask that machine, too.
      const asking = { authorities, allowLoopback: true, signal: terminal.signal };
      const found = issuerTest(await askIssuer(issuer, asking));
      if (options.output !== "table") terminal.print(renderValue({ issuerURL: issuer, ...found }, options.output));
      else for (const line of testLines(issuer, found)) terminal.print(line);
      if (!found.valid) {
        throw new Unavailable(`${issuer}: ${found.message}`, {
          hint: "Nobody can sign in there until this is mended. butler-server asks from its own place, which may differ.",
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
    throw new UsageError("name either an identity provider or an issuer", {
      hint: "Such as: butleradm idp test company, or: butleradm idp test --issuer-url https://login.example.com",
    });
  }
  if (issuerUrl !== undefined) return requireHttps(issuerUrl);
  return withSession(terminal, options, async (session) => {
    const { spec } = await requireProvider(session, name ?? "");
    return requireHttps(spec.oidc?.issuerURL ?? "");
  });
}

/** Refuses an address that could not be an issuer's. */
export function requireHttps(address: string): string {
  if (URL.canParse(address) && new URL(address).protocol === "https:" && !address.includes("{")) return address;
  throw new InvalidInput(`"${address}" is not the https address of an issuer`, {
    hint: "Such as https://login.example.com; fill in what stands in braces.",
  });
}

function testLines(issuer: string, { valid, message, authorizationEndpoint, tokenEndpoint }: IssuerTest): string[] {
  return factLines([
    ["Issuer", issuer],
    ["Result", valid ? "good" : "bad"],
    ["Found", message],
    ["Sign in at", authorizationEndpoint],
    ["Tokens from", tokenEndpoint],
  ]);
}
