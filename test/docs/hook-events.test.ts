import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { factsOfEvent, HOOK_EVENTS } from '../../src/settings/hook-events.js';

describe('the table of hook events', () => {
  it('has each event, as the source describes it', async () => {
    const page = await readFile(new URL('../../docs/use/hooks.md', import.meta.url), 'utf8');
    const [, table = ''] = page.split('## Events');
    const rows = table
      .split('\n\n')[1]
      ?.split('\n')
      .slice(2)
      .map((line) => line.split('|').map((cell) => cell.trim()));
    expect(rows).toEqual(
      HOOK_EVENTS.map((event) => {
        const { when, matches, blocks = '' } = factsOfEvent(event);
        const field = matches === undefined ? '' : `\`${matches}\``;
        return ['', `\`${event}\``, when, field, blocks, ''];
      }),
    );
  });
});
