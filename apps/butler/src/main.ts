// `butler <role>`: the entry point of all of Butler's processes. Imports only what every role needs.
import { roles } from "./roles.ts";

const [name = "", ...args] = process.argv.slice(2);
const load = Object.hasOwn(roles, name) ? roles[name] : undefined;
if (load === undefined) {
  process.stderr.write(`usage: butler ROLE, where ROLE is one of: ${Object.keys(roles).join(", ")}\n`);
  process.exitCode = 2;
} else {
  const { runRole } = await import("./run-role.ts");
  // Anything a role has left open must not keep the process alive.
  process.exit(await runRole({ name, load, args }));
}
