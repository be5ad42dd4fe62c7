/** A message as people read it: without the tags that frame it for the model. */
export function plainMessage(text: string): string {
  const [, name = '', body] = FRAME.exec(text) ?? [];
  if (body === undefined) return text;
  if (name !== 'task-notification') return body;
  const fields = new Map([...body.matchAll(FIELD)].map(([, tag = '', value = '']) => [tag, value]));
  const said = ['result', 'lines', 'note'].flatMap((tag) => fields.get(tag) ?? []);
  return [`${fields.get('description') ?? ''}: ${fields.get('status') ?? ''}`, ...said].join('\n');
}

const FRAME = /^<([a-z-]+)(?: [^>]*)?>\n([^]*)\n<\/\1>$/;
const FIELD = /<([a-z-]+)>([^]*?)<\/\1>/g;
