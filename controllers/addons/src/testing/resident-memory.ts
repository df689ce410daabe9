/** By how many MiB the memory of this process in use grows at most while some work is done. */
export async function residentMiBOf(work: () => Promise<void>): Promise<number> {
  const before = inUseMiB();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, inUseMiB())), 10);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return Math.max(most, inUseMiB()) - before;
}

function inUseMiB(): number {
  return process.memoryUsage.rss() / 1024 / 1024;
}
