import { readFileSync } from 'node:fs';

const text = readFileSync(
  new URL('../fixtures/tool-search/catalogue.txt', import.meta.url),
  'utf8',
);

/** 200 tools of five servers, as they are listed to a model. */
export function catalogue(): readonly { readonly name: string; readonly description: string }[] {
  return text.split(/^# /m).flatMap((part) => {
    const [server = '', ...lines] = part.trim().split('\n');
    return lines.map((line) => {
      const [name = '', description = ''] = line.split(/: (.*)/);
      return { name: `mcp__${server}__${name}`, description };
    });
  });
}
