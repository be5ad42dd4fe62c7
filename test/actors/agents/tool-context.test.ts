import { mkdir, readdir, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ToolResultBlock } from '../../../src/core/messages.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { eventsOf } from '../../../src/testing/fake-reply.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { ReadTool } from '../../../src/tools/files/read.js';
import type { Tool } from '../../../src/tools/tool.js';
import { WriteTool } from '../../../src/tools/files/write.js';
import { newestResults, playParts, resultText } from '../../support/scripts.js';
import { createSimulatedTime, skipRetryWaits } from '../../support/simulated-time.js';
import {
  ALLOW_ALL,
  createTroupe,
  createTroupeOverHttp,
  type TroupeOptions,
} from '../../support/troupe.js';

type Use = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** A session that uses these tools at once. */
async function useTools(uses: (cwd: string) => readonly Use[], options: TroupeOptions) {
  const results: ToolResultBlock[] = [];
  const place = await createTroupe((request: ModelRequest) => script(request), options);
  const script = playParts({
    main: [
      { tools: uses(place.cwd) },
      ({ messages }) => {
        results.push(...newestResults(messages));
        return { text: 'Done.' };
      },
    ],
  });
  const run = async () => {
    await place.troupe.session({ prompt: 'Go.' }).outcome;
    return results.map(resultText).map((text) => text.replaceAll(`${place.cwd}/`, ''));
  };
  return { ...place, run };
}

const FILES = { 'a.ts': 'SECRET\n', '.env': 'SECRET\n', 'secrets/deep/key': 'SECRET\n' };
const NOTE = '[2 files were left out: a permission rule denies or asks for reading them.]';
const grep = (input: object = {}): Use => ({
  name: 'Grep',
  input: { pattern: 'SECRET', ...input },
});

describe('a search', () => {
  it.each(['alwaysDenyRules', 'alwaysAskRules'] as const)(
    'leaves out what a Read rule names, in every mode: %s',
    async (rules) => {
      const { run } = await useTools(
        () => [grep({ output_mode: 'content' }), { name: 'Glob', input: { pattern: '**/*' } }],
        {
          files: FILES,
          permissions: { ...ALLOW_ALL, [rules]: { session: ['Read(.env)', 'Read(secrets/**)'] } },
        },
      );
      expect(await run()).toEqual([`a.ts:1:SECRET\n${NOTE}`, `a.ts\n${NOTE}`]);
    },
  );

  it('goes by the rules of its moment', async () => {
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [grep()] },
          ({ messages }) => {
            expect(newestResults(messages).map(resultText)[0]).not.toContain('left out');
            const rules = [{ toolName: 'Read', ruleContent: '.env' }];
            const behavior = 'deny' as const;
            session.updatePermissions([
              { type: 'addRules', rules, behavior, destination: 'session' },
            ]);
            return { tools: [grep()] };
          },
          ({ messages }) => ({ text: newestResults(messages).map(resultText).join() }),
        ],
      }),
      { files: FILES },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.result).toContain('1 file was left out');
  });
});

describe('what was allowed', () => {
  it('is what is opened: a link that is swapped before the use leads nowhere', async () => {
    /** The tool as it is, used a moment after it was allowed. */
    const late = (tool: Tool): Tool => ({
      ...tool,
      name: `Late${tool.name}`,
      isConcurrencySafe: () => false, // nothing else looks at the link meanwhile
      async call(input, context, ...more) {
        await unlink(join(context.files.cwd, 'link'));
        await symlink(join(context.files.cwd, '..', 'outside'), join(context.files.cwd, 'link'));
        const result = tool.call(input, context, ...more);
        await result.catch(() => undefined);
        await unlink(join(context.files.cwd, 'link'));
        await symlink(join(context.files.cwd, 'inside'), join(context.files.cwd, 'link'));
        return result;
      },
    });
    const { run, cwd, home } = await useTools(
      () => [
        { name: 'LateWrite', input: { file_path: 'link/new.txt', content: 'x' } },
        { name: 'LateRead', input: { file_path: 'link/a.txt' } },
        { name: 'Read', input: { file_path: 'link/a.txt' } },
      ],
      {
        files: { 'inside/a.txt': 'mine\n' },
        tools: [WriteTool, ReadTool].map((tool) => late(tool as unknown as Tool)),
      },
    );
    await mkdir(join(home, '..', 'outside'));
    await writeFile(join(home, '..', 'outside', 'a.txt'), 'not yours\n');
    await symlink(join(cwd, 'inside'), join(cwd, 'link'));
    expect(await run()).toEqual([
      expect.stringMatching(
        /^No approval to write .*outside\/new\.txt: the approved path led elsewhere/,
      ),
      expect.stringMatching(
        /^No approval to read .*outside\/a\.txt: the approved path led elsewhere/,
      ),
      '     1\tmine',
    ]);
    expect(await readdir(join(home, '..', 'outside'))).toEqual(['a.txt']);
  });
});

describe('a result that is too long', () => {
  it('goes to its own file, whatever the ID of its use', async () => {
    const long = buildTool({
      name: 'Long',
      inputSchema: z.object({ what: z.string() }),
      maxResultSizeChars: 1_000,
      isReadOnly: () => true,
      call: ({ what }) => Promise.resolve({ data: what.repeat(2_000) }),
    }) as Tool;
    const uses = ['a', 'b'].map((what) => ({ name: 'Long', input: { what } }));
    const events = eventsOf({ tools: uses }).map(
      (event) =>
        JSON.parse(
          JSON.stringify(event).replace('toolu_fake_0_', `toolu_${'x'.repeat(3_000)}`),
        ) as typeof event,
    );
    const { troupe, api, home } = await createTroupeOverHttp(
      { replies: [{ events }], handler: () => ({ text: 'Done.' }) },
      { tools: [long] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(api.problems).toEqual([]);
    const names = await readdir(home, { recursive: true });
    expect(names.filter((name) => name.endsWith('.txt')).map((name) => name.slice(-6))).toEqual([
      '-1.txt',
      '-2.txt',
    ]);
  });
});

describe('a retry', () => {
  it('tells that the server asked for more than is waited', async () => {
    const time = createSimulatedTime();
    const { troupe } = await createTroupeOverHttp(
      {
        replies: [{ status: 429, headers: { 'retry-after': '3600' } }, { text: 'Done.' }],
      },
      { clock: time.clock, now: time.now },
    );
    const session = troupe.session({ prompt: 'Go.' });
    const messages: string[] = [];
    session.events.on('agent.retry', (_, { message }) => messages.push(message));
    skipRetryWaits(session, time);
    await session.outcome;
    expect(messages).toEqual([
      expect.stringMatching(/ It asks to wait 3600 s, which is longer than the 60 s /),
    ]);
  });
});

describe('limits of a program for Read and Glob', () => {
  const files = { 'a.txt': 'x\n'.repeat(100), 'b.txt': 'y' };
  const uses: readonly Use[] = [
    { name: 'Read', input: { file_path: 'a.txt' } },
    { name: 'Glob', input: { pattern: '*.txt' } },
  ];

  it.each([{ maxTokens: 5 }, { maxSizeBytes: 20 }, { maxTokens: 5, maxSizeBytes: 1_000_000 }])(
    'lower their own: %j',
    async (fileReadingLimits) => {
      const { run } = await useTools(() => uses, {
        files,
        fileReadingLimits,
        globLimits: { maxResults: 1 },
      });
      const [read, glob] = await run();
      expect(read).toContain('[Lines 1-10 of 100');
      expect(glob).toContain('The 1 most recently modified');
    },
  );

  it('raise nothing', async () => {
    const { run } = await useTools(() => uses.slice(1), {
      files,
      globLimits: { maxResults: 1_000_000 },
    });
    expect((await run()).join().split('\n').toSorted()).toEqual(['a.txt', 'b.txt']);
  });
});
