/** The words for agents and tool calls. The page of the control room has them too: this file imports nothing. */

/** The label of an agent: the readable part of its ID. */
export function agentLabel(agentId: string): string {
  return /^a(.+)-[0-9a-f]{16}$/.exec(agentId)?.[1] ?? agentId;
}

const SHOWN_FIELDS = [
  'command',
  'file_path',
  'notebook_path',
  'path',
  'url',
  'pattern',
  'description',
  'prompt',
  'plan',
];

/** The subject of a tool call, whole: the command, the files, the questions, the to-do list, or every field of the input. */
export function inputSubject(input: unknown): string {
  if (typeof input !== 'object' || input === null) return String(input ?? '');
  const record = input as Readonly<Record<string, unknown>>; // an object
  const files = filesOfEdits(record);
  if (files.length > 0) return files.join(', ');
  const listed = [
    ...textsOf(record['questions'], 'question'),
    ...textsOf(record['todos'], 'content'),
  ];
  if (listed.length > 0) return listed.join(' · ');
  for (const field of SHOWN_FIELDS) {
    const value = record[field];
    if (typeof value === 'string') return value;
  }
  return fieldsOf(record);
}

/** Every field: `taskId: 3 · status: completed`; the value alone of an only text. */
function fieldsOf(record: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(record);
  const [[, only] = []] = fields;
  if (fields.length === 1 && typeof only === 'string') return only;
  return fields
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
}

/** One field of each entry of a list; nothing if an entry lacks it. */
function textsOf(list: unknown, field: string): readonly string[] {
  if (!Array.isArray(list)) return [];
  const texts = list.map((entry: unknown) => (Object(entry) as Record<string, unknown>)[field]);
  return texts.every((text) => typeof text === 'string') ? texts : [];
}

/** The files of an input with edits, each of which may name another file. */
function filesOfEdits({ file_path, edits }: Readonly<Record<string, unknown>>): readonly string[] {
  if (!Array.isArray(edits)) return [];
  const named = edits.map((edit: unknown) => (Object(edit) as { file_path?: unknown }).file_path);
  const all = named.map((name) => name ?? file_path);
  return [...new Set(all.filter((name) => typeof name === 'string'))];
}
