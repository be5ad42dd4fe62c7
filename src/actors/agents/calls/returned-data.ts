/** Longest JSON of a return value that watchers get, bytes. */
const MOST_BYTES = 65_536;

/** Return values of tools, until the results of their calls are handed on to watchers. */
export interface ReturnedData {
  /** Keep a copy, unless the data is no JSON or too large. */
  keep(toolUseId: string, data: unknown): void;
  /** Return and forget the copy. */
  take(toolUseId: string): unknown;
}

export function createReturnedData(): ReturnedData {
  const copies = new Map<string, unknown>();
  return {
    keep(id, data) {
      const copy = copyOf(data);
      if (copy !== undefined) copies.set(id, copy);
    },
    take(id) {
      const copy = copies.get(id);
      copies.delete(id);
      return copy;
    },
  };
}

function copyOf(data: unknown): unknown {
  try {
    const json = JSON.stringify(data);
    return json === undefined || Buffer.byteLength(json) > MOST_BYTES
      ? undefined
      : (JSON.parse(json) as unknown);
  } catch {
    return undefined; // a cycle, or a toJSON that throws
  }
}
