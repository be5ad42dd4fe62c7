/** What an agent is called: the readable part of its id. */
export function agentLabel(agentId: string): string {
  return /^a(.+)-[0-9a-f]{16}$/.exec(agentId)?.[1] ?? agentId;
}

const SHOWN_FIELDS = ['command', 'file_path', 'path', 'url', 'pattern', 'description', 'prompt'];

/** What a tool is used on, whole: the command, the file, or the input as JSON. */
export function inputSubject(input: unknown): string {
  if (typeof input !== 'object' || input === null) return String(input);
  const record = input as Readonly<Record<string, unknown>>; // an object
  for (const field of SHOWN_FIELDS) {
    const value = record[field];
    if (typeof value === 'string') return value;
  }
  return JSON.stringify(input);
}
