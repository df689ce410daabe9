import { createHash } from "node:crypto";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { type ChartSource, type LocatedChart, type RepositoryTools, requireDigest } from "./located-chart.ts";
import { statusFault, tooLarge } from "./network-fault.ts";
import { chartLayerOf, manifestType, tagOf, tagsOf, versionOfTag } from "./oci-manifest.ts";
import { RegistrySession } from "./oci-session.ts";
import { readBody } from "./read-body.ts";
import { detourTarget } from "./redirect.ts";
import { registryPathOf, type RepositoryAddress } from "./repository-address.ts";
import { chooseVersion } from "./version-choice.ts";

const [mostPages, mostTags] = [100, 50_000];

/** Registries of the distribution specification, where each chart is a repository and each version a tag. */
export class OciRepositories {
  readonly #tools: RepositoryTools;

  constructor(tools: RepositoryTools) {
    this.#tools = tools;
  }

  /** Finds the layer that is the chart. */
  async locate(address: RepositoryAddress, source: ChartSource, signal: AbortSignal): Promise<LocatedChart> {
    const { host } = address.url;
    const path = registryPathOf(address, source.name);
    const session = new RegistrySession(this.#tools, { url: address.url, path }, source.credentials);
    const { version, manifest } = await this.#manifestOf(session, { ...source, host }, signal);
    const { digest, bytes } = chartLayerOf(manifest, host);
    const { archiveBytes } = this.#tools.limits;
    if (bytes > archiveBytes) throw tooLarge(host, "the chart's archive", archiveBytes);
    const url = session.urlOf(`blobs/${requireDigest(digest, host)}`);
    const question = { url, purpose: "archive", isDigestKnown: true } as const;
    const download = (inner: AbortSignal) => session.ask(question, inner);
    return { version, digest, lastSeen: undefined, bytes, download, learn: () => undefined };
  }

  async #manifestOf(
    session: RegistrySession,
    source: ChartSource & { readonly host: string },
    signal: AbortSignal,
  ): Promise<{ readonly version: string; readonly manifest: string }> {
    const { host, version } = source;
    if (version !== undefined) {
      for (const spelling of [version, version.startsWith("v") ? version.slice(1) : `v${version}`]) {
        const manifest = await this.#manifestAt(session, { host, tag: tagOf(spelling) }, signal);
        if (manifest !== undefined) return { version: spelling, manifest };
      }
    }
    // Either the newest is wanted, or this lists the available versions.
    const offers = (await this.#tags(session, source, signal)).map((tag) => ({ tag, version: versionOfTag(tag) }));
    const chosen = chooseVersion(offers, source);
    const manifest = await this.#manifestAt(session, { host, tag: chosen.tag }, signal);
    if (manifest !== undefined) return { version: chosen.version, manifest };
    const message = `${host} lists the tag ${chosen.tag} but its manifest was not found`;
    throw new ChartUnavailable("RepositoryInvalid", message);
  }

  /** Undefined when there is none. */
  async #manifestAt(
    session: RegistrySession,
    { host, tag }: { readonly host: string; readonly tag: string },
    signal: AbortSignal,
  ): Promise<string | undefined> {
    // A version that is not a valid tag does not exist, and must not become part of a URL.
    if (!/^\w[\w.-]{0,127}$/.test(tag)) return undefined;
    const question = { url: session.urlOf(`manifests/${tag}`), purpose: "metadata", accept: manifestType } as const;
    const answer = await session.ask(question, signal);
    const fault = statusFault(answer.status, host);
    if (fault !== undefined) {
      answer.discard();
      if (answer.status === 404) return undefined;
      throw fault;
    }
    const body = await readBody(answer, { host, what: "a manifest", bytes: this.#tools.limits.manifestBytes });
    const stated = answer.headers["docker-content-digest"];
    if (stated !== undefined && stated !== `sha256:${createHash("sha256").update(body).digest("hex")}`) {
      throw new ChartUnavailable("RepositoryInvalid", `a manifest of ${host} does not match its digest`);
    }
    return body.toString("utf8");
  }

  async #tags(
    session: RegistrySession,
    { host, name }: { readonly host: string; readonly name: string },
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const tags: string[] = [];
    let url: URL | undefined = session.urlOf("tags/list?n=1000");
    for (let page = 0; url !== undefined; page += 1) {
      const answer = await session.ask({ url, purpose: "metadata" }, signal);
      const fault = faultOfTags(answer.status, host, name);
      if (fault !== undefined) {
        answer.discard();
        throw fault;
      }
      const body = await readBody(answer, { host, what: "the list of tags", bytes: this.#tools.limits.manifestBytes });
      tags.push(...tagsOf(body.toString("utf8"), host));
      if (tags.length > mostTags || page > mostPages) {
        throw new ChartUnavailable("RepositoryTooLarge", `${host} lists more than ${mostTags} versions of ${name}`);
      }
      const [, next] = /^\s*<([^>]+)>\s*;\s*rel="?next"?/i.exec(String(answer.headers["link"] ?? "")) ?? [];
      url = detourTarget(url, next);
    }
    return tags;
  }
}

function faultOfTags(status: number, host: string, name: string): ChartUnavailable | undefined {
  if (status !== 404) return statusFault(status, host);
  return new ChartUnavailable("ChartNotFound", `${host} has no chart ${name} at the repository URL`, {
    hint: "Check the chart name and the path of the repository URL.",
  });
}
