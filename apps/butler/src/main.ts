// `butler <role>`: every process of Butler's own. Nothing is imported here that a role may not need.
import { roles } from "./roles.ts";

const [name = "", ...args] = process.argv.slice(2);
const load = Object.hasOwn(roles, name) ? roles[name] : undefined;
if (load === undefined) {
  process.stderr.write(`usage: butler ROLE, with ROLE one of: ${Object.keys(roles).join(", ")}\n`);
  process.exitCode = 2;
} else {
  const { runRole } = await import("./run-role.ts");
  // Whatever a role has left open must not keep the process alive after its end.
  process.exit(await runRole({ name, load, args }));
}
