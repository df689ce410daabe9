/** The name of the controller, also in the annotation on the objects it creates. */
export const butlerConfigControllerName = "butler-config";
