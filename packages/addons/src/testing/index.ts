/** Objects for tests of everything that has to do with add-ons; each says only what a test is about. */
export * from "./some-objects.ts";
