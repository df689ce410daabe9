// Our content security policy lets nothing make code out of text, and schemas would try. They look here when they are
// first fetched, which only some pages do.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
