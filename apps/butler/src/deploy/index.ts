/** Deployment of `butler <role>`: its bundle, and the objects that run a role. For tools and command lines. */
export { bomFile, renderBom } from "./bom.ts";
export { type Bundle, type BundledFile, bundleButler } from "./bundle.ts";
export { type RoleDeployment, roleManifests, type RoleResources } from "./manifests.ts";
export { chartFolder, chartImageValues, installChart, type InstallChartOptions } from "./chart-install.ts";
export { engineChartValues, installInEngine, type InstallInEngineOptions } from "./install-in-engine.ts";
export { platformManifests, platformNamespace, type PlatformInput } from "./platform.ts";
export { findPackages, renderNotices } from "./notices.ts";
