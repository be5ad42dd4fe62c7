import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSessionId } from '../../../src/core/ids.js';
import { projectFolder } from '../../../src/journal/sessions/find-session.js';
import { removeSession } from '../../../src/journal/sessions/remove-session.js';
import { openTranscript, transcriptFile } from '../../../src/journal/storage/transcript.js';
import { agentCall, bashCall, playParts } from '../../support/scripts.js';
import { createFolder, createTroupe, defineAgent } from '../../support/troupe.js';

type Line = Readonly<Record<string, unknown>>;

const linesOf = (file: string): readonly Line[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
/** The text of a line, and the number of the line that it follows. */
const toShape = (lines: readonly Line[]) =>
  lines.map((line) => [
    line['type'],
    (line['message'] as { readonly content: unknown } | undefined)?.content ?? line['subtype'],
    lines.findIndex(({ uuid }) => uuid === line['parentUuid']),
  ]);
const text = (said: string) => [{ type: 'text', text: said }];

describe('a transcript', () => {
  it('has each message of the main agent behind the one before, and continues after a resume', async () => {
    const { troupe, cwd } = await createTroupe(
      playParts({
        main: [
          { text: 'I look.', tools: [bashCall('echo out')] },
          { text: 'Done.' },
          { text: 'More.' },
        ],
      }),
      { transcripts: true },
    );
    const session = troupe.session({ prompt: 'Go.', title: 'My work' });
    await session.outcome;
    const resumed = troupe.session({ resume: session.sessionId, prompt: 'Continue.' });
    await resumed.outcome;
    const [title, ...lines] = linesOf(transcriptFile(session.directory));
    const id = expect.stringMatching(/^toolu_/) as string;
    const use = { type: 'tool_use', id, ...bashCall('echo out') };
    const result = { type: 'tool_result', tool_use_id: id, content: 'out' };
    expect(title).toEqual({
      type: 'custom-title',
      customTitle: 'My work',
      sessionId: session.sessionId,
    });
    expect(toShape(lines)).toEqual([
      ['user', 'Go.', -1],
      ['assistant', text('I look.'), 0],
      ['assistant', [use], 1],
      ['user', [result], 2],
      ['assistant', text('Done.'), 3],
      ['user', 'Continue.', 4],
      ['assistant', text('More.'), 5],
    ]);
    expect(lines[4]).toEqual({
      parentUuid: lines[3]?.['uuid'],
      sessionId: session.sessionId,
      cwd,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
      isSidechain: false,
      userType: 'external',
      type: 'assistant',
      message: {
        id: expect.any(String) as string,
        type: 'message',
        role: 'assistant',
        model: expect.any(String) as string,
        content: text('Done.'),
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: expect.objectContaining({ output_tokens: expect.any(Number) as number }) as object,
      },
      uuid: expect.any(String) as string,
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
  });

  it('begins with the whole conversation if the session is older, or a copy', async () => {
    const { troupe } = await createTroupe(
      ({ messages }) => ({ text: `${messages.length} messages.` }),
      { transcripts: true },
    );
    const first = troupe.session({ prompt: 'First.' });
    await first.outcome;
    const file = transcriptFile(first.directory);
    const messages = linesOf(file).map((line) => line['message']);
    rmSync(file);
    const copy = troupe.session({ resume: first.sessionId, forks: true, prompt: 'Second.' });
    await copy.outcome;
    const lines = linesOf(transcriptFile(copy.directory));
    expect(toShape(lines)).toEqual([
      ['user', 'First.', -1],
      ['assistant', text('1 messages.'), 0],
      ['user', 'Second.', 1],
      ['assistant', text('3 messages.'), 2],
    ]);
    const { model } = messages[1] as { readonly model: string };
    expect(lines.map((line) => line['message'])).toMatchObject([messages[0], { model }, {}, {}]);
    await removeSession({ id: copy.sessionId, directory: copy.directory });
    expect(existsSync(transcriptFile(copy.directory))).toBe(false);
  });

  it('begins anew behind a compaction', async () => {
    const { troupe } = await createTroupe(
      ({ messages }) => ({ text: `${messages.length} messages.` }),
      { transcripts: true },
    );
    const session = troupe.session({ prompt: 'One?', staysOpen: true });
    const untilIdle = () => new Promise((resolve) => session.events.once('agent.idle', resolve));
    await untilIdle();
    const { summary, preTokens } = await session.compact();
    const again = untilIdle();
    await session.prompt('Two?');
    await again;
    session.end();
    await session.outcome;
    const lines = linesOf(transcriptFile(session.directory));
    expect(toShape(lines)).toEqual([
      ['user', 'One?', -1],
      ['assistant', text('1 messages.'), 0],
      ['system', 'compact_boundary', -1],
      ['user', summary, 2],
      ['user', 'Two?', 3],
      ['assistant', text('2 messages.'), 4],
    ]);
    expect(lines[2]).toMatchObject({
      logicalParentUuid: lines[1]?.['uuid'],
      compactMetadata: { trigger: 'manual', preTokens },
    });
  });

  it('has the work of a sub-agent in its own file, for the hooks of its end', async () => {
    const paths: unknown[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [{ tools: [agentCall('worker')] }, { text: 'Done.' }],
        worker: [{ text: 'Worked.' }],
      }),
      {
        agents: [defineAgent('worker')],
        hooks: {
          SubagentStop: [
            {
              hooks: [
                (input) => {
                  paths.push(input.transcript_path, linesOf(input.agent_transcript_path));
                  return Promise.resolve({});
                },
              ],
            },
          ],
        },
      },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    const [path, lines] = paths as [string, readonly Line[]];
    expect(path).toBe(transcriptFile(session.directory));
    expect(toShape(lines)).toEqual([
      ['user', 'Do your part.', -1],
      ['assistant', text('Worked.'), 0],
    ]);
    expect(lines[1]).toMatchObject({ isSidechain: true, sessionId: session.sessionId });
  });

  it('that cannot be written is reported once, and the session continues', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const { troupe, home, cwd } = await createTroupe(() => ({ text: 'Done.' }), {
      transcripts: true,
    });
    const sessionId = createSessionId();
    const file = transcriptFile(join(projectFolder(home, cwd), sessionId));
    mkdirSync(file, { recursive: true });
    const session = troupe.session({ prompt: 'Go.', sessionId });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(warn.mock.calls).toEqual([
      [
        `The transcript ${file} is not written any more: it is a folder, not a file. The journal has everything.`,
      ],
    ]);
  });

  it('continues behind a line that was being written when the process died', async () => {
    const file = join(await createFolder(), 'a/b.jsonl');
    const head = { sessionId: 's', cwd: '/', version: '1.0.0', isSidechain: false };
    openTranscript(file, head).add({ type: 'user', uuid: 'one' });
    appendFileSync(file, '{"type":"user","uu');
    openTranscript(file, head).add({ type: 'user', uuid: 'two' });
    expect(linesOf(file).map(({ uuid, parentUuid }) => [uuid, parentUuid])).toEqual([
      ['one', null],
      ['two', 'one'],
    ]);
  });
});
