// Our content security policy forbids eval, which Zod would try to use. Zod reads this when it is first loaded, which
// only some pages do.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
