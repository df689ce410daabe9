/**
 * The objects of machines that are pods, for tenant clusters. Without the controllers that run them, which other
 * processes should not load.
 */
export { localMachines } from "./local-machines.ts";
