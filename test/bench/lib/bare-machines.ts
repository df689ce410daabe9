import { eventually } from "@butler/testkit";
import type { KubectlCalls } from "../../e2e/lib/kubectl-calls.ts";

interface Pod {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly hostname: string; readonly volumes: readonly object[] } & Record<string, unknown>;
}

interface Secret {
  readonly data: Readonly<Record<string, string>>;
}

/** Where machines are created, and the machine to copy. */
export interface BareMachinesInput {
  readonly management: KubectlCalls;
  readonly inside: KubectlCalls;
  /** The namespace of the cluster. */
  readonly namespace: string;
  /** A machine of the cluster whose pod and bootstrap data are copied. */
  readonly like: string;
}

/**
 * The baseline for a worker: a copy of the machine's pod and bootstrap data under another name, without Cluster API or
 * a provider. Returns the seconds until all of them are Ready nodes.
 */
export async function joinByHand(input: BareMachinesInput, names: readonly string[]): Promise<number> {
  const { management, inside, namespace, like } = input;
  const read = async <T>(...args: string[]): Promise<T> =>
    JSON.parse(await management.run("get", ...args, "-n", namespace, "-o", "json")) as T;
  const [pod, secret] = await Promise.all([read<Pod>("pod", like), read<Secret>("secret", `${like}-local-bootstrap`)]);
  const objects = names.flatMap((name) => [secretLike(secret, { ...input, name }), podLike(pod, { ...input, name })]);
  const startedAt = performance.now();
  await management.apply(objects);
  const ready = "{range .items[*]}{.metadata.name}={.status.conditions[?(@.type=='Ready')].status} {end}";
  await eventually(
    async () => {
      const nodes = await inside.run("get", "nodes", "-o", `jsonpath=${ready}`);
      return names.every((name) => nodes.includes(`${name}=True`));
    },
    { timeoutMs: 180_000, intervalMs: 100, what: "nodes that were joined by hand" },
  );
  return (performance.now() - startedAt) / 1_000;
}

interface Copy {
  readonly namespace: string;
  readonly like: string;
  readonly name: string;
}

function secretLike({ data }: Secret, { namespace, like, name }: Copy): object {
  const renamed = Object.entries(data).map(([file, text]) => {
    const content = Buffer.from(text, "base64").toString().replaceAll(like, name);
    return [file, Buffer.from(content).toString("base64")];
  });
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `${name}-bootstrap`, namespace },
    data: Object.fromEntries(renamed) as object,
  };
}

function podLike({ spec }: Pod, { namespace, name }: Copy): object {
  const { nodeName: _node, volumes, ...rest } = spec;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace },
    spec: {
      ...rest,
      hostname: name,
      volumes: volumes.map((volume) =>
        "secret" in volume
          ? { name: "machine", secret: { secretName: `${name}-bootstrap`, defaultMode: 0o400 } }
          : volume,
      ),
    },
  };
}
