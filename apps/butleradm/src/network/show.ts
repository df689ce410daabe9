import { IPAllocation, namespaces, type NetworkPool } from "@butler/api";
import { outputOption, renderObjects, renderValue, type Terminal, withExamples } from "@butler/cli-kit";
import { readList, type SessionOptions, withSession } from "@butler/cli-session";
import { InvalidInput } from "@butler/std";
import { Command } from "commander";
import { requirePool } from "./find-pool.ts";
import { poolMap } from "./pool-map.ts";
import { claimView, poolView, byAddress } from "./pool-view.ts";

interface ShowOptions extends SessionOptions {
  readonly namespace: string;
  readonly output: "table" | "json" | "yaml";
  readonly rows: string;
}

const formats = ["table", "json", "yaml"] as const;

/** `butleradm network show`. */
export function showCommand(terminal: Terminal): Command {
  const command = new Command("show")
    .description("Show a pool with its usage, address map and allocations")
    .argument("<pool>", "name of the pool")
    .option("-n, --namespace <namespace>", "namespace of the pool", namespaces.system)
    .option("--rows <number>", "number of rows in the address map", "16")
    .addOption(outputOption(formats))
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<ShowOptions>();
      const height = rowsOf(options.rows);
      await withSession(terminal, options, async (session) => {
        const { namespace, output } = options;
        const pool = await requirePool(session, { name, namespace });
        const claims = (await readList(session, IPAllocation, { namespace }))
          .filter(({ spec }) => spec.poolRef.name === name)
          .sort(byAddress);
        if (output !== "table") terminal.print(renderValue({ pool, allocations: claims }, output));
        else for (const line of page({ terminal, pool, claims, height })) terminal.print(line);
      });
    });
  return withExamples(command, ["butleradm network show datacenter", "butleradm network show datacenter -o json"]);
}

interface Page {
  readonly terminal: Terminal;
  readonly pool: NetworkPool;
  readonly claims: readonly IPAllocation[];
  readonly height: number;
}

function page({ terminal, pool, claims, height }: Page): string[] {
  const { paint, width, clock } = terminal;
  const now = (): Date => clock.now();
  const table = { format: "table", paint } as const;
  const listed = renderObjects(claimView(now), claims, table);
  return [
    renderObjects(poolView(now), [pool], table),
    "",
    ...poolMap(pool, claims, { width, height, paint }),
    "",
    listed === "" ? "No allocations in this pool." : listed,
  ];
}

function rowsOf(text: string): number {
  const rows = Number(text);
  if (Number.isInteger(rows) && rows >= 1 && rows <= 200) return rows;
  throw new InvalidInput(`invalid value for --rows: ${JSON.stringify(text)}`, {
    hint: "Must be an integer from 1 to 200.",
  });
}
