import { providerUse, type ProviderSurroundings } from "@butler/administration";
import { ProviderConfig } from "@butler/api";
import { ageOf, type ObjectView, type Style, type Terminal, withExamples } from "@butler/cli-kit";
import { readList } from "@butler/cli-session";
import { findCondition, isBeingDeleted, withoutManagedFields } from "@butler/resource";
import { Command } from "commander";
import { asList, byKey, listAction, type ListOptions } from "../common/listing.ts";
import { readSurroundings } from "./find-provider.ts";

const stateStyles: Readonly<Record<string, Style>> = { ready: "good", "not ready": "bad", deleting: "leaving" };

function stateOf(provider: ProviderConfig): string {
  if (isBeingDeleted(provider)) return "deleting";
  const { ready } = provider.status ?? {};
  if (ready === undefined) return "unknown";
  return ready ? "ready" : "not ready";
}

type Place = (spec: ProviderConfig["spec"]) => readonly (string | undefined)[];

const places: Readonly<Record<ProviderConfig["spec"]["provider"], Place>> = {
  harvester: ({ harvester }) => [harvester?.endpoint ?? "from its kubeconfig"],
  nutanix: ({ nutanix }) => [nutanix?.endpoint],
  proxmox: ({ proxmox }) => [proxmox?.endpoint],
  azure: ({ azure }) => [azure?.subscriptionID, azure?.resourceGroup],
  aws: ({ aws }) => [aws?.region],
  gcp: ({ gcp }) => [gcp?.projectID, gcp?.region],
  local: () => ["this cluster"],
};

/** The location of a provider. */
export function placeOf({ spec }: ProviderConfig): string {
  return places[spec.provider](spec)
    .map((part) => part ?? "-")
    .join("/");
}

function view(now: () => Date, surroundings: ProviderSurroundings): ObjectView<ProviderConfig> {
  return {
    nameOf: ({ metadata }) => `providerconfig/${metadata.name}`,
    columns: [
      { title: "NAMESPACE", value: ({ metadata }) => metadata.namespace ?? "", isWide: true },
      { title: "NAME", value: ({ metadata }) => metadata.name },
      { title: "TYPE", value: ({ spec }) => spec.provider },
      { title: "SCOPE", value: whoseOf },
      { title: "STATE", value: stateOf, style: (provider) => stateStyles[stateOf(provider)] },
      { title: "CLUSTERS", value: (provider) => String(providerUse(provider, surroundings).clusters.length) },
      { title: "LOCATION", value: placeOf },
      { title: "AGE", value: ({ metadata }) => ageOf(metadata.creationTimestamp, now()) },
      { title: "DEFAULT", value: (each) => (providerUse(each, surroundings).isDefault ? "yes" : "-"), isWide: true },
      { title: "MESSAGE", value: messageOf, isWide: true },
    ],
  };
}

function whoseOf({ spec: { scope } }: ProviderConfig): string {
  return scope?.type === "team" ? `team ${scope.teamRef?.name ?? "-"}` : "all teams";
}

function messageOf({ status }: ProviderConfig): string {
  const ready = findCondition(status?.conditions, "Ready");
  return ready === undefined || ready.status === "True" ? "" : ready.message;
}

interface ProviderListOptions extends ListOptions {
  readonly namespace?: string;
}

/** `butleradm provider list`. */
export function listCommand(terminal: Terminal): Command {
  const command = asList(new Command("list"))
    .alias("ls")
    .description("List the providers and the number of clusters that use each")
    .option("-n, --namespace <namespace>", "namespace of the providers (default: all namespaces)")
    .action(
      listAction<ProviderConfig, ProviderListOptions>(terminal, async (session, { namespace }) => {
        const [providers, surroundings] = await Promise.all([
          readList(session, ProviderConfig, { namespace }),
          readSurroundings(session),
        ]);
        return {
          view: view(() => terminal.clock.now(), surroundings),
          objects: providers.sort(byKey).map(withoutManagedFields),
          whenEmpty: "No providers found. Add one with: butleradm provider add",
        };
      }),
    );
  return withExamples(command, ["butleradm provider list", "butleradm provider list -o wide"]);
}
