import { describe, expect, it } from 'vitest';
import { createConversation } from '../../../src/cli/attach/follow-conversation.js';
import type { StyledLine } from '../../../src/cli/output/output-writer.js';
import { draftOf, newAgent, type AgentView } from '../../../src/view/agent-view.js';

type Item = AgentView['items'][number];
type Call = AgentView['calls'] extends ReadonlyMap<string, infer Value> ? Value : never;

const text = (words: string): Item => ({ type: 'text', at: 1, text: words });
const said = (kind: 'prompt' | 'message', from: string, words: string): Item => ({
  type: 'message',
  at: 1,
  kind,
  from,
  text: words,
  sentAt: 1,
});

function agentWith(items: readonly Item[], calls: readonly Call[] = [], dropped = 0): AgentView {
  return {
    ...draftOf(newAgent('amain-0')),
    items,
    dropped,
    calls: new Map(calls.map((call) => [call.id, call])),
  };
}

/** A conversation, and everything that it has done to the terminal. */
function follow() {
  const done: string[] = [];
  let whole: readonly string[] = [];
  const note = (what: string) => (value: string) => void done.push(`${what} ${value}`);
  const conversation = createConversation({
    echo: note('echo'),
    write: note('write'),
    endLine: () => void done.push('endLine'),
    print: (lines: string | readonly StyledLine[]) =>
      note('print')(typeof lines === 'string' ? lines : lines.map((line) => line.text).join('|')),
    keep: (lines) => void (whole = lines().map((line) => line.text)),
    begin: (id, line) => note('begin')(`${id} ${line}`),
    run: note('run'),
    end: note('end'),
  });
  return { conversation, whole: () => whole, take: () => done.splice(0) };
}

describe('the followed conversation of an agent', () => {
  it('prints each item once', () => {
    const { conversation, take } = follow();
    const items = [said('prompt', 'user', 'go'), text('I look.')];
    conversation.show(agentWith(items));
    expect(take()).toEqual(['echo go', 'write I look.', 'endLine']);
    conversation.show(
      agentWith([
        ...items,
        said('message', 'aada-0123456789abcdef', 'Done.'),
        said('message', 'user', 'And now?'),
        { type: 'compacted', at: 2, summary: 'All.' },
        { type: 'failure', at: 3, code: 'X', message: 'The model is gone.' },
      ]),
    );
    expect(take()).toEqual([
      'print ada > Done.',
      'echo And now?',
      'print (the conversation was compacted)',
      'print The model is gone.',
    ]);
  });

  it('shows a call until it has a result, and keeps the whole of that', () => {
    const { conversation, take, whole } = follow();
    const call: Call = {
      id: 'c1',
      tool: 'Bash',
      input: { command: 'seq 9' },
      at: 1,
      result: undefined,
    };
    const items: readonly Item[] = [{ type: 'call', at: 1, id: 'c1' }];
    conversation.show(agentWith(items, [call]));
    expect(take()).toEqual(['begin c1 * Bash: seq 9', 'run c1']);
    const result = { text: '1\n2\n3\n4\n5\n6\n7', isError: false, at: 2 };
    conversation.show(agentWith(items, [{ ...call, result }]));
    expect(take()).toEqual([
      'end c1',
      'print   Bash: 1|    2|    3|    4|    5|    … 2 more lines',
    ]);
    expect(whole()).toEqual(['* Bash: seq 9', ...[1, 2, 3, 4, 5, 6, 7].map((n) => `    ${n}`)]);
  });

  it('shows the lines that an edit has changed', () => {
    const { conversation, take } = follow();
    const call: Call = {
      id: 'e',
      tool: 'Edit',
      input: { file_path: '/w/a.ts', old_string: 'one\ntwo', new_string: 'one\n2\u001b[2J' },
      at: 1,
      result: { text: 'Changed /w/a.ts.', isError: false, at: 2 },
    };
    conversation.show(agentWith([{ type: 'call', at: 1, id: 'e' }], [call]));
    expect(take().slice(2)).toEqual([
      'end e',
      'print   Edit: Changed /w/a.ts.|    - one|    - two|    + one|    + 2\\u001b[2J',
    ]);
  });

  it('shows a reply while it arrives, and no part of it twice', () => {
    const { conversation, take } = follow();
    conversation.show(agentWith([]));
    conversation.arrive('');
    conversation.arrive('I lo');
    conversation.arrive('I look');
    conversation.show(agentWith([text('I look.')]));
    expect(take()).toEqual(['write ', 'write I lo', 'write ok', 'write .', 'endLine']);
    conversation.arrive('Next');
    conversation.show(agentWith([text('I look.'), text('Something else.')]));
    expect(take()).toEqual(['write Next', 'endLine', 'write Something else.', 'endLine']);
  });

  it('begins with the newest part of a long conversation', () => {
    const { conversation, take } = follow();
    const items = Array.from({ length: 50 }, (_, index) => text(`line ${index}`));
    conversation.show(agentWith(items, [], 100));
    const shown = take();
    expect(shown[0]).toBe('print (110 earlier entries: troupe log has them)');
    expect(shown.filter((line) => line.startsWith('write'))).toHaveLength(40);
  });
});
