import { resolve } from "node:path";
import { namespaces } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { inSession, type Session, type SessionOptions } from "@butler/cli-session";
import { deployedRevision, findReleases } from "@butler/helm";
import { builtinKinds } from "@butler/resource";
import { nameSome, NotFound } from "@butler/std";
import { Command } from "commander";
import { counted } from "../common/words.ts";
import { momentName, writePrivate } from "../archive/write-private.ts";
import { type BackupManifest, packBackup } from "./backup-file.ts";
import { collect, type Collection } from "./collect.ts";
import { countKinds } from "./order.ts";

interface BackupOptions extends SessionOptions {
  readonly withSecrets?: boolean;
  readonly dryRun?: boolean;
}

/** `butleradm backup`. */
export function backupCommand(terminal: Terminal): Command {
  const command = new Command("backup")
    .description("Back up all Butler objects (teams, users, providers, pools, clusters, add-ons) to a file")
    .argument("[file]", "file to write (default: butler-backup-TIME.tar.gz)")
    .option("--with-secrets", "include referenced Secrets; anyone with the file can read them")
    .option("--dry-run", "list the objects that would be backed up, without writing a file")
    .action(
      inSession<BackupOptions>(terminal, async (session, options, file?: string) => {
        const withSecrets = options.withSecrets === true;
        const found = await collect(session, { withSecrets });
        if (found.objects.length === 0) throw nothingThere();
        tell(terminal, found, withSecrets);
        if (options.dryRun) return;
        const createdAt = terminal.clock.now();
        const manifest = await describe(session, { createdAt: createdAt.toISOString(), withSecrets });
        const path = resolve(file ?? `butler-backup-${momentName(createdAt)}.tar.gz`);
        await writePrivate(path, await packBackup({ manifest, objects: found.objects }));
        terminal.print(path);
      }),
    );
  return withExamples(command, ["butleradm backup", "butleradm backup before-upgrade.tar.gz --with-secrets"]);
}

function nothingThere(): NotFound {
  return new NotFound("no Butler objects found in this cluster", {
    hint: "Select another cluster with --kubeconfig or --context.",
  });
}

function tell({ say }: Terminal, { objects, secrets, missingSecrets }: Collection, withSecrets: boolean): void {
  const counts = Object.entries(countKinds(objects)).map(([kind, count]) => `${count} ${kind}`);
  say(`${counted(objects.length, "object")}: ${counts.join(", ")}`);
  if (!withSecrets && secrets.length > 0) {
    say(
      `The backup does not include ${counted(secrets.length, "referenced Secret")}: ${nameSome(secrets)}. Include them with --with-secrets.`,
    );
  }
  if (missingSecrets.length > 0) say(`Referenced Secrets not found: ${nameSome(missingSecrets)}.`);
}

async function describe(
  { client, transport, signal }: Session,
  known: Pick<BackupManifest, "createdAt" | "withSecrets">,
): Promise<BackupManifest> {
  const [version, own, { releases }] = await Promise.all([
    transport.json<{ gitVersion: string }>({ method: "GET", path: "/version", signal, action: "get the version" }),
    client.find(builtinKinds.Namespace, { name: "kube-system" }, signal),
    findReleases(client, { name: "butler", namespace: namespaces.system, signal }),
  ]);
  return {
    ...known,
    butler: deployedRevision(releases)?.chart.version ?? "",
    kubernetes: version.gitVersion,
    cluster: own?.metadata.uid ?? "",
  };
}
