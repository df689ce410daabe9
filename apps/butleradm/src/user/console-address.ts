import { namespaces } from "@butler/api";
import type { Session } from "@butler/cli-session";
import { builtinKinds } from "@butler/resource";
import { Forbidden, InvalidInput, isRecord } from "@butler/std";

/** The option of butler-server for its public URL. */
const option = "--public-url=";

/** The public URL that butler-server is configured with; undefined when there is none. */
export function publicUrlIn(deployment: unknown): string | undefined {
  const template = isRecord(deployment) && isRecord(deployment["spec"]) ? deployment["spec"]["template"] : undefined;
  const pod = isRecord(template) ? template["spec"] : undefined;
  const containers = isRecord(pod) && Array.isArray(pod["containers"]) ? (pod["containers"] as unknown[]) : [];
  const words = containers.flatMap((container) => {
    const { command, args } = isRecord(container) ? container : {};
    return [command, args].flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : []));
  });
  const said = words.find((word): word is string => typeof word === "string" && word.startsWith(option));
  return said === undefined ? undefined : (webAddress(said.slice(option.length)) ?? undefined);
}

function webAddress(text: string): string | undefined {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text.replace(/\/+$/, "") : undefined;
}

/** The URL of the console: as given, or as configured in butler-server. */
export async function consoleAddress({ client, signal }: Session, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    const address = webAddress(given);
    if (address !== undefined) return address;
    throw new InvalidInput(`"${given}" is not a valid console URL`, {
      hint: "Use a URL such as https://butler.example.com.",
    });
  }
  const key = { name: "butler-server", namespace: namespaces.system };
  const deployment = await client.find(builtinKinds.Deployment, key, signal).catch((error: unknown) => {
    // Administrators with only butler-server's roles cannot read Deployments; they can pass the URL.
    if (error instanceof Forbidden) return undefined;
    throw error;
  });
  const known = publicUrlIn(deployment);
  if (known !== undefined) return known;
  throw new InvalidInput("the console URL is unknown; nothing was changed", {
    hint: "Pass --console-url, or set the chart value server.publicURL.",
  });
}
