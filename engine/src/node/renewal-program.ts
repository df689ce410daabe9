/**
 * A program that the supervisor runs periodically: `renewal-program.ts --name NAME --home DIR [--lifetime-ms N]`. It
 * renews the engine's certificates before they expire.
 */
import { describeError, InvalidInput } from "@butler/std";
import { parseArgs } from "node:util";
import { connectSupervisor } from "../supervisor/start-supervisor.ts";
import { renewCertificates } from "./certificate-renewal.ts";
import { enginePaths } from "./engine-paths.ts";
import { findSlot } from "./engine-slots.ts";
import { networkLayout } from "./network-layout.ts";

try {
  await main();
} catch (error) {
  process.stderr.write(`failed to renew certificates: ${describeError(error)}\n`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { name: { type: "string" }, home: { type: "string" }, "lifetime-ms": { type: "string" } },
  });
  const { name, home, "lifetime-ms": lifetime } = values;
  if (name === undefined || home === undefined) throw new InvalidInput("--name NAME and --home DIR are required");
  const paths = enginePaths(name, home);
  const supervisor = await connectSupervisor(paths.supervisor);
  const slot = await findSlot(paths);
  // The certificates of a stopped engine are renewed when it starts.
  if (supervisor === undefined || slot === undefined) return;
  const certificateLifetimeMs = lifetime === undefined ? undefined : Number(lifetime);
  const nodeName = `butler-${name}`;
  await renewCertificates({ name, paths, nodeName, layout: networkLayout(slot), certificateLifetimeMs }, supervisor);
}
