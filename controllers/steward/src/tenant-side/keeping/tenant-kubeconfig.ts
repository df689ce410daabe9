import { KubeConfig } from "@butler/kube";
import { InvalidInput } from "@butler/std";
import { parse } from "yaml";
import { z } from "zod";

const base64 = z.base64().min(1);

/** What Steward itself writes into a tenant's kubeconfig, and nothing besides. */
const schema = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("Config"),
  preferences: z.strictObject({}).optional(),
  clusters: z.array(
    z.strictObject({
      name: z.string(),
      cluster: z.strictObject({ server: z.url({ protocol: /^https$/ }), "certificate-authority-data": base64 }),
    }),
  ),
  users: z.array(
    z.strictObject({
      name: z.string(),
      user: z.strictObject({ "client-certificate-data": base64, "client-key-data": base64 }),
    }),
  ),
  contexts: z.array(
    z.strictObject({ name: z.string(), context: z.strictObject({ cluster: z.string(), user: z.string() }) }),
  ),
  "current-context": z.string(),
});

/**
 * Reads the kubeconfig of a tenant. Others may write the Secret it comes from, and a kubeconfig can name programs to run
 * and files to read, so that anything beyond an address, an authority and a client certificate is refused.
 */
export function parseTenantKubeconfig(text: string): KubeConfig {
  const parsed = schema.safeParse(parseYaml(text));
  if (!parsed.success) throw refused(parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`));
  const { clusters, users, contexts, "current-context": currentContext } = parsed.data;
  const context = contexts.find(({ name }) => name === currentContext)?.context;
  const cluster = clusters.find(({ name }) => name === context?.cluster)?.cluster;
  const user = users.find(({ name }) => name === context?.user)?.user;
  if (context === undefined || cluster === undefined || user === undefined) {
    throw refused(["its current context names no cluster or no user of it"]);
  }
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [
      {
        name: context.cluster,
        server: cluster.server,
        caData: cluster["certificate-authority-data"],
        skipTLSVerify: false,
      },
    ],
    users: [{ name: context.user, certData: user["client-certificate-data"], keyData: user["client-key-data"] }],
    contexts: [{ name: currentContext, ...context }],
    currentContext,
  });
  return config;
}

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    // The parser's message quotes the text, which holds a private key.
    throw refused(["it is not YAML"]);
  }
}

function refused(reasons: readonly string[]): InvalidInput {
  return new InvalidInput(
    `the kubeconfig of the tenant is not of the form that Steward writes: ${reasons.join("; ")}`,
    {
      hint: "Delete the Secret that holds it; Steward then writes it anew.",
    },
  );
}
