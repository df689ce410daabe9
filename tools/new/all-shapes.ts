import { commandShape } from "./command.ts";
import { controllerShape } from "./controller.ts";
import { kindShape } from "./kind.ts";
import { pageShape } from "./page.ts";
import { providerShape } from "./provider.ts";
import { routeShape } from "./route.ts";
import type { Shape } from "./scaffold.ts";

/** Every shape, in the order in which they build on each other. */
export const shapes: readonly Shape[] = [
  kindShape,
  controllerShape,
  routeShape,
  pageShape,
  commandShape,
  providerShape,
];
