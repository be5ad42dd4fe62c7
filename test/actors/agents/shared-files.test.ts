import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/model/model.js';
import { createGate } from '../../support/gate.js';
import { agentCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import { ALLOW_ALL, createTroupe, defineAgent } from '../../support/troupe.js';

type Use = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

const CELL = { cell_type: 'raw', metadata: {}, source: ['print()'] };
const FILES = {
  'a.txt': 'one\ntwo\n',
  'b.txt': 'one\ntwo\n',
  'n.ipynb': JSON.stringify({ cells: [CELL], metadata: {}, nbformat: 4, nbformat_minor: 4 }),
};
const edit = (old_string: string, new_string: string) => ({ old_string, new_string });

/**
 * Two agents of one session, who both read the files before either changes them. Ada makes her change, and Ben makes his
 * either at the same moment or after hers.
 *
 * @returns the result of its change that each agent saw, with `cwd` left out
 */
async function changeTogether(
  changes: { readonly ada: Use; readonly ben: Use },
  when: 'same' | 'after',
) {
  const told: Record<string, string> = {};
  const bothHaveRead = { ada: createGate(), ben: createGate() };
  const adaHasWritten = createGate();
  const reads = Object.keys(FILES).map((file_path) => ({ name: 'Read', input: { file_path } }));
  const part = (me: 'ada' | 'ben') => [
    { tools: reads },
    async () => {
      bothHaveRead[me].open();
      await Promise.all([bothHaveRead.ada.opened, bothHaveRead.ben.opened]);
      if (me === 'ben' && when === 'after') await adaHasWritten.opened;
      return { tools: [changes[me]] };
    },
    ({ messages }: ModelRequest) => {
      told[me] = newestResults(messages).map(resultText).join('\n');
      if (me === 'ada') adaHasWritten.open();
      return { text: 'Done.' };
    },
  ];
  const { troupe, cwd, text } = await createTroupe(
    playParts({
      main: [
        { tools: ['ada', 'ben'].map((name) => agentCall('writer', { name })) },
        { text: 'Done.' },
      ],
      ada: part('ada'),
      ben: part('ben'),
    }),
    { files: FILES, agents: [defineAgent('writer')] },
  );
  await troupe.session({ prompt: 'Go.' }).outcome;
  const shorten = (said = '') => said.replaceAll(`${cwd}/`, '').split('\n')[0] ?? '';
  return { ada: shorten(told['ada']), ben: shorten(told['ben']), text };
}

const STALE = /^a\.txt has changed since you read it, so nothing was written\. Read it again/;

describe('two agents that change one file', () => {
  it.each([
    ['Edit', { file_path: 'a.txt', ...edit('two', '2') }],
    ['Write', { file_path: 'a.txt', content: 'mine\n' }],
    [
      'MultiEdit',
      { edits: ['b.txt', 'a.txt'].map((file_path) => ({ file_path, ...edit('two', '2') })) },
    ],
  ])('keep the first change if the second comes later by %s', async (name, input) => {
    const ada = { name: 'Edit', input: { file_path: 'a.txt', ...edit('one', '1') } };
    const told = await changeTogether({ ada, ben: { name, input } }, 'after');
    expect(told.ada).toBe('Changed a.txt at line 1.');
    expect(told.ben).toMatch(STALE);
    expect(await told.text('a.txt')).toBe('1\ntwo\n');
    expect(await told.text('b.txt')).toBe(FILES['b.txt']);
  });

  it.each([
    ['Edit', (by: string) => ({ file_path: 'a.txt', ...edit('two', by) })],
    ['Write', (by: string) => ({ file_path: 'a.txt', content: `one\n${by}\n` })],
    ['MultiEdit', (by: string) => ({ file_path: 'a.txt', edits: [edit('two', by)] })],
  ])('keep one change and refuse the other if both come at once by %s', async (name, inputBy) => {
    const by = (who: string) => ({ name, input: inputBy(who) });
    const told = await changeTogether({ ada: by('ada'), ben: by('ben') }, 'same');
    const after = await told.text('a.txt');
    const winner = after === 'one\nada\n' ? 'ada' : 'ben';
    expect(after).toBe(`one\n${winner}\n`);
    expect(told[winner]).toMatch(/^(?:Changed|Replaced the content of) a\.txt/);
    expect(told[winner === 'ada' ? 'ben' : 'ada']).toMatch(STALE);
  });
});

describe('two agents that change one notebook', () => {
  const change = (new_source: string) => ({
    name: 'NotebookEdit',
    input: { notebook_path: 'n.ipynb', cell_id: 'cell-0', new_source },
  });

  it.each(['after', 'same'] as const)(
    'keep one change and refuse the other: the second comes %s',
    async (when) => {
      const told = await changeTogether({ ada: change('ada'), ben: change('ben') }, when);
      const after = await told.text('n.ipynb');
      const winner = after.includes('"ada"') ? 'ada' : 'ben';
      expect(after).toBe(FILES['n.ipynb'].replace('print()', winner));
      expect(told[winner]).toMatch(/^Replaced the raw cell cell-0 of n\.ipynb/);
      expect(told[winner === 'ada' ? 'ben' : 'ada']).toMatch(/^n\.ipynb has changed since you/);
    },
  );
});

describe('a MultiEdit of several files', () => {
  it.each(['Edit(/b.txt)', 'Edit'])('is denied as a whole if %s is denied', async (rule) => {
    const results: string[] = [];
    const names = ['a.txt', 'b.txt'];
    const edits = names.map((file_path) => ({ file_path, ...edit('two', '2') }));
    const { troupe, text } = await createTroupe(
      playParts({
        main: [
          {
            tools: names.map((file_path) => ({ name: 'Read', input: { file_path } })),
          },
          { tools: [{ name: 'MultiEdit', input: { edits } }] },
          ({ messages }) => {
            results.push(...newestResults(messages).map(resultText));
            return { text: 'Done.' };
          },
        ],
      }),
      {
        files: FILES,
        permissions: { ...ALLOW_ALL, alwaysDenyRules: { session: [rule] } },
      },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(results).toEqual([expect.stringContaining(`rule ${rule} `)]);
    expect([await text('a.txt'), await text('b.txt')]).toEqual([FILES['a.txt'], FILES['b.txt']]);
  });
});
