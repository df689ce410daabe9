/** The files of the chart by path, for a program without a checkout; the build replaces this value. */
export const carriedChart: Readonly<Record<string, string>> | undefined = undefined;
