import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import type { Hooks } from '../../../src/extensions/hooks/hook-types.js';
import { installed } from '../../support/mcp/servers.js';
import { bashCall, playParts, userTexts } from '../../support/scripts.js';
import { createTroupe } from '../../support/troupe.js';

const command = (line: string, more: object = {}) => ({
  hooks: [{ type: 'command' as const, command: line, ...more }],
});

/** Resolves with the outcome of the first turn that ends with this text. */
const turnWith = (session: SessionHandle, text: string) =>
  new Promise<void>((resolve) =>
    session.events.on('agent.idle', (_, outcome) => {
      if (outcome.status === 'completed' && outcome.result === text) resolve();
    }),
  );

describe('a hook of the kind', () => {
  it('mcp_tool gives the fields of the event to a tool, whose text is its output', async () => {
    const told: string[] = [];
    const notices: string[] = [];
    const hook = { type: 'mcp_tool', tool: 'echo', input: { message: '<${prompt}${no.such}>' } };
    const { troupe } = await createTroupe(
      ({ messages }) => {
        told.push(...userTexts(messages));
        return { text: 'Done.' };
      },
      {
        mcpServers: { all: installed('everything') },
        hooks: {
          UserPromptSubmit: [
            {
              hooks: [
                { ...hook, server: 'all' },
                { ...hook, server: 'other' },
              ],
            },
          ] as Hooks['UserPromptSubmit'] & {},
        },
      },
    );
    const session = troupe.session({ prompt: 'Go.' });
    session.events.on('hook.notice', (_, { hook: name, message }) =>
      notices.push(`${name}: ${message}`),
    );
    await session.outcome;
    expect([told, notices]).toEqual([
      ['Go.', 'The hook all:echo adds: Echo: <Go.>'],
      ['other:echo: there is no MCP server "other"'],
    ]);
  });

  it('agent asks a sub-agent that reads files; such a sub-agent has no hook of the kind', async () => {
    const { troupe } = await createTroupe(
      playParts({
        main: [{ text: 'First.' }, { text: 'Second.' }],
        'hook-agent': [
          { tools: [{ name: 'Glob', input: { pattern: '*.md' } }] },
          ({ messages }) => {
            const hasNotes = JSON.stringify(messages).includes('notes.md');
            const asks = userTexts(messages)[0]?.startsWith('Are there notes? {"session_id"');
            return { text: `{"ok": ${hasNotes && !asks}, "reason": "There are notes."}` };
          },
          { text: '{"ok": true}' },
        ],
      }),
      {
        files: { 'notes.md': 'One.' },
        hooks: {
          Stop: [{ hooks: [{ type: 'agent', prompt: 'Are there notes? $ARGUMENTS', once: true }] }],
          SubagentStop: [{ hooks: [{ type: 'agent', prompt: 'Never asked.' }] }],
        },
      },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.result).toBe('Second.');
    expect(session.tasks().map(({ type, status }) => [type, status])).toEqual([
      ['session', 'completed'],
      ['local_agent', 'completed'],
    ]);
  });

  it('command in the background wakes its agent with exit code 2, or adds to its next message', async () => {
    let told: readonly string[] = [];
    const context = { hookEventName: 'PostToolUse', additionalContext: 'Formatted.' };
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [bashCall('true')] },
          { text: 'Done.' },
          { text: 'Mended.' },
          ({ messages }) => {
            told = userTexts(messages).slice(1);
            return { text: 'All done.' };
          },
        ],
      }),
      {
        hooks: {
          PostToolUse: [
            command(`echo '${JSON.stringify({ hookSpecificOutput: context })}'`, { async: true }),
            command('until [ -e idle ]; do sleep 0.01; done; echo "Tests fail." >&2; exit 2', {
              asyncRewake: true,
            }),
          ],
          Stop: [command('touch idle', { once: true })],
        },
      },
    );
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    const ended = new Promise<void>((resolve) =>
      session.events.on('hook.ended', (_, { stdout }) =>
        stdout.includes('Formatted.') ? resolve() : undefined,
      ),
    );
    await Promise.all([turnWith(session, 'Mended.'), ended]);
    await Promise.all([turnWith(session, 'All done.'), session.prompt('More.')]);
    session.end();
    expect(told.map((text) => text.replace(/^The hook .* adds: /, '')).toSorted()).toEqual([
      'Formatted.',
      'More.',
      'Tests fail.',
    ]);
  });
});

it('a command that begins with {"async": true} keeps nobody waiting, and adds to the next message', async () => {
  let told: readonly string[] = [];
  const context = { hookEventName: 'SessionStart', additionalContext: 'Installed.' };
  const { troupe } = await createTroupe(
    playParts({
      main: [
        { tools: [bashCall('touch idle')] },
        { text: 'Done.' },
        ({ messages }) => {
          told = userTexts(messages).slice(1);
          return { text: 'All done.' };
        },
      ],
    }),
    {
      hooks: {
        SessionStart: [
          command(
            `echo '{"async": true}'; until [ -e idle ]; do sleep 0.01; done; echo said; echo '${JSON.stringify({ hookSpecificOutput: context })}'`,
          ),
        ],
      },
    },
  );
  const session = troupe.session({ prompt: 'Go.', staysOpen: true });
  const ended = new Promise<void>((resolve) => session.events.on('hook.ended', () => resolve()));
  await Promise.all([turnWith(session, 'Done.'), ended]);
  await Promise.all([turnWith(session, 'All done.'), session.prompt('More.')]);
  session.end();
  expect(told.map((text) => text.replace(/^The hook .* adds: /, '')).toSorted()).toEqual([
    'Installed.',
    'More.',
  ]);
});

it('a command that begins with {"async": true} has as much time as its asyncTimeout says', async () => {
  const { troupe } = await createTroupe(playParts({ main: [{ text: 'Done.' }] }), {
    hooks: {
      SessionStart: [command(`echo '{"async": true, "asyncTimeout": 20}'; sleep 600`)],
    },
  });
  const session = troupe.session({ prompt: 'Go.', staysOpen: true });
  const message = await new Promise((resolve) =>
    session.events.on('hook.ended', (_, run) => resolve(run.message)),
  );
  session.end();
  expect(message).toBe('it did not answer within 0.02 s');
});

it('the rule of a hook may name a tool of files with a path', async () => {
  const write = (path: string) => ({ name: 'Write', input: { file_path: path, content: 'x' } });
  const { troupe, at } = await createTroupe(
    playParts({ main: [{ tools: [write('.env.local'), write('a.txt')] }, { text: 'Done.' }] }),
    {
      hooks: {
        PreToolUse: [
          command('echo no >&2; exit 2', { if: 'Write(.env*)' }),
          command('echo no >&2; exit 2', { if: 'MultiEdit(a.txt)' }),
        ],
      },
    },
  );
  await troupe.session({ prompt: 'Go.' }).outcome;
  expect(['.env.local', 'a.txt'].filter((name) => existsSync(at(name)))).toEqual(['a.txt']);
});

it('a hook with once runs once in a session', async () => {
  const ran: string[] = [];
  const { troupe } = await createTroupe(
    playParts({
      main: [{ tools: [bashCall('true')] }, { tools: [bashCall('true')] }, { text: 'Done.' }],
    }),
    {
      hooks: { PreToolUse: [command('echo "{\\"systemMessage\\": \\"Ran.\\"}"', { once: true })] },
    },
  );
  const session = troupe.session({ prompt: 'Go.' });
  session.events.on('hook.notice', (_, { message }) => ran.push(message));
  await session.outcome;
  expect(ran).toEqual(['Ran.']);
});
