import { type Fact, factLines, type ObjectView, type Style } from "@butler/cli-kit";
import type { Destination, ProbedContext } from "./probe.ts";

const destinations: Readonly<Record<Destination, { readonly text: string; readonly style?: Style }>> = {
  butler: { text: "Butler platform", style: "good" },
  other: { text: "cluster without Butler" },
  refused: { text: "access denied", style: "bad" },
  away: { text: "unreachable", style: "bad" },
  "not asked": { text: "not checked", style: "faint" },
};

/** A context as text. */
export function contextLines({
  name,
  server,
  user,
  namespace,
  signedInTo,
  file,
  leadsTo,
  note,
}: ProbedContext): string[] {
  const facts: readonly Fact[] = [
    ["Context", name],
    ["Server", server],
    ["Target", destinations[leadsTo].text + (note === "" ? "" : `: ${note}`)],
    ["Namespace", namespace ?? "none (commands search all namespaces you can access)"],
    ["User", user],
    ["Signed in to", signedInTo],
    ["File", file],
  ];
  return factLines(facts, 14);
}

/** Contexts as rows. */
export const contextView: ObjectView<ProbedContext> = {
  nameOf: ({ name }) => name,
  columns: [
    { title: "CURRENT", value: ({ isCurrent }) => (isCurrent ? "*" : "") },
    { title: "NAME", value: ({ name }) => name },
    {
      title: "TARGET",
      value: ({ leadsTo }) => destinations[leadsTo].text,
      style: ({ leadsTo }) => destinations[leadsTo].style,
    },
    { title: "NAMESPACE", value: ({ namespace }) => namespace ?? "-" },
    { title: "SERVER", value: ({ server }) => server },
    { title: "USER", value: ({ user }) => user, isWide: true },
    { title: "SIGNED IN TO", value: ({ signedInTo }) => signedInTo ?? "-", isWide: true },
    { title: "FILE", value: ({ file }) => file, isWide: true },
    { title: "NOTE", value: ({ note }) => note, isWide: true },
  ],
};
