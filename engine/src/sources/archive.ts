import { Unavailable } from "@butler/std";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { goPlatform, type Platform, releaseLocation, type ReleaseLocation, type Tool } from "../lock-file.ts";
import { findChecksum } from "./checksum-file.ts";
import { HostUnreachable, type HttpDownloadOptions, openUrl, readText } from "./http-download.ts";
import type { Source, SourceRequest } from "./source.ts";
import { readTarMember, type TarMember } from "./tar-member.ts";

/** Network settings of the archive source. */
export interface ArchiveSourceOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform?: Platform;
  readonly connectTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
}

/** Far above any real release, and too small to fill a disk. */
const plausibleGrowth = 4;
const checksumLimitBytes = 1 << 20;

/** Official releases, each verified against its project's published SHA-256. */
export function archiveSource(options: ArchiveSourceOptions): Source {
  const { environment, platform = goPlatform(), connectTimeoutMs = 3_000, idleTimeoutMs = 30_000 } = options;
  return {
    name: "archive",
    refuses: ({ project }) =>
      project.release === undefined ? "the project publishes no binary with a checksum" : undefined,
    bring: async (request) => {
      const download = { environment, connectTimeoutMs, idleTimeoutMs, signal: request.signal };
      const silentHosts = new Map<string, HostUnreachable>();
      for (const release of locateReleases(request.tools, (tool) => releaseLocation(tool, platform, environment))) {
        request.signal?.throwIfAborted();
        // A host also counts as unreachable if the host it redirects to does not respond.
        const host = URL.parse(release.url)?.host ?? "";
        const error = silentHosts.get(host) ?? (await attempt(() => bringRelease({ release, request, download })));
        request.signal?.throwIfAborted();
        if (error instanceof HostUnreachable) silentHosts.set(host, error);
        if (error !== undefined) for (const { tool } of release.programs) request.fail(tool, error);
      }
    },
  };
}

/** One download and the programs in it. */
interface Release {
  readonly url: string;
  readonly checksumUrl: string;
  readonly fileName: string;
  readonly limitBytes: number;
  readonly programs: readonly Program[];
}

interface Program {
  readonly tool: Tool;
  /** Undefined when the download is the program itself. */
  readonly member: string | undefined;
}

/** Groups tools of the same archive, so that it is downloaded only once. */
function locateReleases(
  tools: readonly Tool[],
  locate: (tool: Tool) => ReleaseLocation | undefined,
): readonly Release[] {
  const located = tools.flatMap((tool) => {
    const location = locate(tool);
    return location === undefined ? [] : [{ tool, location }];
  });
  return [...Map.groupBy(located, ({ location }) => location.url).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { url, checksumUrl, fileName, megabytes } = first.location;
    const programs = group.map(({ tool, location }) => ({ tool, member: location.member }));
    return [{ url, checksumUrl, fileName, limitBytes: plausibleBytes(megabytes), programs }];
  });
}

/** Runs a step and returns its error, if any. */
async function attempt(step: () => Promise<void>): Promise<unknown> {
  try {
    await step();
    return undefined;
  } catch (error) {
    return error;
  }
}

interface Errand {
  readonly release: Release;
  readonly request: SourceRequest;
  readonly download: HttpDownloadOptions;
}

async function bringRelease({ release, request, download }: Errand): Promise<void> {
  const { url, checksumUrl, fileName } = release;
  const [first] = release.programs;
  if (first === undefined) return;
  request.working(first.tool);
  const expected = findChecksum(await readText(checksumUrl, checksumLimitBytes, download), fileName);
  if (expected === undefined) throw new Unavailable(`${checksumUrl} has no SHA-256 for ${fileName}`);
  const file = join(request.workDirectory, `${first.tool.name}.download`);
  try {
    const actual = await save(await openUrl(url, download), file, {
      ...release,
      report: (fraction) => request.working(first.tool, fraction),
    });
    if (actual !== expected) {
      throw new Unavailable(
        `checksum mismatch for ${url}: got SHA-256 ${actual}, but ${checksumUrl} lists ${expected}`,
        {
          hint: "The download is corrupt or was tampered with. It has been deleted.",
        },
      );
    }
    for (const program of release.programs) {
      const error = await attempt(() => bringProgram(program, file, request));
      if (error !== undefined) request.fail(program.tool, error);
    }
  } finally {
    await rm(file, { force: true });
  }
}

async function bringProgram({ tool, member }: Program, file: string, request: SourceRequest): Promise<void> {
  if (member === undefined) return request.deliver(tool, file);
  const program = join(request.workDirectory, tool.name);
  try {
    await extract(file, program, { name: member, limitBytes: plausibleBytes(tool.megabytes) });
    await request.deliver(tool, program);
  } finally {
    await rm(program, { force: true });
  }
}

/** Limits and progress of a download. */
interface Saving {
  readonly fileName: string;
  readonly limitBytes: number;
  /** Receives the completed share, if the total is known. */
  report(fraction: number): void;
}

/** Writes a download to a file and returns its SHA-256. */
async function save(response: IncomingMessage, file: string, saving: Saving): Promise<string> {
  const announced = Number(response.headers["content-length"] ?? Number.NaN);
  const hash = createHash("sha256");
  let received = 0;
  await pipeline(
    response,
    async function* count(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        received += chunk.length;
        if (received > saving.limitBytes)
          throw new Unavailable(`${saving.fileName} is larger than ${saving.limitBytes} bytes`);
        hash.update(chunk);
        if (announced > 0) saving.report(received / announced);
        yield chunk;
      }
    },
    createWriteStream(file),
  );
  return hash.digest("hex");
}

async function extract(archive: string, program: string, member: TarMember): Promise<void> {
  await pipeline(
    createReadStream(archive),
    createGunzip(),
    (tar: AsyncIterable<Buffer>) => readTarMember(tar, member),
    createWriteStream(program),
  );
}

function plausibleBytes(megabytes: number): number {
  return megabytes * plausibleGrowth * 1_000_000;
}
