/**
 * Runs tasks concurrently. When one fails, the signal aborts the others, all are awaited, and the failure is thrown, so
 * that no task runs on in the background.
 */
export async function inParallel<Results extends readonly unknown[]>(
  tasks: { readonly [Index in keyof Results]: (signal: AbortSignal) => Promise<Results[Index]> },
  signal?: AbortSignal,
): Promise<Results> {
  const failing = new AbortController();
  const together = signal === undefined ? failing.signal : AbortSignal.any([signal, failing.signal]);
  let failure: { readonly error: unknown } | undefined;
  const results = await Promise.all(
    tasks.map(async (task) => {
      try {
        return await task(together);
      } catch (error) {
        failure ??= { error };
        failing.abort(error);
        return undefined;
      }
    }),
  );
  if (failure !== undefined) throw failure.error;
  return results as unknown as Results;
}
