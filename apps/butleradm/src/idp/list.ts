import { IdentityProvider } from "@butler/api";
import { ageOf, type ObjectView, type Style, type Terminal, withExamples } from "@butler/cli-kit";
import { readList } from "@butler/cli-session";
import { findCondition, withoutManagedFields } from "@butler/resource";
import { Command } from "commander";
import { asList, byKey, listAction } from "../common/listing.ts";

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
    .action(
      listAction(terminal, async (session) => {
        const objects = (await readList(session, IdentityProvider, {})).sort(byKey).map(withoutManagedFields);
        const whenEmpty = "No identity providers found; users sign in with passwords. Add one with: butleradm idp add";
        return { view: view(() => terminal.clock.now()), objects, whenEmpty };
      }),
    );
  return withExamples(command, ["butleradm idp list", "butleradm idp list -o wide"]);
}
