/** The name of the controller, which is also in the note that it leaves on what it made. */
export const butlerConfigControllerName = "butler-config";
