import { Unavailable } from "@butler/std";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { goPlatform, type Platform, releaseLocation, type Tool } from "../lock-file.ts";
import { findChecksum } from "./checksum-file.ts";
import { HostUnreachable, type HttpDownloadOptions, openUrl, readText } from "./http-download.ts";
import type { Source, SourceRequest } from "./source.ts";
import { readTarMember } from "./tar-member.ts";

/** How the archive source reaches the network. */
export interface ArchiveSourceOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform?: Platform;
  readonly connectTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
}

/** Far above any real release, far below what fills a disk. */
const plausibleGrowth = 4;
const checksumLimitBytes = 1 << 20;

/** Official releases, each checked against its project's published SHA-256. */
export function archiveSource(options: ArchiveSourceOptions): Source {
  const { environment, platform = goPlatform(), connectTimeoutMs = 3_000, idleTimeoutMs = 30_000 } = options;
  return {
    name: "archive",
    bring: async (request) => {
      const download = { environment, connectTimeoutMs, idleTimeoutMs, signal: request.signal };
      const silentHosts = new Map<string, HostUnreachable>();
      for (const tool of request.tools) {
        request.signal?.throwIfAborted();
        const location = releaseLocation(tool, platform, environment);
        // A host counts as silent too when what it redirects to does not answer.
        const host = URL.parse(location.url)?.host ?? "";
        const error = silentHosts.get(host) ?? (await attempt({ ...request, tool, location, download }));
        request.signal?.throwIfAborted();
        if (error instanceof HostUnreachable) silentHosts.set(host, error);
        if (error !== undefined) request.fail(tool, error);
      }
    },
  };
}

interface OneRelease extends Omit<SourceRequest, "tools" | "signal" | "fail"> {
  readonly tool: Tool;
  readonly location: ReturnType<typeof releaseLocation>;
  readonly download: HttpDownloadOptions;
}

async function attempt(release: OneRelease): Promise<unknown> {
  try {
    await bringOne(release);
    return undefined;
  } catch (error) {
    return error;
  }
}

async function bringOne(release: OneRelease): Promise<void> {
  const { tool, location, download, workDirectory } = release;
  release.working(tool);
  const expected = findChecksum(await readText(location.checksumUrl, checksumLimitBytes, download), location.fileName);
  if (expected === undefined) throw new Unavailable(`${location.checksumUrl} has no SHA-256 of ${location.fileName}`);
  const file = join(workDirectory, `${tool.name}.download`);
  const program = location.member === undefined ? file : join(workDirectory, tool.name);
  try {
    const actual = await save(await openUrl(location.url, download), file, release);
    if (actual !== expected) {
      throw new Unavailable(`${location.url} has SHA-256 ${actual}, but ${location.checksumUrl} says ${expected}`, {
        hint: "The download is damaged or was tampered with; it has been deleted.",
      });
    }
    if (location.member !== undefined) await extract(file, program, { tool, member: location.member });
    await release.deliver(tool, program);
  } finally {
    await Promise.all([rm(file, { force: true }), rm(program, { force: true })]);
  }
}

async function save(response: IncomingMessage, file: string, { tool, working }: OneRelease): Promise<string> {
  const limit = limitBytes(tool);
  const announced = Number(response.headers["content-length"] ?? Number.NaN);
  const hash = createHash("sha256");
  let received = 0;
  await pipeline(
    response,
    async function* count(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        received += chunk.length;
        if (received > limit) throw new Unavailable(`the release of ${tool.name} is larger than ${limit} bytes`);
        hash.update(chunk);
        if (announced > 0) working(tool, received / announced);
        yield chunk;
      }
    },
    createWriteStream(file),
  );
  return hash.digest("hex");
}

async function extract(archive: string, program: string, from: { tool: Tool; member: string }): Promise<void> {
  const member = { name: from.member, limitBytes: limitBytes(from.tool) };
  await pipeline(
    createReadStream(archive),
    createGunzip(),
    (tar: AsyncIterable<Buffer>) => readTarMember(tar, member),
    createWriteStream(program),
  );
}

function limitBytes(tool: Tool): number {
  return tool.megabytes * plausibleGrowth * 1_000_000;
}
