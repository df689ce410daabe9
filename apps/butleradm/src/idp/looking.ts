import { presets } from "@butler/administration";
import { IdentityProvider } from "@butler/api";
import { ageOf, type ObjectView, type Style, type Terminal, withExamples } from "@butler/cli-kit";
import { readList, type Session, withSession } from "@butler/cli-session";
import { findCondition, withoutManagedFields } from "@butler/resource";
import { NotFound } from "@butler/std";
import { Command } from "commander";
import { asList, byKey, type ListOptions, printList } from "../common/listing.ts";

const phaseStyles: Readonly<Record<string, Style>> = { Ready: "good", Pending: "busy", Failed: "bad" };
const phaseOf = ({ status }: IdentityProvider): string => status?.phase ?? "Pending";

function view(now: () => Date): ObjectView<IdentityProvider> {
  return {
    nameOf: ({ metadata }) => `identityprovider/${metadata.name}`,
    columns: [
      { title: "NAME", value: ({ metadata }) => metadata.name },
      { title: "TITLE", value: ({ spec }) => spec.displayName ?? "-" },
      { title: "ISSUER", value: ({ spec }) => spec.oidc?.issuerURL ?? "-" },
      { title: "PHASE", value: phaseOf, style: (provider) => phaseStyles[phaseOf(provider)] },
      { title: "AGE", value: ({ metadata }) => ageOf(metadata.creationTimestamp, now()) },
      { title: "CLIENT", value: ({ spec }) => spec.oidc?.clientID ?? "-", isWide: true },
      { title: "MESSAGE", value: messageOf, isWide: true },
    ],
  };
}

function messageOf({ status }: IdentityProvider): string {
  return status?.message ?? findCondition(status?.conditions, "Ready")?.message ?? "";
}

/** `butleradm idp list`. */
export function listCommand(terminal: Terminal): Command {
  const command = asList(new Command("list"))
    .alias("ls")
    .description("List the identity providers")
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<ListOptions>();
      await withSession(terminal, options, async (session) => {
        const objects = (await readList(session, IdentityProvider, {})).sort(byKey).map(withoutManagedFields);
        const whenEmpty = "No identity providers found; users sign in with passwords. Add one with: butleradm idp add";
        printList(terminal, { view: view(() => terminal.clock.now()), objects, options, whenEmpty });
      });
    });
  return withExamples(command, ["butleradm idp list", "butleradm idp list -o wide"]);
}

const presetView: ObjectView<(typeof presets)[number]> = {
  nameOf: ({ id }) => id,
  columns: [
    { title: "NAME", value: ({ id }) => id },
    { title: "PRODUCT", value: ({ displayName }) => displayName },
    { title: "ISSUER", value: ({ issuerURL }) => issuerURL },
    { title: "GROUPS CLAIM", value: ({ groupsClaim }) => groupsClaim || "-" },
    { title: "SETUP", value: ({ notes }) => notes, isWide: true },
  ],
};

/** `butleradm idp presets`, which needs no cluster. */
export function presetsCommand(terminal: Terminal): Command {
  const command = asList(new Command("presets"))
    .alias("preset")
    .description("List the presets for known products; -o wide shows how to set them up")
    .action((_options, self: Command) => {
      const options = self.optsWithGlobals<ListOptions>();
      printList(terminal, { view: presetView, objects: presets, options, whenEmpty: "" });
    });
  return withExamples(command, ["butleradm idp presets", "butleradm idp presets -o wide"]);
}

/** The identity provider of that name. */
export async function requireProvider({ client, signal }: Session, name: string): Promise<IdentityProvider> {
  const provider = await client.find(IdentityProvider, { name }, signal);
  if (provider !== undefined) return provider;
  throw new NotFound(`identity provider ${name} not found`, {
    hint: "List them with: butleradm idp list",
  });
}
