/** The files of the chart by their paths, in a program that is used without a checkout; what builds it puts them here. */
export const carriedChart: Readonly<Record<string, string>> | undefined = undefined;
