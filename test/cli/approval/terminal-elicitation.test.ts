import { describe, expect, it } from 'vitest';
import { askElicitation } from '../../../src/cli/approval/terminal-elicitation.js';

/** The answer of a person who types these lines, and what was shown. */
async function answer(fields: object, typed: readonly string[]) {
  const lines = [...typed];
  let shown = '';
  const given = await askElicitation(
    { serverName: 'files', message: 'Where to?', mode: 'form', ...fields },
    'ada',
    async (text, choices) => {
      const items = choices?.items.map((item) => `    ${item.value} ${item.text}\n`) ?? [];
      shown += `${text}${items.join('')}${choices === undefined ? '' : `  ${choices.how}\n`}`;
      return lines.shift();
    },
  );
  return { given, shown };
}

const form = (properties: object, required: readonly string[] = []) => ({
  requestedSchema: { type: 'object', properties, required },
});
const FIELDS = {
  path: { type: 'string', title: 'Folder', description: 'the target', minLength: 2 },
  copies: { type: 'integer', default: 1, maximum: 9 },
  force: { type: 'boolean' },
  kind: {
    type: 'string',
    oneOf: [
      { const: 'z', title: 'Zip' },
      { const: 't', title: 'Tar' },
    ],
  },
  tags: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 1 },
};

describe('the question of a server at the terminal', () => {
  it('is asked field by field until each value fits', async () => {
    const { given, shown } = await answer(form(FIELDS, ['path']), [
      '',
      'x',
      'out',
      'many',
      '10',
      '',
      'maybe',
      'y',
      '3',
      '2',
      'a, 3',
    ]);
    expect(given).toEqual({
      behavior: 'allow',
      updatedInput: {
        action: 'accept',
        content: { path: 'out', copies: 1, force: true, kind: 't', tags: ['a', 'c'] },
      },
    });
    expect(shown.split('\n')).toEqual([
      '',
      'The MCP server files asks, in a call of ada:',
      '  Where to?',
      '  Folder: the target',
      '  your answer · - declines',
      '  your answer · - declines',
      '  it must have at least 2 characters, not the string "x"',
      '  copies',
      '  a number · Enter takes 1 · - declines',
      '  a number · Enter takes 1 · - declines',
      '  it must be at most 9, not the number 10',
      '  force (optional)',
      '    1 yes',
      '    2 no',
      '  a number · Enter leaves it out · - declines',
      '  a number · Enter leaves it out · - declines',
      '    1 yes',
      '    2 no',
      '  a number · Enter leaves it out · - declines',
      '  kind (optional)',
      '    1 Zip',
      '    2 Tar',
      '  a number of the list · Enter leaves it out · - declines',
      '  a number of the list · Enter leaves it out · - declines',
      '    1 Zip',
      '    2 Tar',
      '  a number of the list · Enter leaves it out · - declines',
      '  tags (optional)',
      '    1 a',
      '    2 b',
      '    3 c',
      '  numbers of the list, such as 1,2 · Enter leaves it out · - declines',
      '',
    ]);
  });

  it('names the host of a page, and shows what could deceive', async () => {
    const url = 'https://example.com@evil.test/\u202Elogin';
    const { given, shown } = await answer({ mode: 'url', url, message: 'Sign in.\u001B[2J' }, [
      'y',
    ]);
    expect(given).toEqual({ behavior: 'allow', updatedInput: { action: 'accept', content: {} } });
    expect(shown).toBe(
      [
        '',
        'The MCP server files asks, in a call of ada:',
        String.raw`  Sign in.\u001b[2J`,
        '  It wants you to open a page of evil.test in your browser:',
        '  https://example.com@evil.test/%E2%80%AElogin',
        '  What you type there goes to that page, not to Troupe.',
        '    1 I open it',
        '    2 decline',
        '  a number',
        '',
      ].join('\n'),
    );
  });

  it.each([
    [form(FIELDS), ['out', '-']],
    [form({}), ['-']],
    [{ mode: 'url', url: 'https://example.com' }, ['n']],
  ])('is declined with -', async (fields, typed) => {
    expect((await answer(fields, typed)).given).toEqual({ behavior: 'deny' });
  });

  it('has no answer if the terminal is closed', async () => {
    expect((await answer(form(FIELDS), [])).given).toBeUndefined();
    expect((await answer(form({}), [])).given).toBeUndefined();
  });
});
