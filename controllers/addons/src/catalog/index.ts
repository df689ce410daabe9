export { builtinCatalog, catalogPermissions, provideCatalog, type ProvideCatalogOptions } from "./provide-catalog.ts";
