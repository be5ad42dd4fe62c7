import { join } from 'node:path';
import { createAgentId, createSessionId, createTaskId } from '../../src/core/ids.js';
import { projectFolder } from '../../src/journal/sessions/find-session.js';
import { createJournal, type Journal } from '../../src/journal/journal.js';

export type PastSession = {
  readonly id: string;
  readonly directory: string;
  readonly agentId: string;
  readonly taskId: string;
  readonly journal: Journal;
  /** Absolute path of the agent's file. */
  readonly file: string;
};

/** Writes the first lines of a session, as a process would: one agent that was asked `prompt`. Times count up from 1000. */
export function writeSession(
  home: string,
  { cwd, prompt = 'go', id = createSessionId() }: { cwd: string; prompt?: string; id?: string },
): PastSession {
  let time = 1_000;
  const directory = join(projectFolder(home, cwd), id);
  const journal = createJournal({ directory, sessionId: id, now: () => (time += 1) });
  const agentId = createAgentId('main');
  const taskId = createTaskId('session');
  journal.append(`agents/${agentId}.jsonl`, {
    type: 'agent.started',
    agentId,
    taskId,
    agentType: 'main',
    name: 'main',
    model: 'm',
    permissionMode: 'default',
    cwd,
    prompt: 'digest',
  });
  const content = [{ type: 'text', text: prompt }];
  journal.append(`agents/${agentId}.jsonl`, {
    type: 'mail.accepted',
    envelope: { id: 'user/0', seq: 0, kind: 'prompt', from: 'user', content, at: 1_000 },
  });
  const task = { type: 'task.status', id: taskId };
  const first = { kind: 'session', description: 'main', agentId, isBackgrounded: false };
  journal.append('tasks.jsonl', { ...task, status: 'pending', ...first });
  journal.append('tasks.jsonl', { ...task, status: 'running' });
  return {
    id,
    directory,
    agentId,
    taskId,
    journal,
    file: join(directory, `agents/${agentId}.jsonl`),
  };
}

/** The end of that session. */
export function endSession(
  { journal, agentId, taskId }: PastSession,
  status: 'completed' | 'killed' = 'completed',
): void {
  const outcome = {
    status,
    ...{ completed: { result: 'done' }, killed: { reason: 'it was enough' } }[status],
  };
  journal.append('tasks.jsonl', { type: 'task.status', id: taskId, status, outcome });
  journal.append(`agents/${agentId}.jsonl`, { type: 'agent.ended', status });
}

/** A reply of that session's agent. */
export function writeTurn(
  { journal, agentId }: PastSession,
  turn: number,
  content: readonly { readonly type: string; readonly [key: string]: unknown }[],
): void {
  const message = { role: 'assistant', content };
  journal.append(`agents/${agentId}.jsonl`, {
    type: 'step.done',
    key: `turn:${turn}/model`,
    result: { message, stopReason: 'end_turn' },
  });
}

/** The result of a tool call of that turn. */
export function writeResult(
  { journal, agentId }: PastSession,
  turn: number,
  id: string,
  content: string,
): void {
  journal.append(`agents/${agentId}.jsonl`, {
    type: 'step.done',
    key: `turn:${turn}/tool:${id}`,
    result: { type: 'tool_result', tool_use_id: id, content },
  });
}
