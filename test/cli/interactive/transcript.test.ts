import { describe, expect, it } from 'vitest';
import type { SessionMessage } from '../../../src/actors/contract/session-message.js';
import type { StyledLine } from '../../../src/cli/output/output-writer.js';
import { createTranscript } from '../../../src/cli/interactive/transcript.js';

/** The text on the terminal after some messages. */
function tell(messages: readonly object[], tellsCost = false): string {
  return show(messages, tellsCost).shown;
}

/** The same, and the newest result as a whole. */
function show(messages: readonly object[], tellsCost = false) {
  let shown = '';
  let whole: () => readonly StyledLine[] = () => [];
  const endLine = (): void => {
    if (shown !== '' && !shown.endsWith('\n')) shown += '\n';
  };
  const print = (text: string | readonly StyledLine[]): void => {
    endLine();
    shown += typeof text === 'string' ? `${text}\n` : text.map((line) => `${line.text}\n`).join('');
  };
  const transcript = createTranscript(
    {
      write: (text) => void (shown += text),
      isLive: false,
      endLine,
      begin: (_id, text) => print(text),
      progress: (_id, text) => print(text),
      end() {},
      show() {},
      keep: (lines) => void (whole = lines),
      print,
    },
    { tellsCost },
  );
  for (const message of messages) transcript(message as SessionMessage); // only the fields that are read
  return { shown, whole: whole().map(({ text }) => text) };
}

const streamed = (event: object, parent: string | null = null): object => ({
  type: 'stream_event',
  event,
  parent_tool_use_id: parent,
});
const delta = (text: string): object =>
  streamed({ type: 'content_block_delta', delta: { type: 'text_delta', text } });
const said = (block: object, parent: string | null = null): object => ({
  type: 'assistant',
  message: { content: [block] },
  parent_tool_use_id: parent,
});
const returned = (id: string, content: string, isError = false, parent: string | null = null) => ({
  type: 'user',
  message: {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: id, content, ...(isError && { is_error: true }) },
    ],
  },
  parent_tool_use_id: parent,
});
const use = (id: string, command: string): object => ({
  type: 'tool_use',
  id,
  name: 'Bash',
  input: { command },
});

describe('createTranscript', () => {
  it('tells a denial once, without the advice to the model', () => {
    const message =
      'Permission to use Bash was denied by the user. Stop and wait for what the user says next.';
    const messages = [
      said(use('a', 'make')),
      {
        type: 'system',
        subtype: 'permission_denied',
        tool_name: 'Bash',
        tool_use_id: 'a',
        message,
      },
      returned('a', message, true),
    ];
    expect(tell(messages)).toBe(
      '* Bash: make\ndenied: Bash: Permission to use Bash was denied by the user.\n',
    );
  });

  it('shows the progress of a tool call less and less often', () => {
    const progress = (seconds: number, id = 'a') => ({
      type: 'tool_progress',
      tool_use_id: id,
      tool_name: 'mcp__f__copy',
      parent_tool_use_id: null,
      elapsed_time_seconds: seconds,
      ...(id === 'a' && { progress: `${seconds} of 99` }),
    });
    const times = Array.from({ length: 99 }, (_, index) => index + 1);
    expect(tell([...times.map((time) => progress(time)), progress(1, 'b')])).toBe(
      [1, 2, 4, 8, 16, 32, 64].map((time) => `  mcp__f__copy: ${time} of 99\n`).join(''),
    );
  });

  it('shows streamed text once', () => {
    const messages = [
      streamed({ type: 'message_start' }),
      delta('Hel'),
      delta('lo\u001b[2K.'),
      said({ type: 'text', text: 'Hello\u001b[2K.' }),
    ];
    expect(tell(messages)).toBe('Hello\u001b[2K.\n');
  });

  it('shows text that was not streamed, also after a reply that said the same', () => {
    const messages = [
      delta('Same.'),
      said({ type: 'text', text: 'Same.' }),
      streamed({ type: 'message_start' }),
      said({ type: 'text', text: 'Same.' }),
    ];
    expect(tell(messages)).toBe('Same.\nSame.\n');
  });

  it('shows a tool use and its result in one line each, with some lines of a longer result', () => {
    const messages = [
      said(use('t1', 'npm test\nrm x')),
      returned('t1', '\n3 pass\n1 fails\nsee above\na\nb\nc\nd'),
      said(use('t2', 'false')),
      returned('t2', 'Exit code 1', true),
      said(use('t3', 'true')),
      returned('t3', ''),
    ];
    expect(tell(messages)).toBe(
      [
        '* Bash: npm test rm x',
        '  Bash: 3 pass',
        '    1 fails',
        '    see above',
        '    a',
        '    b',
        '    … 2 more lines',
        '* Bash: false',
        '  Bash failed: Exit code 1',
        '* Bash: true',
        '  Bash: (nothing)',
        '',
      ].join('\n'),
    );
  });

  it('sets in what sub-agents do, with their names', () => {
    const started = {
      type: 'system',
      subtype: 'task_started',
      task_id: 'a00000001',
      tool_use_id: 'agent1',
      description: 'look',
      spawn_depth: 1,
    };
    const messages = [
      started,
      streamed({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'I' } }, 'agent1'),
      said({ type: 'text', text: 'I look.\nSo.' }, 'agent1'),
      said(use('t1', 'ls'), 'agent1'),
      returned('t1', 'a\nb', false, 'agent1'),
    ];
    expect(tell(messages)).toBe(
      [
        '[look] started as a00000001',
        '  [look] I look.',
        '  [look] So.',
        '  [look] * Bash: ls',
        '  [look]   Bash: a (+1 line)',
        '',
      ].join('\n'),
    );
  });

  it('shows errors of a result, and what it cost if that is wanted', () => {
    const result = {
      type: 'result',
      errors: ['Interrupted by the user.'],
      num_turns: 1,
      duration_ms: 1_250,
      total_cost_usd: null,
    };
    expect(tell([delta('Hal'), result])).toBe('Hal\nInterrupted by the user.\n');
    expect(tell([{ ...result, errors: [], num_turns: 2, total_cost_usd: 0.5 }], true)).toBe(
      '(2 turns · 1.3 s · $0.5000 so far)\n',
    );
    expect(tell([{ ...result, errors: [] }], true)).toBe('(1 turn · 1.3 s · cost unknown)\n');
  });
});

describe('the view of a result', () => {
  const answered = (id: string, content: string, data: unknown, parent: string | null = null) => ({
    ...returned(id, content, false, parent),
    tool_use_result: data,
  });
  const edit = { type: 'tool_use', id: 'e', name: 'Edit', input: { file_path: 'a.ts' } };
  const hunk = {
    oldStart: 1,
    oldLines: 2,
    newStart: 1,
    newLines: 2,
    lines: [' one', '-two', '+2\u001b[31m'],
  };
  const data = {
    filePath: '/w/a.ts',
    replacements: 1,
    modifiedLines: [2],
    diff: [hunk],
    additions: 1,
    deletions: 1,
    replaceAll: false,
    created: false,
    snippet: '',
  };

  it('shows the changed lines below an edit', () => {
    expect(tell([said(edit), answered('e', 'Edited /w/a.ts.', data)])).toBe(
      [
        '* Edit: a.ts',
        '  Edit: Edited /w/a.ts.',
        '      one',
        '    - two',
        '    + 2\\u001b[31m',
        '',
      ].join('\n'),
    );
  });

  it('shows some of the output of a command, and how much more there is', () => {
    const stdout = Array.from({ length: 9 }, (_, index) => `line ${index}`).join('\n');
    const ended = { stdout, exitCode: 0, output_file: '/o', isError: false };
    const shown = tell([said(use('b', 'seq 9')), answered('b', stdout, ended)]);
    expect(shown.split('\n').slice(2)).toEqual([
      '    line 1',
      '    line 2',
      '    line 3',
      '    line 4',
      '    … 4 more lines',
      '',
    ]);
  });

  it('is the one line of a file that was read', () => {
    const read = { type: 'tool_use', id: 'r', name: 'Read', input: { file_path: 'a.ts' } };
    const facts = { filePath: '/w/a.ts', fileSize: 4, fileType: 'ts' };
    const lines = {
      content: 'a\nb',
      note: '',
      lineCount: 2,
      truncated: false,
      offset: 1,
      limit: 2,
    };
    const result = answered('r', '1\ta\n2\tb', { ...facts, type: 'text', ...lines });
    expect(tell([said(read), result])).toBe('* Read: a.ts\n  Read: 2 lines\n');
  });

  it('is not made of data that the tool cannot have returned', () => {
    const wrong = answered('e', 'Edited.', { ...data, diff: 'all of it' });
    expect(tell([said(edit), wrong])).toBe('* Edit: a.ts\n  Edit: Edited.\n');
  });

  it('is not shown for an agent below, nor for a result without data', () => {
    expect(tell([said(edit), returned('e', 'Edited.')])).toBe('* Edit: a.ts\n  Edit: Edited.\n');
    expect(tell([said(edit, 'p'), answered('e', 'Edited.', data, 'p')])).not.toContain('two');
  });

  it('keeps every line of the newest result', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    const { shown, whole } = show([
      said(use('1', 'seq 3')),
      returned('1', '1\n2\n3'),
      said(use('2', 'make')),
      returned('2', [...lines, '', ''].join('\n')),
    ]);
    expect(shown).not.toContain('line 29');
    expect(whole).toEqual(['* Bash: make', ...lines.map((line) => `    ${line}`), '    ']);
  });
});
