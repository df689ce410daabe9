import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { applyCrds, type KubeClient } from "@butler/kube";
import type { KubeObject } from "@butler/resource";
import { smallCrd } from "@butler/testkit";
import { parse } from "yaml";
import { IngressRouteTCP, TLSRoute } from "../kinds.ts";

const text = { type: "string" };
const number = { type: "integer" };
const listOf = (items: object) => ({ type: "array", items });
const shape = (properties: object, ...required: string[]) => ({ type: "object", properties, required });

/** The part of each upstream schema that our objects use, for when the complete CRDs are not available. */
const smallSchemas = {
  [TLSRoute.kind]: shape(
    {
      parentRefs: listOf(
        shape({ group: text, kind: text, namespace: text, name: text, sectionName: text, port: number }, "name"),
      ),
      hostnames: { ...listOf(text), minItems: 1 },
      rules: listOf(
        shape(
          { backendRefs: listOf(shape({ group: text, kind: text, name: text, port: number, weight: number }, "name")) },
          "backendRefs",
        ),
      ),
    },
    "hostnames",
    "rules",
  ),
  [IngressRouteTCP.kind]: shape(
    {
      entryPoints: listOf(text),
      ingressClassName: text,
      routes: listOf(
        shape({ match: text, services: listOf(shape({ name: text, port: number }, "name", "port")) }, "match"),
      ),
      tls: shape({ passthrough: { type: "boolean" } }),
    },
    "routes",
  ),
};

const completeCrds = {
  [TLSRoute.kind]: "gateway-api/gateway.networking.k8s.io_tlsroutes.yaml",
  [IngressRouteTCP.kind]: "traefik/traefik.io_ingressroutetcps.yaml",
};

type ForeignKind = typeof TLSRoute | typeof IngressRouteTCP;

const fileOf = (kind: ForeignKind): string =>
  fileURLToPath(new URL(`../../../../../../shared/crds/${completeCrds[kind.kind]}`, import.meta.url));

/** Whether the complete upstream CRDs are used, or the small parts above. */
export const haveCompleteCrds = [TLSRoute, IngressRouteTCP].every((kind) => existsSync(fileOf(kind)));

/** Installs Gateway API's and Traefik's kinds and waits until they are served. */
export async function installForeignCrds(client: KubeClient): Promise<void> {
  await applyCrds(client, await Promise.all([TLSRoute, IngressRouteTCP].map(crdOf)));
}

async function crdOf(kind: ForeignKind): Promise<KubeObject> {
  if (haveCompleteCrds) return parse(await readFile(fileOf(kind), "utf8")) as KubeObject;
  return smallCrd(kind, shape({ spec: smallSchemas[kind.kind] }, "spec"));
}
