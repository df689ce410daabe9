import type { ObserveContext } from "@butler/controller";
import type { Directory } from "./directory.ts";
import type { Greeting } from "./greeting.ts";
import { directoryName, type Observed } from "./plan.ts";

/** Reads what the plan needs: the directory's entry. The children are compared by the runtime. */
export async function observe({
  primary,
  ports,
}: ObserveContext<typeof Greeting, { directory: Directory }>): Promise<Observed> {
  return { greeting: primary, entry: await ports.directory.find(directoryName(primary)) };
}
