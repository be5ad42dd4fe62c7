import type { AgentView } from '../../api/sessions/session-view.js';
import { callLine } from '../summaries/call-line.js';
import { describeResult, HEAD, wholeResult } from '../interactive/view-lines.js';
import { agentLabel } from '../summaries/tool-subject.js';
import type { TerminalCalls, TerminalLines } from '../terminal/screen/terminal.js';
import { viewOfInput } from './view-of-input.js';

type Item = AgentView['items'][number];
type Shown = Pick<TerminalLines, 'echo' | 'endLine' | 'keep' | 'print' | 'write'> &
  Pick<TerminalCalls, 'begin' | 'end' | 'run'>;

/** Items of a conversation that are shown of the time before. */
const MOST_EARLIER = 40;

/** The conversation of an agent on a terminal. */
export interface FollowedConversation {
  /** Print what is new, as the terminal of its session does. The first call prints the newest part. */
  show(agent: AgentView): void;
  /** Show the text of the reply that is arriving, whole; empty without such a reply. */
  arrive(text: string): void;
}

export function createConversation(terminal: Shown): FollowedConversation {
  /** Number of the items that are shown or left out. */
  let shown: number | undefined;
  const open = new Set<string>();
  /** The part of an arriving reply that is shown. */
  let written = '';

  const endCalls = ({ calls }: AgentView): void => {
    for (const id of open) {
      const { tool, input, result } = calls.get(id) ?? {};
      if (tool === undefined || result === undefined) continue;
      open.delete(id);
      terminal.end(id);
      const { text, isError } = result;
      const told = { text, isError, view: isError ? undefined : viewOfInput(tool, input) };
      terminal.keep(() => wholeResult({ name: tool, input }, told));
      const { head, below } = describeResult(tool, told, true);
      terminal.print([head, ...below]);
    }
  };
  const show = (item: Item, agent: AgentView): void => {
    const before = written;
    written = '';
    switch (item.type) {
      case 'message':
        if (item.kind === 'prompt' || item.from === 'user') terminal.echo(item.text, 'typed');
        else terminal.print(`${agentLabel(item.from)} > ${item.text}`);
        return;
      case 'text':
        if (!item.text.startsWith(before)) terminal.endLine();
        terminal.write(item.text.slice(item.text.startsWith(before) ? before.length : 0));
        return terminal.endLine();
      case 'thinking':
        return;
      case 'call': {
        const { tool, input } = agent.calls.get(item.id) ?? { tool: item.id, input: {} };
        terminal.begin(item.id, `* ${callLine(tool, input, HEAD)}`);
        terminal.run(item.id);
        open.add(item.id);
        return endCalls(agent);
      }
      case 'compacted':
        return terminal.print('(the conversation was compacted)');
      case 'forked':
        return terminal.print(`(forked from ${item.from})`);
      case 'failure':
        return terminal.print(item.message);
      default:
        return item satisfies never;
    }
  };
  const showNew = (agent: AgentView): void => {
    const { items, dropped } = agent;
    const all = dropped + items.length;
    if (shown === undefined) {
      shown = Math.max(all - MOST_EARLIER, 0);
      if (shown > 0) terminal.print(`(${shown} earlier entries: troupe log has them)`);
    }
    endCalls(agent);
    for (const item of items.slice(Math.max(shown - dropped, 0))) show(item, agent);
    shown = all;
  };
  return {
    show: showNew,
    arrive(text) {
      if (!text.startsWith(written)) return; // the message with the text before comes first
      terminal.write(text.slice(written.length));
      written = text;
    },
  };
}
