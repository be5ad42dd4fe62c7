import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { Envelope } from '../../core/events.js';
import { Failure } from '../../core/failure.js';
import { AgentEntry } from '../entries/agent-entries.js';
import { contentText } from '../entries/content-text.js';
import type { LogEntry, LogSpeaker } from '../entries/log-entry.js';
import { JournalDamagedError, readAnyLines } from '../read-journal.js';
import { parseStepKey } from '../entries/step-key.js';

const Block = z.lazy(() => z.looseObject({ type: z.string() }));
const Reply = z.lazy(() =>
  z.looseObject({
    message: z.looseObject({ content: z.array(Block) }),
    failure: Failure.optional(),
  }),
);
const Said = z.lazy(() => z.looseObject({ blocks: z.array(Block) }));
const ToolResult = z.lazy(() =>
  z.looseObject({ content: z.unknown(), is_error: z.boolean().optional() }),
);
const Use = z.lazy(() =>
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
  }),
);

/** The log of one agent's file, in its order; times never decrease. */
export type AgentLog = LogSpeaker & { readonly entries: readonly LogEntry[] };

/** Read one agent's journal for people. Unreadable lines are entries that say so, in their place. */
export function readAgentLog(file: string, agentId: string): AgentLog {
  const lines = readAnyLines(file, AgentEntry);
  const started = lines.find((line) => 'agentType' in line);
  const agent = started?.name ?? started?.agentType ?? agentId;
  const read = createReader({ agentId, agent });
  let at = started?.timestamp ?? 0;
  const entries = lines.flatMap((line): readonly LogEntry[] => {
    if (line instanceof JournalDamagedError) return [damagedEntry(line, at)];
    at = Math.max(at, line.timestamp);
    return read(line, at);
  });
  return { agentId, agent, entries };
}

/** The texts of an agent during this task, with a line end after each piece. Empty if there is no file. */
export function readSaid(file: string, agentId: string, taskId: string): string {
  const lines = existsSync(file) ? readAnyLines(file, AgentEntry) : [];
  const read = createReader({ agentId, agent: agentId });
  let isOfTask = false;
  let text = '';
  for (const line of lines) {
    if (line instanceof JournalDamagedError) continue;
    if ('taskId' in line) isOfTask = line.taskId === taskId;
    for (const entry of read(line, line.timestamp))
      if (isOfTask && entry.type === 'text') text += `${entry.text}\n`;
  }
  return text;
}

export function damagedEntry(error: JournalDamagedError, at: number): LogEntry {
  const { file, line, message } = error;
  return { type: 'damaged', at, file, line, message };
}

function createReader(speaker: LogSpeaker): (line: AgentEntry, at: number) => readonly LogEntry[] {
  /** Blocks of a turn's reply that were logged when they arrived. */
  const told = new Map<number, number>();
  const tools = new Map<string, string>();
  /** Accepted and not taken. */
  let waiting: readonly Envelope[] = [];

  const tellBlocks = (
    turn: number,
    blocks: readonly unknown[],
    at: number,
  ): readonly LogEntry[] => {
    told.set(turn, (told.get(turn) ?? 0) + blocks.length);
    return blocks.flatMap((block): readonly LogEntry[] => {
      const use = Use.safeParse(block).data;
      if (use !== undefined) {
        tools.set(use.id, use.name);
        const { id: toolUseId, name: tool, input } = use;
        return [{ type: 'tool_use', at, ...speaker, toolUseId, tool, input }];
      }
      const { type, thinking } = Block.parse(block);
      if (type === 'thinking') return [{ type, at, ...speaker, text: String(thinking) }];
      return [{ type: 'text', at, ...speaker, text: contentText([block]) }];
    });
  };

  const tellStep = (key: string, result: unknown, at: number): readonly LogEntry[] => {
    const step = parseStepKey(key);
    if (step === undefined) return []; // the agent is idle
    const { turn, part, id: toolUseId } = step;
    if (part === 'said') {
      const { blocks = [] } = Said.safeParse(result).data ?? {};
      return tellBlocks(turn, blocks, at);
    }
    if (part === 'model') {
      const { message, failure } = Reply.safeParse(result).data ?? {};
      const rest = message?.content.slice(told.get(turn) ?? 0) ?? [];
      const said = tellBlocks(turn, rest, at);
      told.delete(turn); // an interrupted turn may be there twice
      if (failure === undefined) return said;
      const { code, message: why } = failure;
      return [...said, { type: 'failure', at, ...speaker, code, message: why }];
    }
    const ended = part === 'tool' ? ToolResult.safeParse(result).data : undefined;
    if (ended === undefined) return [];
    const tool = tools.get(toolUseId) ?? 'tool';
    const text = contentText(ended.content);
    const isError = ended.is_error === true;
    return [{ type: 'tool_result', at, ...speaker, toolUseId, tool, text, isError }];
  };

  return (line, at): readonly LogEntry[] => {
    switch (line.type) {
      case 'agent.started': {
        const { agentType, model, script } = line;
        const used = script === undefined ? { model } : { model, script };
        return [{ type: 'started', at, ...speaker, agentType, ...used }];
      }
      case 'agent.resumed':
        return [{ type: 'resumed', at, ...speaker, model: line.model }];
      case 'agent.forked':
        return [{ type: 'forked', at, ...speaker, from: line.from }];
      case 'mail.accepted': {
        const { kind, from, content } = line.envelope;
        waiting = [...waiting, line.envelope];
        return [{ type: 'mail', at, ...speaker, kind, from, text: contentText(content) }];
      }
      case 'step.done':
        if (parseStepKey(line.key)?.part === 'inbox') waiting = waiting.slice(countOf(line.result));
        return tellStep(line.key, line.result, at);
      case 'agent.ended':
        return [
          { type: 'ended', at, ...speaker, status: line.status },
          ...waiting.flatMap(({ kind, from, content }): readonly LogEntry[] =>
            kind === 'message'
              ? [{ type: 'unread', at, ...speaker, from, text: contentText(content) }]
              : [],
          ),
        ];
      default:
        return []; // internal steps
    }
  };
}

/** The number of messages that a step has taken. */
function countOf(result: unknown): number {
  return Array.isArray(result) ? result.length : 0;
}
