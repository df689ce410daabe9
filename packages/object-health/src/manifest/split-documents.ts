/** A line with three dashes and nothing, or white space, behind them always begins a document, wherever it stands. */
const border = /^(?:---(?=[ \t\r\n]|$)|\.\.\.[ \t\r]*$)/gm;

/** The texts of the documents in a stream of YAML, without those that are blank. */
export function splitDocuments(manifest: string): string[] {
  const documents: string[] = [];
  let start = 0;
  const take = (end: number): void => {
    const text = manifest.slice(start, end);
    if (/\S/.test(text)) documents.push(text);
  };
  for (const found of manifest.matchAll(border)) {
    take(found.index);
    start = found.index + found[0].length;
  }
  take(manifest.length);
  return documents;
}
