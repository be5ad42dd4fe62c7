import type { AgentView } from '../../api/session-view.js';
import { callLine } from '../call-line.js';
import { describeResult, HEAD, wholeResult } from '../interactive/view-lines.js';
import { agentLabel } from '../tool-subject.js';
import type { TerminalCalls, TerminalLines } from '../terminal/terminal.js';
import { viewOfInput } from './view-of-input.js';

type Item = AgentView['items'][number];
type Shown = Pick<TerminalLines, 'echo' | 'endLine' | 'keep' | 'print' | 'write'> &
  Pick<TerminalCalls, 'begin' | 'end' | 'run'>;

/** Items of a conversation that are shown of the time before. */
const MOST_EARLIER = 40;

/**
 * Print what is new in the conversation of an agent, as the terminal of its session does. The first call prints the
 * newest part of it.
 */
export function createConversation(terminal: Shown): (agent: AgentView) => void {
  /** Number of the items that are shown or left out. */
  let shown: number | undefined;
  const open = new Set<string>();

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
      terminal.print(`  ${head}`);
      if (below.length > 0) terminal.print(below);
    }
  };
  const show = (item: Item, agent: AgentView): void => {
    switch (item.type) {
      case 'message':
        if (item.kind === 'prompt' || item.from === 'user') terminal.echo(item.text, 'typed');
        else terminal.print(`${agentLabel(item.from)} > ${item.text}`);
        return;
      case 'text':
        terminal.write(item.text);
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
  return (agent) => {
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
}
