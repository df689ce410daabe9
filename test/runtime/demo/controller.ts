import { defineController } from "@butler/controller";
import { builtinKinds } from "@butler/resource";
import type { Directory } from "./directory.ts";
import { Greeting } from "./greeting.ts";
import { observe } from "./observe.ts";
import { type DemoEffect, type Observed, plan } from "./plan.ts";

/** The demonstration controller. */
export const greetingController = defineController<typeof Greeting, Observed, DemoEffect, { directory: Directory }>({
  name: "greeting",
  primary: Greeting,
  owns: [{ kind: builtinKinds.ConfigMap }, { kind: builtinKinds.Secret }],
  finalizer: "demo.butlerlabs.dev/greeting",
  observe,
  plan,
  perform: {
    reserve: ({ name, owner }, { directory }) => directory.reserve(name, owner),
    publish: ({ name, text }, { directory }) => directory.publish(name, text),
    withdraw: ({ name }, { directory }) => directory.withdraw(name),
  },
});
