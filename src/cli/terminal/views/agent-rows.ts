import type { AgentDefinition, AssistantBlock, SessionMessage } from '../../../api/types.js';
import { oneLine } from '../../../api/text.js';
import { callLine } from '../../summaries/call-line.js';
import { isAgentColor } from '../lines/agent-colors.js';
import type { LiveCall } from '../screen/screen-state.js';
import type { LiveScreen } from '../screen/terminal.js';

type Row = LiveCall & { readonly calls: number };

const WIDTH = 60;

/**
 * Show the sub-agents at work as one row each, in place of their lines.
 *
 * @param agents the definitions, for the colors of the rows
 * @returns a function that takes a message, and says whether it was one of a sub-agent's work
 */
export function createAgentRows(
  terminal: Pick<LiveScreen, 'show'>,
  agents: () => readonly Pick<AgentDefinition, 'color' | 'name'>[] = () => [],
  now: () => number = Date.now,
): (message: SessionMessage) => boolean {
  /** By task. */
  const rows = new Map<string, Row>();
  /** Names of agents by the tool calls that start them. */
  const names = new Map<string, string>();

  const tell = (): void => terminal.show({ agents: [...rows.values()] });
  const change = (row: Row | undefined, by: Partial<Row>): void => {
    if (row === undefined) return;
    rows.set(row.id, { ...row, ...by });
    tell();
  };
  const rowOf = (toolUseId: string): Row | undefined =>
    [...rows.values()].find((row) => row.toolUseId === toolUseId);
  const tellBlocks = (parent: string, blocks: readonly AssistantBlock[]): void => {
    const row = rowOf(parent);
    const block = blocks.findLast(({ type }) => type === 'tool_use' || type === 'text');
    if (row === undefined || block === undefined) return;
    const progress =
      block.type === 'tool_use'
        ? callLine(block.name, block.input, WIDTH)
        : block.type === 'text'
          ? oneLine(block.text, WIDTH)
          : undefined;
    const calls = row.calls + blocks.filter(({ type }) => type === 'tool_use').length;
    change(row, { calls, progress: calls === 0 ? progress : `${countOf(calls)} · ${progress}` });
  };
  return (message) => {
    if (message.type === 'assistant')
      for (const [id, name] of namesIn(message.message.content as readonly AssistantBlock[]))
        // as the session has them
        names.set(id, name);
    if ('parent_tool_use_id' in message && message.parent_tool_use_id !== null) {
      if (message.type === 'assistant')
        tellBlocks(
          message.parent_tool_use_id,
          message.message.content as readonly AssistantBlock[], // as the session has them
        );
      return true;
    }
    if (message.type !== 'system') return false;
    if (message.subtype === 'task_started' && message.subagent_type !== undefined) {
      const { task_id: id, tool_use_id: toolUseId, description, spawn_depth: depth } = message;
      const margin = '  '.repeat(Math.max(depth - 1, 0));
      const given = names.get(toolUseId ?? '');
      const label = given === undefined || given === description ? '' : `${oneLine(given, 30)}: `;
      const work = `${oneLine(description, 40)} (${oneLine(message.subagent_type, 30)})`;
      const text = `${margin}${label}${work}`;
      const { color = '' } = agents().find(({ name }) => name === message.subagent_type) ?? {};
      const known = isAgentColor(color) ? { color } : {};
      rows.set(id, { id, toolUseId, text, ...known, calls: 0, since: now() });
      tell();
      return false;
    }
    if (
      message.subtype === 'task_updated' &&
      ENDS.has(message.patch.status) &&
      rows.delete(message.task_id)
    )
      tell();
    return false;
  };
}

/** The names that calls give the agents that they start, by the ID of the call. */
function namesIn(blocks: readonly AssistantBlock[]): readonly (readonly [string, string])[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'tool_use' || block.name !== 'Agent') return [];
    const { name } = Object(block.input) as { readonly name?: unknown }; // of a model: any value
    return typeof name === 'string' && name.trim() !== '' ? [[block.id, name] as const] : [];
  });
}

const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'killed']);

function countOf(calls: number): string {
  return calls === 1 ? '1 tool call' : `${calls} tool calls`;
}
