export { builtinCatalog, catalogPermissions, catalogSingleton } from "./provide-catalog.ts";
