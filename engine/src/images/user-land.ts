import { Unavailable } from "@butler/std";
import { baseFiles, userLandFiles } from "./base-files.ts";
import { type PackageManager, systemPackages } from "../sources/system-packages.ts";
import { type HostFiles, thisHost } from "./host-files.ts";
import type { LayerEntry } from "./layer-entry.ts";
import { planUserLand, type UserLandPlan } from "./user-land-plan.ts";
import { nodeUserLand, proxyUserLand } from "./user-land-programs.ts";

/** The layers that images copy from the build machine. */
export interface UserLand {
  /** For images of one static program. */
  readonly base: readonly LayerEntry[];
  /** For kube-proxy. */
  readonly proxy: readonly LayerEntry[];
  /** For nodes. */
  readonly node: readonly LayerEntry[];
}

/** The source of a user-land; everything has a default. */
export interface UserLandOptions {
  readonly host?: HostFiles;
  readonly packages?: PackageManager;
  /** Receives a message before packages are installed. */
  readonly say?: (sentence: string) => void;
}

const caBundles = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/**
 * Plans the user-lands of all images from this machine. Missing packages are installed if possible, and listed in an
 * error otherwise. Nothing is copied here: the layers list the files, and writing an image reads them.
 */
export async function ensureUserLand(options: UserLandOptions = {}): Promise<UserLand> {
  const { host = thisHost, packages = systemPackages(), say = () => undefined } = options;
  let found = await survey(host);
  const missing = found.missingPackages();
  if (missing.length > 0) {
    const obstacle = await packages.findObstacle();
    if (obstacle !== undefined) throw found.lack(` (${obstacle})`);
    say(`installing ${missing.join(", ")} with apt (required for node images)`);
    await packages.install(missing);
    found = await survey(host);
  }
  if (found.isIncomplete()) throw found.lack("");
  return found.userLand();
}

async function survey(host: HostFiles): Promise<Survey> {
  const [proxy, node] = [await planUserLand(host, proxyUserLand), await planUserLand(host, nodeUserLand)];
  return new Survey({ proxy, node, caBundle: await findCaBundle(host) });
}

async function findCaBundle(host: HostFiles): Promise<string | undefined> {
  for (const path of caBundles) if ((await host.findFile(path)) !== undefined) return path;
  return undefined;
}

interface Findings {
  readonly proxy: UserLandPlan;
  readonly node: UserLandPlan;
  readonly caBundle: string | undefined;
}

/** The findings on a machine. */
class Survey {
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Package names, without duplicates. */
  missingPackages(): string[] {
    const { proxy, node, caBundle } = this.#findings;
    const programs = [...proxy.missingPrograms, ...node.missingPrograms];
    const certificates = caBundle === undefined ? ["ca-certificates"] : [];
    return [...new Set([...programs.map((program) => program.package), ...certificates])].sort();
  }

  isIncomplete(): boolean {
    const { proxy, node } = this.#findings;
    return this.missingPackages().length > 0 || [proxy, node].some((plan) => plan.missingLibraries.length > 0);
  }

  lack(why: string): Unavailable {
    const { proxy, node, caBundle } = this.#findings;
    const programs = [...proxy.missingPrograms, ...node.missingPrograms].map(({ name }) => name);
    const libraries = [...proxy.missingLibraries, ...node.missingLibraries].map(
      ({ name, neededBy }) => `${name} (required by ${neededBy})`,
    );
    const things = [...programs, ...libraries, ...(caBundle === undefined ? ["CA certificates"] : [])];
    const packages = this.missingPackages();
    return new Unavailable(
      `node images require files that were not found on this system: ${[...new Set(things)].join(", ")}${why}`,
      {
        hint:
          packages.length === 0
            ? "Reinstall the programs that require these libraries."
            : `Install the packages that contain them (on Debian: ${packages.join(" ")}).`,
        details: { packages },
      },
    );
  }

  userLand(): UserLand {
    const { proxy, node, caBundle } = this.#findings;
    return {
      base: baseFiles({ caBundle }),
      proxy: [...userLandFiles({ caBundle }), ...proxy.entries],
      node: [...userLandFiles({ caBundle }), ...node.entries],
    };
  }
}
