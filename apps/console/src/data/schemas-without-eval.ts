import { config } from "zod/v4/core";

// Our content security policy lets nothing make code out of text, and schemas would try. This has to run before any
// schema is made: vite.config.ts puts it into the piece that all schemas wait for.
config({ jitless: true });
